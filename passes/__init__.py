"""
The passes of the collective pipeline, one file a pass, named after the pass.

What several passes share sits in `analysis/`; no pass knows another.
"""
