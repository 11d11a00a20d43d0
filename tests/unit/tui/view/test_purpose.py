"""What a channel is for, as people read it in one line."""

from tests import eg
from tui.view.purpose import purpose


def test_a_description_is_shown_without_its_markdown() -> None:
    """Also over several lines; hostile characters are not passed on."""
    channel = eg.subscription(
        1, "money", description="Money. **Private.**\n\n[rules](https://x.example)\x1b[2J",
        rendered_description=(
            "<p>Money. <strong>Private.</strong></p>"
            '<p><a href="https://x.example">rules</a>\x1b[2J</p>'
        ),
    )  # fmt: skip
    assert purpose(channel).startswith("Money. Private. rules")
    assert "\x1b" not in purpose(channel)


def test_without_html_the_text_is_shown_as_it_was_written() -> None:
    """Old servers send none."""
    assert purpose(eg.subscription(1, "x", description="a\nb", rendered_description="")) == "a b"
