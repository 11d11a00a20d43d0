"""The styles of messages, made from a Textual theme. Reads no app; draws nothing."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from textual.color import Color
from textual.style import Style

from tui.content.nodes import Token
from tui.dataclass import dataclass
from tui.themes.contrast import STRONG


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """One style for each part of a message. All but `base` are laid over it."""

    base: Style
    muted: Style
    heading: Style
    link: Style
    chat_link: Style
    mention: Style
    mention_of_reader: Style
    highlight: Style
    inserted: Style
    time: Style
    math: Style
    mistake: Style
    code: Style
    quote: Style
    quote_bar: Style
    rule: Style
    spoiler: Style
    tokens: Mapping[str, Style]

    @classmethod
    def of_theme(cls, variables: Mapping[str, str], background: str | None = None) -> "Palette":
        """Return the palette of a theme, from `app.theme_variables`.

        `background`: the name of a variable of the theme, or a color, behind the text; the theme's
        `background` if None. A selected message is drawn with another palette.
        """
        behind = variables.get(background or "background", background or "#000000")
        return _palette(tuple(sorted(_used(variables).items())), behind)

    def token(self, token: Token) -> Style:
        """Return the style of a token of code; `code` for a kind without its own."""
        kind = token.kind
        return self.tokens.get(kind[:2]) or self.tokens.get(kind[:1]) or self.code


_VARIABLES = ("foreground", "primary", "warning", "error", STRONG)
_TEXT_VARIABLES = ("text-primary", "text-accent", "text-success", "text-warning", "text-error")


def _used(variables: Mapping[str, str]) -> dict[str, str]:
    return {name: variables[name] for name in (*_VARIABLES, *_TEXT_VARIABLES) if name in variables}


@lru_cache(maxsize=16)
def _palette(variables: tuple[tuple[str, str], ...], background: str) -> Palette:
    named = dict(variables)
    back = Color.parse(background)
    fore = _color(named, "foreground", Color.parse("#e0e0e0"))
    primary = _color(named, "primary", fore)
    warning = _color(named, "warning", fore)
    muted = _faint(fore, back, 0.12 if STRONG in named else 0.4)
    tint = _mix(back, fore, 0.07)
    keyword, function, string, number, wrong = (
        Style(foreground=_color(named, f"text-{name}", fore))
        for name in ("accent", "primary", "success", "warning", "error")
    )
    link = Style(foreground=_color(named, "text-primary", primary))
    code = Style(background=tint)
    return Palette(
        base=Style(background=back, foreground=fore),
        muted=muted,
        heading=Style(foreground=link.foreground, bold=True),
        link=link + Style(underline=True),
        chat_link=link + Style(bold=True),
        mention=Style(foreground=link.foreground, background=_mix(back, primary, 0.18)),
        mention_of_reader=number + _marked(back, warning, 0.22),
        highlight=_marked(back, warning, 0.35),
        inserted=string + Style(underline=True),
        time=Style(foreground=keyword.foreground),
        math=Style(foreground=string.foreground, italic=True),
        mistake=Style(foreground=wrong.foreground, underline=True),
        code=code,
        quote=_faint(fore, back, 0.2),
        quote_bar=Style(foreground=_mix(primary, back, 0.3)),
        rule=muted,
        spoiler=Style(foreground=number.foreground),
        tokens={
            kind: code + style
            for kind, style in {
                "k": keyword,
                "kc": number,
                "s": string,
                "m": number,
                "c": muted + Style(italic=True),
                "nf": function,
                "nc": function + Style(bold=True),
                "nd": function,
                "nt": function,
                "nb": function,
                "na": keyword,
                "ow": keyword,
                "er": wrong,
                "gd": wrong,
                "gi": string,
                "gh": function + Style(bold=True),
                "gu": function,
                "gp": muted,
            }.items()
        },
    )


def _color(named: Mapping[str, str], name: str, default: Color) -> Color:
    return Color.parse(named[name]) if name in named else default


def _mix(one: Color, other: Color, share: float) -> Color:
    """Mix `one` with a share of `other`; return `one` where the terminal chooses the colors."""
    if one.ansi is not None or other.ansi is not None:
        return one
    return one.blend(other, share, alpha=1.0)


def _marked(back: Color, color: Color, share: float) -> Style:
    """Return a bold style on a tint; reversed where the terminal chooses the colors."""
    if back.ansi is not None or color.ansi is not None:
        return Style(reverse=True)
    return Style(background=_mix(back, color, share), bold=True)


_CLEAR: Final = 0.3
"""Up to this share text stays undimmed where no color in between is possible."""


def _faint(fore: Color, back: Color, share: float) -> Style:
    """Return a style nearer to the background; dim where the terminal chooses the colors."""
    if fore.ansi is not None or back.ansi is not None:
        return Style(foreground=fore, dim=share > _CLEAR)
    return Style(foreground=_mix(fore, back, share))
