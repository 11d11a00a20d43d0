"""One async function per endpoint, a module per noun; `connection` first. No state, no retries.

A parameter of None is not sent, and the server's default holds. `UNSET` says the same where null
means something of its own. Every function may raise what `tui.errors` lists under ApiError; a
docstring names the codes of `ApiRefused` that callers tell apart.
"""
