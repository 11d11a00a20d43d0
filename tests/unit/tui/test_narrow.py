"""What belongs to which narrow, how people write narrows, and links to them. No I/O."""

from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import eg
from tui.api.model import ChannelId, Message, MessageId, UserId
from tui.errors import BadNarrow
from tui.narrow import (
    AllDms,
    AllMessages,
    ChannelNarrow,
    DmNarrow,
    Mentions,
    Narrow,
    Search,
    Starred,
    Term,
    TopicNarrow,
    Unread,
    conversation_of,
    format_permalink,
    format_terms,
    narrow_of,
    parse,
    parse_permalink,
    resolve,
)
from tui.narrow.naming import matches

ME = eg.ME.user_id
GENERAL = ChannelId(9)


def dm_narrow(*users: int) -> DmNarrow:
    return DmNarrow(frozenset(map(UserId, users)))


CHANNEL_MESSAGE = eg.message(50, channel_id=9, topic="Greetings", sender=eg.MARY)
DM = eg.dm(51, sender=eg.MARY, to=[eg.ME])
GROUP_DM = eg.dm(52, sender=eg.MARY, to=[eg.ME, eg.MOE])


@pytest.mark.parametrize(
    ("narrow", "inside", "outside"),
    [
        (ChannelNarrow(GENERAL), CHANNEL_MESSAGE, DM),
        (TopicNarrow(GENERAL, "gREETINGS"), CHANNEL_MESSAGE, eg.message(topic="greeting")),
        (TopicNarrow(GENERAL, ""), eg.message(topic=""), CHANNEL_MESSAGE),
        (dm_narrow(1, 2), DM, GROUP_DM),
        (dm_narrow(1, 2, 3), GROUP_DM, DM),
        (AllDms(), GROUP_DM, CHANNEL_MESSAGE),
        (Starred(), eg.with_flags(DM, "starred"), DM),
        (Unread(), DM, eg.with_flags(DM, "read")),
        (Mentions(), eg.with_flags(CHANNEL_MESSAGE, "topic_wildcard_mentioned"), CHANNEL_MESSAGE),
    ],
)
def test_a_new_message_shows_up_where_it_belongs(
    narrow: Narrow, inside: Message, outside: Message
) -> None:
    """A message that arrives appears in the open view if it belongs there, and only then."""
    assert narrow.contains(inside) is True
    assert narrow.contains(outside) is False
    assert AllMessages().contains(inside) is True


@pytest.mark.parametrize(
    ("term", "message", "expected"),
    [
        (Term("channel", "GENERAL"), CHANNEL_MESSAGE, True),
        (Term("channel", "general"), DM, False),
        (Term("channels", "public"), CHANNEL_MESSAGE, None),
        (Term("channels", "public"), DM, False),
        (Term("topic", ""), DM, False),
        (Term("dm", (2,)), DM, None),
        (Term("dm", (3,)), DM, False),
        (Term("dm", "user2@example.com,USER1@example.com"), DM, True),
        (Term("dm", "nobody@example.com"), DM, None),
        (Term("dm", (1, 2)), CHANNEL_MESSAGE, False),
        (Term("dm-including", 3), GROUP_DM, True),
        (Term("dm-including", 3), DM, False),
        (Term("group-pm-with", 2), GROUP_DM, True),
        (Term("group-pm-with", 2), DM, False),
        (Term("sender", 2), DM, True),
        (Term("sender", 3), DM, False),
        (Term("sender", "user2@example.com"), DM, True),
        (Term("sender", "mary@home.example"), DM, None),
        (Term("is", "alerted"), eg.with_flags(DM, "has_alert_word"), True),
        (Term("is", "resolved"), eg.message(topic="✔ done"), True),
        (Term("is", "resolved"), CHANNEL_MESSAGE, False),
        (Term("is", "followed"), CHANNEL_MESSAGE, None),
        (Term("is", "followed"), DM, False),
        (Term("is", "muted"), CHANNEL_MESSAGE, None),
        (Term("has", "reaction"), eg.message(reactions=(eg.reaction(),)), True),
        (Term("has", "reaction"), DM, False),
        (Term("has", "link"), DM, False),
        (Term("has", "link"), eg.message(content='<p><a href="/x">x</a></p>'), None),
        (Term("has", "image"), replace(DM, content_type="text/x-markdown"), None),
        (Term("search", "hello"), DM, None),
        (Term("id", 51), DM, True),
        (Term("id", 52), DM, False),
        (Term("with", 51), DM, None),
        (Term("near", 7), DM, True),
        (Term("mentions", 1), DM, None),
        (Term("in", "all"), DM, True),
        (Term("in", "home"), DM, None),
    ],
)
def test_a_term_knows_what_it_can_know(term: Term, message: Message, expected: bool | None) -> None:
    """A search never shows a message that does not match, and asks the server when in doubt."""
    assert term.matches(message) is expected
    opposite = None if expected is None else not expected
    assert replace(term, negated=True).matches(message) is opposite


