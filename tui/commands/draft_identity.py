"""Compares drafts here with those of the server: which are the same, and which changed. Pure: no I/O, no clock."""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from tui.api.destination import Destination
from tui.api.model import Draft
from tui.api.routes.drafts import NewDraft
from tui.digests import sha256_of
from tui.store.drafts import LocalDraft, LocalDraftId, RequestedDraft, destination_of

Wanted: TypeAlias = tuple[str, int, Destination | None]
"""The text, the second and the destination: no other client writes the same text in the same second."""

Difference: TypeAlias = Literal["same", "changed here", "changed there", "changed on both", "late"]
"""What happened to a draft since both sides had the same text; `late`: our last text is there, its event is not."""
MOMENT: Final = 0.001
"""Seconds that make another request of a draft: its key differs."""
AT_ONCE_SECONDS: Final = 5.0
"""Seconds within which another client's save counts as simultaneous with ours, not as a change of it."""


def begun(key: str, destination: Destination | None, content: str, now: float) -> LocalDraft:
    """Return a new draft, unknown to the server; `key` becomes its ID, `now` is in UNIX seconds."""
    return LocalDraft(
        local_id=LocalDraftId(key),
        destination=destination,
        content=content,
        updated=now,
        draft_id=None,
        synced=None,
    )


def request_key(draft: LocalDraft, asked: RequestedDraft) -> str:
    """Return the key of a request; another text gets another key, since the server would refuse it."""
    digested = f"{draft.local_id}\0{draft.destination}\0{asked.updated}\0{asked.content}"
    return sha256_of(digested)


def same_text(theirs: str, ours: str) -> bool:
    """Whether the server's text is ours, apart from white space that servers strip."""
    return theirs.strip() == ours.strip()


def wanted(draft: LocalDraft, asked: RequestedDraft) -> Wanted:
    """Return the identity that the server's copy has after a request."""
    return asked.content.strip(), int(asked.updated), draft.destination


def current(draft: LocalDraft) -> Wanted:
    """Return the identity that the server's copy has after a request with the text as it is now."""
    return wanted(draft, RequestedDraft(draft.content, draft.updated))


def requested(drafts: Iterable[LocalDraft]) -> set[Wanted]:
    """Return the identities of the server's copies that were asked for, and may be there by now."""
    return {wanted(draft, draft.asked) for draft in drafts if draft.asked is not None}


def seen(draft: Draft) -> Wanted:
    """Return the identity of a server's draft."""
    return draft.content.strip(), draft.timestamp, destination_of(draft)


def new_draft(draft: LocalDraft, asked: RequestedDraft) -> NewDraft:
    """Return the parameters of a request for the draft."""
    return NewDraft(
        destination=draft.destination, content=asked.content, timestamp=int(asked.updated)
    )


def arrived(draft: LocalDraft, theirs: Iterable[Draft]) -> Draft | None:
    """Return the copy of a draft whose request arrived, though its answer did not; None if there is none."""
    if draft.asked is None:
        return None
    key = wanted(draft, draft.asked)
    return next((each for each in theirs if seen(each) == key), None)


def is_earlier(content: str, sent: list[str]) -> bool:
    """Whether this is one of the texts that we sent before the last one; forgets those before it."""
    for at, text in enumerate(sent):
        if same_text(content, text):
            del sent[:at]
            return len(sent) > 1
    return False


def compare(draft: LocalDraft, theirs: Draft, sent: list[str], saved: float) -> Difference:
    """Return which side changed; `sent` are the last texts that the server was given for this draft, in UNIX
    seconds at `saved`.
    """
    if same_text(theirs.content, draft.content) and draft.synced is not None:
        return "same"
    is_changed = draft.content != draft.synced
    if is_earlier(theirs.content, sent):
        return "changed here" if is_changed else "late"
    if draft.synced is None or same_text(theirs.content, draft.synced):
        return "changed here"
    if is_changed:
        return "changed on both"
    if sent and theirs.timestamp <= max(saved, draft.updated) + AT_ONCE_SECONDS:
        return "changed on both"
    return _overwritten(draft, theirs)


def _overwritten(draft: LocalDraft, theirs: Draft) -> Difference:
    """Return what it means that the server, which had our text, has another one.

    Another client changed it since. Or it is an earlier text: of a backup that was restored, or of a client
    that moved the draft along with its topic.
    """
    if theirs.timestamp >= int(draft.updated) or draft.content.strip() in theirs.content:
        return "changed there"
    return "changed here" if theirs.content.strip() in draft.content else "changed on both"
