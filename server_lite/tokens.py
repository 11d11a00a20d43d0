"""JSON web tokens by which another program vouches for somebody. One algorithm, one claim, no I/O."""

from typing import Final

import jwt

from server_lite.errors import AuthenticationFailed

ALGORITHM: Final = "HS256"
"""Fixed: a token does not choose how it is checked."""

LONGEST: Final = 8192


def vouched_address(token: str, key: str) -> str:
    """The `email` claim of a token that was signed with the key, and is not expired if it says so."""
    try:
        claims = jwt.decode(token, key, algorithms=[ALGORITHM], options={"require": ["email"]})
    except jwt.MissingRequiredClaimError as error:
        raise AuthenticationFailed("No email specified in JSON web token claims") from error
    except jwt.PyJWTError as error:
        raise AuthenticationFailed("Bad JSON web token") from error
    email = claims["email"]
    if not isinstance(email, str) or not email:
        raise AuthenticationFailed("No email specified in JSON web token claims")
    return email