def test_one_miss_is_enough_to_say_no() -> None:
    """A message by someone else is kept out of a search at once, unknown words or not."""
    search = Search((Term("search", "x"), Term("sender", 3)))
    assert search.contains(DM) is False
    assert Search((Term("search", "x"), Term("sender", 2))).contains(DM) is None


def test_topics_are_one_whatever_their_case() -> None:
    """ "Release" and "release" are the same conversation."""
    assert TopicNarrow(GENERAL, "Release") == TopicNarrow(GENERAL, "rELEASE")
    assert len({TopicNarrow(GENERAL, "Release"), TopicNarrow(GENERAL, "release")}) == 1
    assert TopicNarrow(GENERAL, "Release") != TopicNarrow(ChannelId(8), "Release")


@pytest.mark.parametrize("message", [CHANNEL_MESSAGE, DM, GROUP_DM, eg.dm(sender=eg.ME, to=[])])
def test_every_message_is_in_its_own_conversation(message: Message) -> None:
    """Opening the conversation of a message shows that message."""
    assert conversation_of(message).contains(message) is True


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", ()),
        ("channel:general", (Term("channel", "general"),)),
        ("stream:9", (Term("channel", 9),)),
        ('channel:"9"', (Term("channel", "9"),)),
        ('channel:"new plans"', (Term("channel", "new plans"),)),
        ("topic:2024", (Term("topic", "2024"),)),
        ("topic:", (Term("topic", ""),)),
        ("-sender:me lunch", (Term("sender", "me", True), Term("search", "lunch"))),
        ("from:7", (Term("sender", 7),)),
        ("dm:1,2", (Term("dm", (1, 2)),)),
        ("pm-with:a@b.c,d@e.f", (Term("dm", "a@b.c,d@e.f"),)),
        ('a "big apple"  pie', (Term("search", 'a "big apple" pie'),)),
        ("see http://example.com", (Term("search", "see http://example.com"),)),
        ("has:links is:private", (Term("has", "link"), Term("is", "dm"))),
        ("near:12 id:3", (Term("near", 12), Term("id", 3))),
        (
            "one is:starred two",
            (Term("search", "one"), Term("is", "starred"), Term("search", "two")),
        ),
        (r'topic:"say \"hi\" \\"', (Term("topic", 'say "hi" \\'),)),
        ("- not a term, x-ray", (Term("search", "- not a term, x-ray"),)),
        (
            'boat -motor -"oar lock" sail',
            (
                Term("search", "boat"),
                Term("search", "motor", True),
                Term("search", '"oar lock"', True),
                Term("search", "sail"),
            ),
        ),
        ('"-motor" "foo:bar"', (Term("search", '"-motor" "foo:bar"'),)),
        ("std::vector c:temp re: x 10:30", (Term("search", "std::vector c:temp re: x 10:30"),)),
        ('"unfinished', (Term("search", '"unfinished'),)),
    ],
)
def test_searches_are_read_as_people_write_them(text: str, terms: tuple[Term, ...]) -> None:
    """Operators, quotation marks and plain words each mean what they look like."""
    assert parse(text) == terms


