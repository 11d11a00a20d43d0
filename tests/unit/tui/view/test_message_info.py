"""What the card of a message says: every version, who reacted, who read."""

from datetime import UTC

from tests import eg
from tui.api.history import HistoryEntry
from tui.api.model import ChannelId, UserId
from tui.content.extracts import plain_text
from tui.store import Store
from tui.view import message_info
from tui.view.cards import CardContent, Heading, Pair, Sentence
from tui.view.times import Times

TIMES = Times(zone=UTC)


def _store() -> Store:
    people = (eg.ME, eg.MARY, eg.MOE)
    channels = (eg.subscription(9, "general"), eg.subscription(8, "design"))
    return Store.from_snapshot(eg.snapshot(users=people, channels=channels))


def test_reactions_name_everybody_by_emoji() -> None:
    """Each emoji stands once, with all who chose it."""
    tada = {"emoji_name": "tada", "emoji_code": "1f389"}
    message = eg.message(
        reactions=(eg.reaction(eg.MARY), eg.reaction(eg.MOE, **tada), eg.reaction(eg.MOE))
    )
    parts = message_info.reactions(_store(), message)
    assert [part.text for part in parts if isinstance(part, Pair)] == [
        "Mary Member, Moe Member",
        "Moe Member",
    ]


def test_versions_come_newest_first_with_what_changed() -> None:
    """An edit shows its difference, a move where the message came from."""
    entries = (
        eg.make(HistoryEntry, timestamp=eg.NOW, user_id=UserId(2), rendered_content="<p>tee</p>"),
        eg.make(
            HistoryEntry,
            timestamp=eg.NOW + 60,
            user_id=UserId(2),
            prev_content="tee",
            content_html_diff='<div><p><span class="highlight_text_deleted">tee</span>'
            '<span class="highlight_text_inserted">tea</span></p></div>',
        ),
        eg.make(
            HistoryEntry,
            timestamp=eg.NOW + 120,
            user_id=UserId(3),
            prev_topic="drinks",
            topic="tea",
            channel_id=ChannelId(9),
            prev_channel_id=ChannelId(8),
        ),
    )
    parts = message_info.history(_store(), entries, TIMES)
    assert [part.text for part in parts if isinstance(part, Heading)] == [
        "15 Jun 2025, 15:08 · moved from #design › drinks by Moe Member",
        "15 Jun 2025, 15:07 · edited by Mary Member",
        "15 Jun 2025, 15:06 · written by Mary Member",
    ]
    said = [plain_text(part.nodes) for part in parts if isinstance(part, CardContent)]
    assert said == ["teetea", "tee"]


def test_readers_are_counted_and_named() -> None:
    """One reader is one, and nobody is said in a sentence."""
    store = _store()
    assert message_info.readers(store, {UserId(3), UserId(2)}) == [
        Sentence("Read by 2 people:"),
        Sentence("Mary Member"),
        Sentence("Moe Member"),
    ]
    assert len(message_info.readers(store, ())) == 1


def test_hostile_names_and_markdown_are_made_inert() -> None:
    """What somebody typed into the client's name or a message cannot command the terminal."""
    message = eg.message(client="\x1b[2J", content="<p>x</p>")
    about = message_info.about(_store(), message, TIMES, "http://x\x1b]0;")
    words = [part.text for part in about if isinstance(part, Pair)]
    (source,) = message_info.source("a\x1b[2J\nb")
    assert "\x1b" not in "".join(words) + str(source)
