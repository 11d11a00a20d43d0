"""The identity of a client, from its SSH authentication. Pure: no network, no clock.

A client may offer any public key: an offer proves nothing, a signature does. So the key that was looked at
last counts only when authentication completes with it, and every other step forgets it (CVE-2024-45337 was a
server that did not).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tui.dataclass import dataclass

MOST_OFFERED: Final = 20
"""Most keys of one connection; an agent rarely has more."""


@dataclass(frozen=True, slots=True)
class OfferedKey:
    """A public key by its digest; `words` describe it (its kind and comment)."""

    digest: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The proof of identity: a key's signature (`key`), or the answer to the question."""

    key: str = ""
    answer: str = ""


class Identity:
    """One connection, from its first offer to the end of its authentication."""

    def __init__(self, is_known: Callable[[str], bool]) -> None:
        """`is_known` returns whether a digest is that of a noted key."""
        self._is_known = is_known
        self._candidate = ""
        self._answer: str | None = None
        self._proof: Proof | None = None
        self.offered: dict[str, OfferedKey] = {}

    @property
    def has_too_many_keys(self) -> bool:
        """Whether as many keys were offered as are looked at."""
        return len(self.offered) >= MOST_OFFERED

    def begin(self) -> None:
        """Start over, since the user name or the method changed: earlier steps do not count."""
        self._candidate, self._answer = "", None

    def offer(self, key: OfferedKey) -> bool:
        """Handle a key that is offered or signs; return whether to go on with it. An unknown key is only
        remembered.
        """
        self.begin()
        if not self.has_too_many_keys:
            self.offered.setdefault(key.digest, key)
        if not self._is_known(key.digest):
            return False
        self._candidate = key.digest
        return True

    def answer(self, text: str) -> None:
        """Handle an answer to the question that is accepted."""
        self.begin()
        self._answer = text

    def complete(self) -> Proof:
        """Return the proof on completion of authentication; only now is there an identity. Raises
        RuntimeError without a proof.
        """
        if self._candidate:
            self._proof = Proof(key=self._candidate)
        elif self._answer is not None:
            self._proof = Proof(answer=self._answer)
        else:
            raise RuntimeError("nothing was proved")
        return self._proof

    @property
    def proof(self) -> Proof | None:
        """The proof; None until authentication has completed."""
        return self._proof
