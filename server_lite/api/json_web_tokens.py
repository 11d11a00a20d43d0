"""JSON web tokens by which another program signs in a user. One fixed algorithm, no I/O."""

import hashlib
from typing import Any, Final

from server_lite.api.decoding import check_text
from server_lite.dataclass import dataclass
from server_lite.errors import AuthenticationFailed

ALGORITHM: Final = "HS256"
"""Fixed: a token cannot choose how it is verified."""

LONGEST: Final = 8192
LIFETIME: Final = 3600
"""Maximum lifetime of a token for this server in seconds."""
LEEWAY: Final = 30
"""Tolerated difference between two clocks in seconds."""


@dataclass(frozen=True, slots=True)
class Claims:
    """A valid token: the user's address, and until when it must not be used again (None: it may be)."""

    email: str
    digest: bytes
    expires: float | None


def read(token: str, key: str, audience: str | None) -> Claims:
    """Return the token's claims if it is signed with the key and not expired; raises AuthenticationFailed.

    Without an `audience` only the `email` claim is required, as programs for other servers of this
    API create it. With one the token must name that audience, have a creation time and an expiry at most an
    hour later, and can be used once.
    """
    import jwt  # few organizations use tokens, and importing delays every start

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
    # The digest covers what was signed: the signature after it can be spelled in several ways.
    digest = hashlib.sha256(token.rpartition(".")[0].encode()).digest()
    if audience is None:
        return Claims(email, digest, None)
    if int(claims["exp"]) - int(claims["iat"]) > LIFETIME:
        raise AuthenticationFailed("The JSON web token is good for too long")
    return Claims(email, digest, int(claims["exp"]) + LEEWAY)
