"""JSON web tokens by which another program signs a person in. One fixed algorithm, no I/O."""

import hashlib
from typing import Any, Final

from server_lite.api.decoding import check_text
from server_lite.dataclass import dataclass
from server_lite.errors import AuthenticationFailed

ALGORITHM: Final = "HS256"
"""Fixed: a token does not choose how it is checked."""

LONGEST: Final = 8192
LIFETIME: Final = 3600
"""Seconds for which a token for one server may be good."""
LEEWAY: Final = 30
"""Seconds by which two clocks may differ."""


@dataclass(frozen=True, slots=True)
class Claims:
    """A good token: whom it is for, and until when it must not be used again (None: it may be)."""

    email: str
    digest: bytes
    expires: float | None


def read(token: str, key: str, audience: str | None) -> Claims:
    """The token, if it was signed with the key and is not expired; raises AuthenticationFailed.

    Without an `audience` the `email` claim is all it needs, as programs for other servers of this
    API make it. With one it must name that audience, say when it was made and when it ends, an hour
    later at most, and signs in once.
    """
    import jwt  # few organizations have such tokens, and every start would wait for it

    required = ["email"] if audience is None else ["email", "aud", "iat", "exp"]
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=[ALGORITHM],
            audience=audience,
            leeway=0 if audience is None else LEEWAY,
            options={"require": required},
        )
    except jwt.MissingRequiredClaimError as error:
        raise AuthenticationFailed(
            f"No {error.claim} specified in JSON web token claims"
        ) from error
    except jwt.PyJWTError as error:
        raise AuthenticationFailed("Bad JSON web token") from error
    email = claims["email"]
    if not isinstance(email, str) or not email:
        raise AuthenticationFailed("No email specified in JSON web token claims")
    check_text(email, "The email address")
    # What was signed, as it was signed: the signature after it can be spelt in several ways.
    digest = hashlib.sha256(token.rpartition(".")[0].encode()).digest()
    if audience is None:
        return Claims(email, digest, None)
    if int(claims["exp"]) - int(claims["iat"]) > LIFETIME:
        raise AuthenticationFailed("The JSON web token is good for too long")
    return Claims(email, digest, int(claims["exp"]) + LEEWAY)
