"""What rendering tells the server besides the HTML: whom to notify, what to attach."""

import pytest

from server_lite.markup.lookup import Settings
from server_lite.markup.render import render, topic_links
from server_lite.markup.rendered import TopicLink
from tests.unit.server_lite.markup.organization import Organization

ORGANIZATION = Organization()


def test_mentioned_people_and_groups_are_told() -> None:
    """Whoever is mentioned by name or by group is notified, each once."""
    rendered = render("@**Ada Lovelace** @**Ada Lovelace|7** @**|8** @*backend*", ORGANIZATION)
    assert rendered.user_ids == {7, 8}
    assert rendered.group_ids == {3}


@pytest.mark.parametrize(
    "source",
    [
        "@_**Ada Lovelace** @_*backend* @_**all** @_**topic**",
        "> @**Ada Lovelace** @*backend* @**all** @**topic**",
        "```quote\n- @**Ada Lovelace** @*backend* @**all** @**topic**\n```",
        "`@**Ada Lovelace** @*backend* @**all** @**topic**`",
        "```\n@**Ada Lovelace** @*backend* @**all** @**topic**\n```",
        "@**Gone Gina** @*role:members* a@**all**",
    ],
)
def test_nobody_is_disturbed_by_silent_quoted_or_code_mentions(source: str) -> None:
    """A silent mention, a quote and a code block notify nobody."""
    rendered = render(source, ORGANIZATION)
    assert not rendered.user_ids
    assert not rendered.group_ids
    assert not rendered.mentions_channel
    assert not rendered.mentions_topic


def test_words_after_a_quote_notify_again() -> None:
    """Quoting somebody does not silence the answer below."""
    rendered = render("```quote\n@**Ada Lovelace**\n```\n@**Zoë Ångström** @**all**", ORGANIZATION)
    assert rendered.user_ids == {8}
    assert rendered.mentions_channel


def test_wildcards_are_told_apart() -> None:
    """@channel and @topic reach different people."""
    assert render("@**channel**", ORGANIZATION).mentions_channel
    assert not render("@**channel**", ORGANIZATION).mentions_topic
    assert render("@**topic**", ORGANIZATION).mentions_topic
    assert not render("@**topic**", ORGANIZATION).mentions_channel


@pytest.mark.parametrize(
    ("source", "has_link", "has_image", "paths"),
    [
        ("plain :smile:", False, False, ()),
        ("`https://x.io`", False, False, ()),
        ("see https://x.io", True, False, ()),
        ("see #12", True, False, ()),
        ("#**general**", True, False, ()),
        ("https://x.io/a.png", True, True, ()),
        ("[n](/user_uploads/1/ab/notes.txt)", True, False, ("1/ab/notes.txt",)),
        ("[n](/user_uploads/1/ab/cat%2Epng) x", True, True, ("1/ab/cat.png",)),
        ("![n](/user_uploads/1/ab/cat.png)", False, True, ("1/ab/cat.png",)),
        ("![n](/user_uploads/1/ab/song.mp3)", False, False, ("1/ab/song.mp3",)),
        ("https://chat.example.com/user_uploads/1/a", True, False, ("1/a",)),
        ("[t](/user_uploads/thumbnail/1/ab/cat.png)", True, False, ()),
    ],
)
def test_what_a_search_for_links_images_and_files_finds(
    source: str, *, has_link: bool, has_image: bool, paths: tuple[str, ...]
) -> None:
    """`has:link`, `has:image` and `has:attachment` find what the message shows."""
    rendered = render(source, ORGANIZATION)
    assert rendered.has_link is has_link
    assert rendered.has_image is has_image
    assert rendered.upload_path_ids == paths
    assert rendered.has_attachment is bool(paths)


def test_only_an_action_begins_with_me() -> None:
    """`/me waves` is drawn behind the sender's name; the word alone is not."""
    assert render("/me waves", ORGANIZATION).is_me_message
    assert not render("/meow", ORGANIZATION).is_me_message
    assert not render(" /me waves", ORGANIZATION).is_me_message


def test_settings_change_what_comes_out() -> None:
    """Previews, emoticons, a default language and the empty topic's name follow the settings."""
    quiet = Organization(
        settings=Settings(
            realm_url="https://other.example.com",
            empty_topic_name="Allgemein",
            default_code_language="rust",
            image_previews=False,
        )
    )
    picture = render("https://x.io/a.png :)", quiet)
    assert "<img" not in picture.html
    assert picture.has_image
    assert ":)" in picture.html
    assert 'data-code-language="Rust"' in render("```\nx\n```", quiet).html
    assert 'data-code-language="Text only"' in render("```text\nx\n```", quiet).html
    assert "<em>Allgemein</em>" in render("#**general>**", quiet).html


def test_links_of_a_topic() -> None:
    """Linkifiers and addresses in a topic can be followed, in the order in which they stand."""
    assert topic_links("https://x.io/a) and #42, #43", ORGANIZATION) == [
        TopicLink(text="https://x.io/a", url="https://x.io/a"),
        TopicLink(text="#42", url="https://bugs.example.com/42"),
        TopicLink(text="#43", url="https://bugs.example.com/43"),
    ]
    assert topic_links("nothing here", ORGANIZATION) == []


def test_a_message_has_at_most_24_previews() -> None:
    """A list of pictures does not fill the screen without end."""
    source = "\n\n".join(f"https://x.io/{number}.png" for number in range(30))
    assert render(source, ORGANIZATION).html.count("<img") == 24
