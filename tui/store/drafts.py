"""Drafts: local ones, and the server's copies. No I/O, no clock."""

from collections.abc import Iterable
from typing import NewType

from tui.api.destination import Destination, DirectDestination, TopicDestination
from tui.api.model import ChannelId, Draft, DraftId, UserId
from tui.dataclass import dataclass
from tui.narrow import Conversation, DmNarrow, TopicNarrow
from tui.store.collection import Collection

LocalDraftId = NewType("LocalDraftId", str)


@dataclass(frozen=True, slots=True)
class RequestedDraft:
    """A draft as it was sent to the server in a request that is not confirmed."""

    content: str
    updated: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalDraft:
    """A draft on this machine; `updated` in UNIX seconds.

    `draft_id` is the server's copy, which had the content `synced` when both were last the same. `asked` is
    set from before a request until its answer: if that gets lost, it may have been carried out.
    """

    local_id: LocalDraftId
    destination: Destination | None
    content: str
    updated: float
    draft_id: DraftId | None
    synced: str | None
    asked: RequestedDraft | None = None


class Drafts(Collection[DraftId, Draft]):
    """The server's drafts by ID, and the local ones, which know their copies."""

    def __init__(self, drafts: Iterable[Draft]) -> None:
        super().__init__(drafts, lambda draft: draft.id)
        self.local: dict[LocalDraftId, LocalDraft] = {}
        self._leaving: dict[DraftId, frozenset[str]] = {}
        """The server's copies of drafts that were sent or deleted here, until the server deletes them, with the
        texts that they may have.
        """

    def of(self, conversation: Conversation, self_id: UserId) -> LocalDraft | None:
        """Return the local draft of a conversation that was changed last; None if there is none."""
        mine = [
            draft
            for draft in self.local.values()
            if draft.destination is not None
            and conversation_of(draft.destination, self_id) == conversation
        ]
        return max(mine, key=lambda draft: draft.updated, default=None)

    def drop(self, local_id: LocalDraftId) -> None:
        """Remove a local draft that was sent or deleted; the server's copy is hidden too."""
        draft = self.local.pop(local_id, None)
        if draft is not None and draft.draft_id is not None:
            self._leaving[draft.draft_id] = known_texts(draft)

    def put(self, *things: Draft) -> None:
        """Add drafts of the server, each in the place of the one with its ID; one that changes is shown again."""
        super().put(*things)
        for draft in things:
            known = self._leaving.get(draft.id)
            if known is not None and draft.content.strip() not in known:
                del self._leaving[draft.id]  # another client wrote on

    def only_on_server(self) -> list[Draft]:
        """Return the drafts that this machine has no copy of, and did not send or delete."""
        linked = {draft.draft_id for draft in self.local.values()}.union(self._leaving)
        return [draft for draft in self.by_id.values() if draft.id not in linked]

    def begun_elsewhere(self, conversation: Conversation, self_id: UserId) -> list[Draft]:
        """Return those of `only_on_server` for a conversation."""
        return [
            each
            for each in self.only_on_server()
            if (to := destination_of(each)) and conversation_of(to, self_id) == conversation
        ]


def known_texts(draft: LocalDraft) -> frozenset[str]:
    """Return the texts that the server's copy may have if only this machine changed it, without white space around."""
    texts = (draft.content, draft.synced or "", draft.asked.content if draft.asked else "")
    return frozenset(each.strip() for each in texts)


def conversation_of(destination: Destination, self_id: UserId) -> Conversation:
    """Return the conversation of messages to a destination."""
    if isinstance(destination, DirectDestination):
        return DmNarrow(destination.user_ids | {self_id})
    return TopicNarrow(destination.channel_id, destination.topic)


def destination_of(draft: Draft) -> Destination | None:
    """Return the destination of a server's draft; None if it has none."""
    if draft.type == "stream" and len(draft.to) == 1:
        return TopicDestination(channel_id=ChannelId(draft.to[0]), topic=draft.topic)
    if draft.type == "private" and draft.to:
        return DirectDestination(user_ids=frozenset(map(UserId, draft.to)))
    return None
