"""The result of rendering a message: its HTML, and what the server has to know about it. Pure data."""

from server_lite.dataclass import dataclass
from server_lite.ids import UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """HTML and what was found on the way.

    `user_ids` and `group_ids` are those mentioned with a notification; silent mentions, and all
    inside quotes, are left out. `upload_path_ids` are the parts after `/user_uploads/` in the order
    of the text. `has_link` is true where the HTML holds any `<a>`.
    """

    html: str
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
    """A link found in a topic: the words that matched and where they lead."""

    text: str
    url: str
