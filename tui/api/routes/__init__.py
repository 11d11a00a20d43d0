"""One async function per endpoint, a module per noun; `connection` first. No state, no retries.

A parameter of None is not sent, and the server's default holds. `UNSET` means the same where null has a
meaning of its own. Every function may raise the errors below ApiError in `tui.errors`; a docstring names the
codes of `ApiRefused` that callers distinguish.
"""
