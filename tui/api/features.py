"""The feature levels at which servers got each feature: the one table that says so. Pure.

A server that lacks an endpoint answers with a page of status 404; `needed_for` finds the missing feature, so
that every such refusal has a sentence. Code with a fallback checks `Feature.is_in` first.
"""

from collections.abc import Mapping
from typing import Final

from tui.api.policies import POLICIES
from tui.api.wire import ApiNarrow
from tui.dataclass import dataclass
from tui.errors import NotSupported

RELEASES: Final = ((185, "7"), (237, "8"), (277, "9"), (371, "10"), (421, "11"), (496, "12"))
"""The last feature level of each release of Zulip, and its number."""


@dataclass(frozen=True)
class Feature:
    """A feature of servers from a feature level on."""

    needs: str
    """The beginning of the sentence that explains it: "Snippets need"."""
    since: int
    endpoints: tuple[str, ...] = ()
    """`VERB /path`, with `{}` for what varies."""

    def is_in(self, level: int) -> bool:
        """Whether a server of a feature level has it."""
        return level >= self.since

    @property
    def sentence(self) -> str:
        """The sentence for a server without it, with the first release that has it."""
        release = next((name for last, name in RELEASES if self.since <= last), None)
        newer = f"Zulip {release} or later" if release else "a newer Zulip"
        return f"{self.needs} {newer}, or Chinwag. This server is older."

    def is_asked_by(self, route: str) -> bool:
        """Whether a request, `VERB /path`, needs it."""
        return any(_is_like(each, route) for each in self.endpoints)


def _is_like(endpoint: str, route: str) -> bool:
    parts, route_parts = endpoint.split("/"), route.split("/")
    return len(parts) == len(route_parts) and all(
        part in (each, "{}") and (part == each or each != "me")
        for part, each in zip(parts, route_parts, strict=True)
    )


ARCHIVED_CHANNELS: Final = Feature("Restoring archived channels needs", 388)
BOT_KEYS: Final = Feature("Showing a bot's API key again needs", 463, ("GET /bots/{}/api_key",))
CHANNEL_ADDRESSES: Final = Feature(
    "Channel email addresses need", 226, ("GET /streams/{}/email_address",)
)
CHANNEL_CREATION: Final = Feature(
    "Creating channels this way needs", 417, ("POST /channels/create",)
)
CHANNEL_FOLDERS: Final = Feature(
    "Channel folders need",
    389,
    ("GET /channel_folders", "POST /channel_folders/create", "PATCH /channel_folders/{}"),
)
CHANNELS_OF_OTHERS: Final = Feature(
    "The list of a person's channels needs", 440, ("GET /users/{}/channels",)
)
DATES: Final = Feature("Going to a day in one step needs", 445)
DEVICES: Final = Feature("The list of your devices needs", 468, ("POST /register_client_device",))
EXPORT_CONSENTS: Final = Feature("Export consents need", 295, ("GET /export/realm/consents",))
FOLDER_ORDER: Final = Feature("Ordering channel folders needs", 414, ("PATCH /channel_folders",))
GROUP_DEACTIVATION: Final = Feature(
    "Deactivating groups needs", 290, ("POST /user_groups/{}/deactivate",)
)
GROUPS_THAT_COME_BACK: Final = Feature("Reactivating groups needs", 386)
GUEST_PREVIEWS: Final = Feature(
    "Testing the welcome message needs", 416, ("POST /realm/test_welcome_bot_custom_message",)
)
LINKS_BY_CHANNEL: Final = Feature("Links that say channel need", 250)
MESSAGES_BY_ID: Final = Feature("Fetching messages by ID needs", 300)
MOVES_APART: Final = Feature("Times of moves need", 365)
OTHERS_STATUS: Final = Feature(
    "Changing another person's status needs", 407, ("POST /users/{}/status",)
)
PARTIAL_SUBSCRIBERS: Final = Feature("Partial member lists of large channels need", 412)
PHONES: Final = Feature("Encrypted push notifications need", 406, ("POST /mobile_push/register",))
READ_BY_SENDER: Final = Feature("Marking your own messages read needs", 236)
REMINDER_NOTES: Final = Feature("Notes on reminders need", 415)
REMINDERS: Final = Feature(
    "Reminders need", 399, ("GET /reminders", "POST /reminders", "DELETE /reminders/{}")
)
REPORTS: Final = Feature("Reporting messages needs", 382, ("POST /messages/{}/report",))
SAVED_SNIPPETS: Final = Feature(
    "Snippets need",
    297,
    ("GET /saved_snippets", "POST /saved_snippets", "DELETE /saved_snippets/{}"),
)
SIGNING_OUT: Final = Feature("Removing a device needs", 470, ("POST /remove_client_device",))
SNIPPET_EDITS: Final = Feature("Editing snippets needs", 368, ("PATCH /saved_snippets/{}",))
STATUSES: Final = Feature("Looking up a person's status needs", 262, ("GET /users/{}/status",))
SUBGROUPS: Final = Feature("Groups within groups need", 311)
THUMBNAILS: Final = Feature("Thumbnails need", 479, ("GET /thumbnail/status/{}/{}",))
TOPIC_POLICIES: Final = Feature("Unmuting and following topics needs", 170)
TYPING_EDITS: Final = Feature(
    "Typing notifications while editing need", 351, ("POST /messages/{}/typing",)
)
VIEWS: Final = Feature(
    "Saved views need",
    390,
    (
        "GET /navigation_views",
        "POST /navigation_views",
        "PATCH /navigation_views/{}",
        "DELETE /navigation_views/{}",
    ),
)

ALL: Final = tuple(each for each in dict(globals()).values() if isinstance(each, Feature))
"""All features above."""

FIELDS: Final[Mapping[str, int]] = {
    "alternative_url_templates": 478,
    "automatically_follow_topics_where_mentioned": 235,
    "can_send_message_group": 333,
    "editable_by_user": 296,
    "folder_id": 389,
    "group_ids": 322,
    "include_realm_default_subscriptions": 261,
    "message_edit_history_visibility_policy": 358,
    "new_email": 285,
    "notify_referrer_on_join": 267,
    "receives_typing_notifications": 253,
    "required": 244,
    "reverse_template": 471,
    "subgroups": 311,
    "topics_policy": 392,
    "web_channel_default_view": 269,
    "web_home_view": 219,
    "welcome_message_custom_text": 416,
    **{setting: level for setting, (_, level) in POLICIES.items()},
}
"""Fields of forms whose absence a server's answers do not show, and the level that added each."""


SEARCHES: Final[Mapping[str, int]] = {
    "has:reaction": 249,
    "is:followed": 265,
    "is:muted": 366,
    "mentions": 446,
    "with": 271,
}
"""Operators of searches, those of `is` and `has` with their operands, and their levels."""


def check_narrow(narrow: ApiNarrow, level: int) -> None:
    """Raise NotSupported for a search that a server of a feature level does not understand."""
    for term in narrow:
        operator = term["operator"]
        for search in (f"{operator}:{term['operand']}", str(operator)):
            if SEARCHES.get(search, 0) > level:
                feature = Feature(f"Searching for “{search}” needs", SEARCHES[search])
                raise NotSupported("GET /messages", feature.sentence, status=400)


def knows(level: int, field: str) -> bool:
    """Whether a server of a feature level accepts a field of a form."""
    return level >= FIELDS.get(field, 0)


def needed_for(route: str) -> Feature | None:
    """Return the feature that a request, `VERB /path`, needs; None if every server has it."""
    return next((each for each in ALL if each.is_asked_by(route)), None)
