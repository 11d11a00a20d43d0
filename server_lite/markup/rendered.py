"""The result of rendering a message: its HTML, and what was found in it. Pure data."""

from server_lite.dataclass import dataclass
from server_lite.ids import UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """HTML and what was found in the message.

    `user_ids` and `group_ids` are mentions that notify; silent mentions, and all
    inside quotes, are excluded. `upload_path_ids` are the parts after `/user_uploads/` in the order
    of the text. `has_link` is true if the HTML contains any `<a>`.
    """

    html: str
    plain: str
    """The visible text."""
    user_ids: frozenset[UserId] = frozenset()
    group_ids: frozenset[int] = frozenset()
    mentions_channel: bool = False
    mentions_topic: bool = False
    has_link: bool = False
    has_image: bool = False
    upload_path_ids: tuple[str, ...] = ()
    is_me_message: bool = False

    @property
    def has_attachment(self) -> bool:
        """Whether the message links a file that was uploaded here."""
        return bool(self.upload_path_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicLink:
    """A link found in a topic: the matching text and its target."""

    text: str
    url: str
