"""Messages: send, fetch, match a narrow, render. Thin."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, NotRequired

from typing_extensions import TypedDict

from server_lite.access.anonymous import reader
from server_lite.access.mentions import Names
from server_lite.access.message_validation import MAX_CONTENT, normalize_content
from server_lite.access.messages import access_message, visible_among
from server_lite.access.recipients import Kind, address
from server_lite.access.users import inaccessible_user_ids, is_anonymous
from server_lite.actions.messages import send_message
from server_lite.actions.polls_and_todos import check_widget
from server_lite.api.decoding import LongText, MaxItems
from server_lite.api.params import Alias, RequestInfo
from server_lite.context import Context
from server_lite.errors import ApiError, MissingParameter
from server_lite.ids import MessageId
from server_lite.markup.text import highlight, highlight_plain
from server_lite.narrow.anonymous import check_for_strangers
from server_lite.narrow.query import Query, is_by_index, query
from server_lite.narrow.search import hits
from server_lite.narrow.terms import Term, parse_narrow
from server_lite.narrow.window import (
    MAX_BYTES,
    MAX_MESSAGES,
    anchor_of,
    check_counts,
    check_excluded_anchor,
    nearest,
    window,
)
from server_lite.objects.messages import (
    Form,
    MessageObject,
    message_objects,
    shown_to_anonymous,
    with_unknown,
)
from server_lite.store import flags, messages, realm, subscriptions
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.event_log import Local
from server_lite.store.messages import MessageRow
from server_lite.store.users import UserRow

PAGE: Final = 500
"""Maximum of messages fetched without a thread."""
ABSENT: Final = "\0"
"""Default for text parameters that may hold any text, the word `null` included."""


class Sent(TypedDict):
    """ID of the message, and the topic's visibility policy if sending changed it."""

    id: int
    automatic_new_visibility_policy: NotRequired[int]


class Messages(TypedDict):
    """Messages by ascending ID. `anchor` is absent if messages were requested by ID."""

    anchor: NotRequired[int]
    found_anchor: bool
    found_oldest: bool
    found_newest: bool
    history_limited: bool
    messages: list[MessageObject]


class OneMessage(TypedDict):
    """A message, with its Markdown source."""

    message: MessageObject
    raw_content: str


class Match(TypedDict, total=False):
    """HTML with search matches highlighted; empty without search words."""

    match_content: str
    match_subject: str


class Matches(TypedDict):
    """Matching messages, by ID."""

    messages: dict[str, Match]


class Rendered(TypedDict):
    """The rendered HTML."""

    rendered: str


def send(
    tx: Tx,
    user: UserRow,
    *,
    type: Kind,
    to: str = ABSENT,
    content: LongText,
    topic: Annotated[LongText, Alias("subject")] = ABSENT,
    queue_id: str | None = None,
    local_id: str | None = None,
    read_by_sender: bool | None = None,
    widget_content: str | None = None,
    request: RequestInfo,
) -> Sent:
    """Send a message to a topic or to users; returns its ID."""
    local = None
    if local_id is not None:
        if queue_id is None:
            raise ApiError("local_id needs queue_id")
        local = Local(queue_id=queue_id, local_id=local_id)
    sent = send_message(
        tx,
        user,
        address(tx, user, type, present(to), present(topic)),
        normalize_content(content),
        client=request.client,
        local=local,
        read_by_sender=read_by_sender,
        base_url=request.base_url,
        widget=check_widget(widget_content) if widget_content and user.is_bot else None,
    )
    if sent.policy is None:
        return {"id": sent.id}
    return {"id": sent.id, "automatic_new_visibility_policy": int(sent.policy)}


def present(text: str) -> str | None:
    """Return the parameter's text; None if the client did not send it."""
    return None if text == ABSENT else text


Narrow = list[Any]
"""A narrow in the shapes that clients send: objects or pairs; parsed by `narrow.terms`."""


def fetch(
    db: Db,
    user: UserRow | None,
    *,
    anchor: str | None = None,
    include_anchor: bool = True,
    num_before: int | None = None,
    num_after: int | None = None,
    narrow: Narrow | None = None,
    client_gravatar: bool = True,
    apply_markdown: bool = True,
    use_first_unread_anchor: bool = False,
    message_ids: Annotated[list[int] | None, MaxItems(MAX_MESSAGES)] = None,
    allow_empty_topic_name: bool = False,
    anchor_date: str | None = None,
    request: RequestInfo,
) -> Messages:
    """Get messages of a narrow around an anchor, or those of the given IDs that match it."""
    form = Form(
        apply_markdown=apply_markdown,
        empty_topic_name=allow_empty_topic_name,
        zulip_program=request.zulip_program,
    )
    terms = _terms(user, narrow or [])
    user = reader(db, user)
    search = query(db, user, terms)
    if message_ids is not None:
        if anchor is not None or num_before is not None or num_after is not None:
            raise ApiError("Unsupported parameter combination: anchor, message_ids")
        _check_count(message_ids)
        # Messages requested by ID are found outside the user's own history, too.
        ids = search.among(db, message_ids) if terms else visible_among(db, user, message_ids)
        if _is_too_much(db, ids, form):
            raise ApiError("These messages have too much text for one answer. Request fewer.")
        return {
            "found_anchor": True,
            "found_oldest": True,
            "found_newest": True,
            "history_limited": False,
            "messages": _shown(db, user, ids, form, search),
        }
    before, after = check_counts(num_before, num_after)
    check_excluded_anchor(include_anchor, before, after)
    if use_first_unread_anchor:
        anchor = "first_unread"
    if anchor is None:
        raise MissingParameter("anchor")
    at = anchor_of(db, user, terms, search, anchor, anchor_date)
    part = window(db, search, at, before=before, after=after, include_anchor=include_anchor)
    if _is_too_much(db, part.ids, form):
        sizes = messages.sizes(db, part.ids, rendered=form.apply_markdown)
        part = nearest(part, sizes, MAX_BYTES)
    return {
        "anchor": part.anchor,
        "found_anchor": part.found_anchor,
        "found_oldest": part.found_oldest,
        "found_newest": part.found_newest,
        "history_limited": False,
        "messages": _shown(db, user, part.ids, form, search),
    }


