"""The sanitizer: other people's text cannot touch the terminal, and ordinary text is left alone."""

import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tui.content.sanitize import MAX_MARKS, sanitize, sanitize_line

ORDINARY = [
    "Plain English, with (punctuation) & 100% [brackets].",
    "Ça va très bien à l’été, œuvre — naïve “quotes”…",
    "Größe, Straße, Ärger; łódź; çok güzel; tiếng Việt",
    "Tie\u0302\u0301ng Vie\u0323\u0302t",
    "Добрый день, Україна, српски",
    "Καλημέρα κόσμε",
    "שָׁלוֹם עוֹלָם",
    "وَلَا تَقُولُوا مرحبا",
    "می\u200cخواهم",
    "नमस्ते दुनिया क्षत्रिय",
    "ශ්\u200dරී ලංකාව",
    "അവന്\u200d",
    "বাংলা ভাষা",
    "தமிழ் மொழி",
    "తెలుగు ಕನ್ನಡ ગુજરાતી ਪੰਜਾਬੀ ଓଡ଼ିଆ",
    "สวัสดีครับ น้ำ",
    "ភាសា\u200bខ្មែរ",
    "བོད་སྐད་ ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ",
    "မြန်မာဘာသာ",
    "ລາວ ქართული Հայերեն አማርኛ",
    "日本語のテキスト、漢字。葛\U000e0100城",
    "简体中文 繁體中文",
    "한국어 텍스트 각",
    "ᠮᠣᠩᠭᠣᠯ ᏣᎳᎩ ᐃᓄᒃᑎᑐᑦ",
    "∀x ∈ ℝ: ⌈x⌉ = −⌊−x⌋ ≠ ∅",
    "👍🏽 👩‍💻 👨‍👩‍👧‍👦 🇩🇪 ❤️ ❤️‍🔥 1️⃣ ℹ️ ©️ ✔ 🏳️‍🌈 🫠",
    "┌─┐ ▌ ⠿ ≈ ★",
    "two\nlines\n\nand a last one\n",
]

OVERRIDES = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_unchanged(text: str) -> None:
    """My language and my emoji arrive as they were typed."""
    assert sanitize(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b]52;c;aGk=\x07b", "a␛]52;c;aGk=␇b"),
        ("\x1b[2J\x9b2J\x00", "␛[2J⟨U+009B⟩2J␀"),
        ("x\u202eetirw\u2066", "x⟨U+202E⟩etirw⟨U+2066⟩"),
        ("a\u200e\u200f\u061c\xad\ufeffb", "ab"),
        ("a\tb\n\tc", "a   b\n    c"),
        ("a\r\nb\rc\u2028d\u2029e", "a\nb\nc\nd\ne"),
        ("bill\U000e0041\U000e0042", "bill⟨U+E0041⟩"),
        ("\U0001f3f4\U000e0067\U000e0062\U000e007f", "\U0001f3f4"),
        ("\ufff9a\ufffab\ufffb", "⟨U+FFF9⟩a⟨U+FFFA⟩b⟨U+FFFB⟩"),
        ("\ud83d", "\ufffd"),
        ("al\u200bi\u200dc\u200ce\ufe0f", "alice"),
        ("e" + "\u0301" * 50, "e" + "\u0301" * MAX_MARKS),
        ("\u0301x\n\u0302", "◌\u0301x\n◌\u0302"),
        ("1\ufe0f2", "12"),
        ("ක්\u200d\u200dර", "ක්\u200dර"),
        ("क" + "\u094d\u200d" * 30, "क" + "\u094d\u200d" * 8),
        ("\x7f", "␡"),
    ],
)
def test_hostile_text_becomes_visible_or_disappears(text: str, shown: str) -> None:
    """What would command the terminal is shown instead, or dropped where there is nothing to see."""
    assert sanitize(text) == shown


@settings(max_examples=150, deadline=None)
@given(
    st.text(
        st.characters() | st.sampled_from("\x1b\t\r\n\u200d\ufe0f\u0301\u202e👩💻🏴1#\u20e3्"),
        max_size=40,
    )
)
@example("🏴\xad\U000e0067")
@example("\u0301" * 9 + "\u200d" + "\u0301" * 9)
def test_text_is_safe_after_one_pass(text: str) -> None:
    """No control reaches the terminal, and cleaning twice changes nothing more."""
    clean = sanitize(text)
    assert sanitize(clean) == clean
    bad = [c for c in clean if c != "\n" and unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
    assert not bad
    assert not OVERRIDES & set(map(unicodedata.bidirectional, clean))


@settings(max_examples=50, deadline=None)
@given(st.text(st.sampled_from("ab\n\r\u2028\u2029\x85"), max_size=12))
def test_a_name_stays_on_its_line(text: str) -> None:
    """Names and topics cannot begin a line of their own."""
    assert "\n" not in sanitize_line(text)


def test_plain_text_costs_nothing() -> None:
    """Ordinary messages are not even copied."""
    text = "hello " * 100
    assert sanitize(text) is text