@pytest.mark.parametrize(
    "text",
    ["is:blue", "has:", "near:soon", "channel:", "id:1,2", "in:x", "foo:bar", "tea -foo:bar"],
)
def test_a_senseless_term_is_explained(text: str) -> None:
    """Someone who writes `is:blue` reads what there is instead."""
    with pytest.raises(BadNarrow):
        parse(text)


def test_an_operator_that_is_none_is_not_taken_for_text() -> None:
    """A slip finds nothing, and says what was perhaps meant."""
    with pytest.raises(BadNarrow, match="Did you mean “sender:”"):
        parse("tea sendr:ann")


_TEXTS = st.text(st.sampled_from('ab9 "\\:-,.✔é\n'), min_size=1, max_size=8)
_IDS = st.integers(0, 10**17)
_TERMS = st.one_of(
    st.builds(Term, st.sampled_from(["channel", "sender", "search"]), _TEXTS, st.booleans()),
    st.builds(Term, st.just("topic"), _TEXTS | st.just(""), st.booleans()),
    st.builds(Term, st.sampled_from(["channel", "id", "with", "near"]), _IDS, st.booleans()),
    st.builds(
        Term,
        st.just("dm"),
        st.lists(_IDS, min_size=1, max_size=3).map(tuple),
        st.booleans(),
    ),
    st.builds(Term, st.just("is"), st.sampled_from(["dm", "muted"]), st.booleans()),
)


@given(st.lists(_TERMS, max_size=4))
@settings(max_examples=60, deadline=None)
def test_a_search_can_be_written_down_and_read_again(terms: list[Term]) -> None:
    """The search box shows text that, sent off again, is the same search."""
    assert parse(format_terms(terms)) == tuple(terms)


@given(st.text(max_size=30))
@settings(max_examples=60, deadline=None)
def test_no_text_breaks_the_search_box(text: str) -> None:
    """Whatever is typed is a search, or is explained."""
    try:
        terms = parse(text)
    except BadNarrow:
        return
    assert parse(format_terms(terms)) == terms


_NARROWS = st.one_of(
    st.builds(ChannelNarrow, _IDS.map(ChannelId)),
    st.builds(TopicNarrow, _IDS.map(ChannelId), st.text(max_size=10)),
    st.builds(lambda ids: dm_narrow(ME, *ids), st.sets(_IDS, max_size=3)),
    st.sampled_from([AllMessages(), AllDms(), Mentions(), Starred(), Unread()]),
)


@given(_NARROWS, st.none() | _IDS.map(MessageId), st.none() | st.text(max_size=10))
@settings(max_examples=80, deadline=None)
def test_links_lead_back_to_where_they_were_made(
    narrow: Narrow, near: MessageId | None, name: str | None
) -> None:
    """A link copied from a message opens that message in its conversation."""
    fragment = format_permalink(narrow, near=near, channel_name=name)
    link = parse_permalink(f"https://chat.example.com/{fragment}", ME)
    assert link is not None
    assert (link.narrow, link.near, link.with_id) == (narrow, near, None)


@pytest.mark.parametrize(
    ("fragment", "narrow", "near", "with_id"),
    [
        ("#narrow/channel/9-general/topic/a.20b/near/12", TopicNarrow(GENERAL, "a b"), 12, None),
        (
            "#narrow/stream/9-old-name/subject/.E2.9C.94.20x",
            TopicNarrow(GENERAL, "✔ x"),
            None,
            None,
        ),
        ("#narrow/channel/9/topic/v1.2E0/with/7", TopicNarrow(GENERAL, "v1.0"), None, 7),
        ("#narrow/channel/9/topic//near/3", TopicNarrow(GENERAL, ""), 3, None),
        ("#narrow/dm/2,3-group", dm_narrow(1, 2, 3), None, None),
        ("#narrow/pm-with/2-Mary.20M", dm_narrow(1, 2), None, None),
        ("#narrow/is/starred", Starred(), None, None),
        (
            "#narrow/-sender/3/search/x",
            Search((Term("sender", 3, True), Term("search", "x"))),
            None,
            None,
        ),
    ],
)
def test_links_of_all_ages_are_understood(
    fragment: str, narrow: Narrow, near: int | None, with_id: int | None
) -> None:
    """Links in old messages still lead somewhere."""
    link = parse_permalink(fragment, ME)
    assert link is not None
    assert (link.narrow, link.near, link.with_id) == (narrow, near, with_id)