def is_long(parameters: Mapping[str, Any]) -> bool:
    """Whether a fetch with these parameters may cost more than a page found by an index."""
    count = (parameters.get("num_before") or 0) + (parameters.get("num_after") or 0)
    named = parameters.get("message_ids") or ()
    return max(count, len(named)) > PAGE or not is_by_index(
        parse_narrow(parameters.get("narrow") or [])
    )


def _terms(user: UserRow | None, narrow: Narrow) -> list[Term]:
    terms = parse_narrow(narrow)
    if user is None:
        check_for_strangers(terms)
    return terms


def _check_count(ids: Sequence[int]) -> None:
    """Refuse more IDs than fit in an answer."""
    if len(ids) > MAX_MESSAGES:
        raise ApiError(f"Too many messages requested (maximum {MAX_MESSAGES}).")


def _is_too_much(db: Db, ids: Sequence[int], form: Form) -> bool:
    """Whether these messages have too much text for one answer."""
    return len(ids) > PAGE and messages.size(db, ids, rendered=form.apply_markdown) > MAX_BYTES


def _shown(
    db: Db, user: UserRow, ids: Sequence[int], form: Form, search: Query | None = None
) -> list[MessageObject]:
    rows = messages.fetched(db, ids, rendered=form.apply_markdown)
    names = Names(db, user)
    links = {topic: names.topic_links(topic) for topic in {row[4] for row in rows} - {""}}
    outside = subscriptions.outside(db, user.id, ((row[0], row[2]) for row in rows))
    flags_by_message = flags.of_messages(db, user.id, ids, outside)
    objects = message_objects(db, rows, flags_by_message, form, links)
    seen = {reaction["user_id"] for one in objects for reaction in one["reactions"]}
    hidden = inaccessible_user_ids(db, user, seen.union(row[1] for row in rows))
    if hidden:
        domain = realm.domain(db)
        objects = [with_unknown(one, hidden, domain) for one in objects]
    if is_anonymous(user):
        domain = realm.domain(db)
        objects = [shown_to_anonymous(one, domain) for one in objects]
    if search is None or not search.search_terms:
        return objects
    searched = messages.by_ids(db, ids)
    return [{**one, **_matches(row, search)} for one, row in zip(objects, searched, strict=True)]


def _matches(row: MessageRow, search: Query) -> Match:
    return {
        "match_content": highlight(row.rendered, hits(row.plain, search.search_terms)),
        "match_subject": highlight_plain(row.topic, hits(row.topic, search.search_terms)),
    }


def get(
    db: Db,
    user: UserRow | None,
    message_id: MessageId,
    *,
    apply_markdown: bool = True,
    allow_empty_topic_name: bool = False,
    request: RequestInfo,
) -> OneMessage:
    """Get one message."""
    user = reader(db, user)
    row = access_message(db, user, message_id)
    form = Form(
        apply_markdown=apply_markdown,
        empty_topic_name=allow_empty_topic_name,
        zulip_program=request.zulip_program,
    )
    (message,) = _shown(db, user, [row.id], form)
    return {"message": message, "raw_content": row.content}


def matches_narrow(
    db: Db,
    user: UserRow | None,
    *,
    msg_ids: Annotated[list[int], MaxItems(MAX_MESSAGES)],
    narrow: Narrow,
) -> Matches:
    """Get the messages that match a narrow, with highlighting if it searches."""
    terms = _terms(user, narrow)
    user = reader(db, user)
    search = query(db, user, terms)
    _check_count(msg_ids)
    ids = search.among(db, visible_among(db, user, msg_ids))
    rows = messages.by_ids(db, ids)
    return {
        "messages": {
            str(row.id): _matches(row, search) if search.search_terms else {} for row in rows
        }
    }


async def render(
    context: Context, user: UserRow, *, content: LongText, request: RequestInfo
) -> Rendered:
    """Render a message's Markdown as if the user had sent it."""
    rendered = await context.rendering.rendered(user, content[:MAX_CONTENT], request.base_url)
    return {"rendered": rendered.html}
