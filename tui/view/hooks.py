"""The hooks that a new message triggers, and the data they get. Pure."""

from collections.abc import Mapping

from tui.api.model import Message
from tui.content.extracts import plain_text
from tui.content.parse import parse
from tui.hook_settings import Hooks, Trigger
from tui.narrow import DmNarrow, conversation_of
from tui.store import Store
from tui.view.notifications import WILDCARDS
from tui.view.records import record_of_message


def triggered(store: Store, message: Message, hooks: Hooks) -> list[Trigger]:
    """Return the hooks that a message triggers; none for own, read and muted messages."""
    place = conversation_of(message)
    if (
        message.sender_id == store.self_id
        or message.sender_id in store.muted_users
        or "read" in message.flags
        or store.is_muted(place)
    ):
        return []
    triggers: list[Trigger] = []
    if isinstance(place, DmNarrow):
        triggers.append("direct_message")
    is_for_all = not WILDCARDS.isdisjoint(message.flags)
    if "mentioned" in message.flags or (is_for_all and store.settings.wildcard_mentions_notify):
        triggers.append("mention")
    if hooks.keyword and _has_keyword(message, hooks.keywords):
        triggers.append("keyword")
    return [each for each in triggers if hooks.command(each)]


def record(
    store: Store, message: Message, triggers: list[Trigger], *, site: str, account: str
) -> Mapping[str, object]:
    """Return the data for a hook's program: the message as in `chinwag tail --json`, triggers and account."""
    return {
        "hooks": triggers,
        "organization": store.realm.settings.name,
        "account": account,
        **record_of_message(store, message, site),
    }


def _has_keyword(message: Message, keywords: tuple[str, ...]) -> bool:
    text = " ".join(plain_text(parse(message.content), reveal=True).casefold().split())
    return any(_stands_in(word.casefold(), text) for word in keywords)


def _stands_in(word: str, text: str) -> bool:
    """Whether the word is in the text, and not only as part of a longer word."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        joined = word[0].isalnum() and text[at - 1 : at].isalnum()
        if not joined and not (word[-1].isalnum() and text[end : end + 1].isalnum()):
            return True
        at = text.find(word, at + 1)
    return False
