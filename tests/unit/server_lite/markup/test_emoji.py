"""Emoji names and codes."""

import pytest

from server_lite.markup import emoji


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("smile", "1f642"),
        ("+1", "1f44d"),
        ("thumbs_up", "1f44d"),
        ("heart", "2764"),
        ("tada", "1f389"),
        ("octopus", "1f419"),
        ("working_on_it", "1f6e0"),
        ("one", "0031-20e3"),
        ("family_man_woman_girl", "1f468-200d-1f469-200d-1f467"),
    ],
)
def test_names_that_people_know(name: str, code: str) -> None:
    """The names that people type in other clients work here."""
    assert emoji.name_to_code()[name] == code


def test_the_canonical_name_comes_first() -> None:
    """One emoji has one name that is shown, whatever was typed."""
    assert emoji.canonical_name("1f44d") == "+1"


def test_names_and_codes_agree() -> None:
    """Every name leads to one code, every code has a name, and none has a selector in it."""
    assert len(emoji.code_to_names()) > 1850
    for code, names in emoji.code_to_names().items():
        assert "fe0f" not in code
        assert names
        assert all(emoji.name_to_code()[name] == code for name in names)


def test_every_emoticon_stands_for_an_emoji() -> None:
    """All twelve emoticons are drawn."""
    assert len(emoji.EMOTICONS) == 12
    assert all(name in emoji.name_to_code() for name in emoji.EMOTICONS.values())


@pytest.mark.parametrize(
    ("text", "clusters"),
    [
        ("a🐙b", ["🐙"]),
        ("🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]),
        ("👨‍👩‍👧👍", ["👨‍👩‍👧", "👍"]),
        ("❤❤️", ["❤", "❤️"]),
        ("👍🏽 🐙‍🐙", []),
        ("plain 1 # © é 日本", []),
    ],
)
def test_emoji_in_a_text(text: str, clusters: list[str]) -> None:
    """Joined emoji are one; a skin tone or an unknown pair is not torn apart."""
    assert [text[start:end] for start, end, _ in emoji.find_all(text)] == clusters


def test_every_emoji_is_found_as_a_character() -> None:
    """Whatever has a name can be pasted as a character."""
    for code in emoji.code_to_names():
        characters = emoji.characters(code)
        if len(characters) == 1:
            characters += "\ufe0f"
        assert [match for _, _, match in emoji.find_all(f"x {characters} y")] == [code], code
