"""
PyPTO programs as input, and the way back.

A `.py` file is parsed with Python's `ast` and never executed; PyPTO is not needed. One module a
subject, and data runs one way through them:

    source       text, positions, diagnostics
    vocabulary   which names mean `pl` and `pld`
    constants    what a name stands for, found without executing
    annotations  types of parameters and results
    program      which functions a file's program has
    names        what each statement binds and who reads it later
    body         the state of reading one function: block, names, locations
    scalars      literals, casts, arithmetic
    indexing     subscripts of tensors
    arguments    what calls of the DSL bring, by the signature of the operation
    attrs        what lowered programs say in `attrs=`
    expressions, statements, loops, branches, scopes, domains, calls
    ops_*        tables: DSL name -> signature -> op
    reader       puts it together; frontend registers it
    python_target                the way back: python_text, _ops and _types write it,
                                 python_check reads it again

Source: the DSL reference, whose sections the modules cite.
"""
