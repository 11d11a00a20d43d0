"""What answers are made of beside what each endpoint says of its own. No I/O.

An endpoint's answer is part of its contract, as its parameters are: the function returns a TypedDict
that names the fields beside `result` and `msg`, and both the type checker and the description of the
API read it there. `NotRequired` marks fields that not every answer has. The objects in it are named in
`objects/<noun>.py`, beside the functions that make them.
"""

from typing_extensions import TypedDict


class Done(TypedDict):
    """It is done, and there is nothing more to say."""
