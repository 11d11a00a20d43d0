"""The messages of the outbox, shown as if they were sent. No I/O: `tui.cache` saves them."""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from tui.api.destination import Destination
from tui.api.model import LocalId, Message, MessageId, QueueId, UserId
from tui.dataclass import dataclass
from tui.narrow import Conversation
from tui.store.drafts import conversation_of

OutgoingState: TypeAlias = Literal["held", "waiting", "sending", "sent", "unclear", "failed"]
"""`held`: delayed for undo. `unclear`: perhaps sent, the user has to decide. `sent`: its event is on the way.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingMessage:
    """A message that the user sent; `created` in UNIX seconds, `error` a sentence for the user.

    `attempted` is when the first attempt began, `attempted_after` the newest message ID known then (if the
    message reached the server, its ID is above), `queue_id` the queue it named: a repeated request has to be
    the same to the letter.
    """

    local_id: LocalId
    idempotency_key: str
    destination: Destination
    content: str
    created: float
    state: OutgoingState
    error: str
    attempted: float | None
    attempted_after: MessageId | None
    queue_id: QueueId | None
    message_id: MessageId | None
    generation: str = ""
    """The generation of the organization when it was written; empty where the server has none."""

    @property
    def is_in_doubt(self) -> bool:
        """Whether it was sent without an answer: it may have reached the server."""
        return self.attempted is not None or self.state == "unclear"

    def conversation(self, self_id: UserId) -> Conversation:
        """Return the conversation that the message is sent to."""
        return conversation_of(self.destination, self_id)


class Outbox:
    """Outgoing messages, in the order in which they were written."""

    def __init__(self, messages: Iterable[OutgoingMessage] = ()) -> None:
        self.by_id: dict[LocalId, OutgoingMessage] = {each.local_id: each for each in messages}

    def put(self, message: OutgoingMessage) -> None:
        """Add a message, or replace its state."""
        self.by_id[message.local_id] = message

    def remove(self, local_id: LocalId) -> None:
        """Remove a message that was sent or discarded."""
        self.by_id.pop(local_id, None)

    def settle(self, message: Message, local_id: LocalId | None) -> LocalId | None:
        """Remove the outgoing message that was received as `message`; return its local ID, None if there is
        none.
        """
        for each in self.by_id.values():
            if each.local_id == local_id or each.message_id == message.id:
                del self.by_id[each.local_id]
                return each.local_id
        return None
