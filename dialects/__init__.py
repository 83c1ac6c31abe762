"""
The dialects: `pl` (the language core) and `pld` (its distributed part), one package each.

What both need stands beside them: `types`, `views` (layout, stride, valid shape), `traits`
(aliasing), `constraints`, `index_lists` and `symbols`. `pld` builds on `pl`, never the reverse.
"""