@pytest.mark.parametrize("link", ["https://example.com/", "#narrow/what/x", "#narrow/near/soon"])
def test_other_links_are_left_to_the_browser(link: str) -> None:
    """A link that is none of ours is not taken for one."""
    assert parse_permalink(link, ME) is None


def test_a_topic_link_reads_well() -> None:
    """People see where a link leads before they follow it."""
    link = format_permalink(
        TopicNarrow(GENERAL, "a b"), near=MessageId(12), channel_name="new plans"
    )
    assert link == "#narrow/channel/9-new-plans/topic/a.20b/near/12"


NAMES = ("Ann Arbor", "Anna Lee", "Ben Boil", "Jean-Luc Lee", "Лев Толстой")


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("ben", ["Ben Boil"]),
        ("BEN BOIL", ["Ben Boil"]),
        ("bo", ["Ben Boil"]),
        ("ann", ["Ann Arbor"]),
        ("an", ["Ann Arbor", "Anna Lee"]),
        ("a l", ["Anna Lee"]),
        ("lee", ["Anna Lee", "Jean-Luc Lee"]),
        ("luc", ["Jean-Luc Lee"]),
        ("jean-luc", ["Jean-Luc Lee"]),
        ("толс", ["Лев Толстой"]),
        ("oil", []),
        ("boil ben", []),
        ("", []),
    ],
)
def test_a_part_of_a_name_means_whoever_has_it(query: str, names: list[str]) -> None:
    """First names and beginnings are enough; a whole word wins over beginnings of words."""
    assert matches(query, [(name, name) for name in NAMES]) == names


@dataclass
class _Directory:
    self_id: UserId = ME

    def channel_id(self, name: str) -> ChannelId | None:
        return GENERAL if name.casefold() == "general" else None

    def user_id(self, email_or_name: str) -> UserId | None:
        return UserId(2) if email_or_name == "mary" else None


@pytest.mark.parametrize(
    ("text", "narrow"),
    [
        ("channel:General topic:Tea", TopicNarrow(GENERAL, "tea")),
        ("topic:Tea channel:9", TopicNarrow(GENERAL, "Tea")),
        ("dm:mary", dm_narrow(1, 2)),
        ("dm:me", dm_narrow(1)),
        ("dm:mary,moe", Search((Term("dm", "mary,moe"),))),
        ("sender:me", Search((Term("sender", 1),))),
        ("channel:gone", Search((Term("channel", "gone"),))),
        ("is:unread", Unread()),
        ("-is:unread", Search((Term("is", "unread", True),))),
        ("", AllMessages()),
    ],
)
def test_names_lead_to_conversations(text: str, narrow: Narrow) -> None:
    """`--narrow 'channel:NAME topic:TOPIC'` opens the conversation, not a list of hits."""
    assert narrow_of(resolve(parse(text), _Directory()), ME) == narrow


def test_servers_of_every_age_understand_a_narrow() -> None:
    """The words on the wire are the ones that older servers know too."""
    assert TopicNarrow(GENERAL, "x").to_api() == [
        {"operator": "stream", "operand": 9, "negated": False},
        {"operator": "topic", "operand": "x", "negated": False},
    ]
    assert dm_narrow(2, 1).to_api() == [{"operator": "dm", "operand": [1, 2], "negated": False}]
