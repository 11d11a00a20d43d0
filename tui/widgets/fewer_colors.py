"""Maps colors to a terminal's 256, with text that stays readable. Draws nothing itself."""

from functools import lru_cache
from typing import Final

from rich.color import Color as RichColor
from rich.color import ColorType
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from tui.themes.few_colors import Rgb, contrast, nearest, readable, rgb_of

FAINT: Final = 2.5
"""The contrast of text that is not meant to be read now: a screen below a dialog. It stays faint."""


class FewerColors(LineFilter):
    """Takes the place of Rich's own choice, which makes olive of amber on dark gray."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments in colors of the palette; `background` is behind those that have none."""
        behind = nearest(background.rgb)
        return [
            segment
            if segment.style is None or segment.control
            else Segment(text, _mapped(segment.style, behind, is_text=_is_text(text)))
            for segment in segments
            for text in (segment.text,)
        ]


def _is_text(text: str) -> bool:
    """Whether the text is for reading; lines and the blocks of pictures are not."""
    return any(character.isalnum() for character in text)


@lru_cache(maxsize=1024)
def _mapped(style: Style, behind: int, *, is_text: bool) -> Style:
    color, back = style.color, style.bgcolor
    ground: Rgb = rgb_of(behind)
    if back is not None and back.type == ColorType.TRUECOLOR and back.triplet is not None:
        ground = back.triplet
        behind = nearest(ground)
        back = RichColor.from_ansi(behind)
    if color is not None and color.type == ColorType.TRUECOLOR and color.triplet is not None:
        is_faint = contrast(color.triplet, ground) < FAINT
        index = (
            readable(color.triplet, behind) if is_text and not is_faint else nearest(color.triplet)
        )
        color = RichColor.from_ansi(index)
    if (color, back) == (style.color, style.bgcolor):
        return style
    return style + Style(color=color, bgcolor=back)
