"""POST and GET /messages, one message, rendering. Thin."""

from typing import Annotated, Final

from server_lite.access.addressing import Kind, address
from server_lite.access.composition import clean_content
from server_lite.actions.messages import send_message
from server_lite.actions.widgets import check_widget
from server_lite.errors import ApiError
from server_lite.params import Alias, Answer, RequestInfo
from server_lite.store.database import Tx
from server_lite.store.event_log import Local
from server_lite.store.users import UserRow

ABSENT: Final = "\0"
"""Default of text that may be anything a client can send, the word `null` too."""


def send(
    tx: Tx,
    user: UserRow,
    *,
    type: Kind,  # noqa: A002 - the API's name
    to: str = ABSENT,
    content: str,
    topic: Annotated[str, Alias("subject")] = ABSENT,
    queue_id: str | None = None,
    local_id: str | None = None,
    read_by_sender: bool | None = None,
    widget_content: str | None = None,
    request: RequestInfo,
) -> Answer:
    """Send a message to a topic or to people; answers its id."""
    local = None
    if local_id is not None:
        if queue_id is None:
            raise ApiError("local_id needs queue_id")
        local = Local(queue_id=queue_id, local_id=local_id)
    message_id = send_message(
        tx,
        user,
        address(tx, user, type, present(to), present(topic)),
        clean_content(content),
        client=request.client,
        local=local,
        read_by_sender=read_by_sender,
        base_url=request.base_url,
        widget=check_widget(widget_content) if widget_content and user.is_bot else None,
    )
    return {"id": message_id}


def present(text: str) -> str | None:
    """What the client sent; None where it sent nothing."""
    return None if text == ABSENT else text
