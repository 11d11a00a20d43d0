"""Expensive texts: each is the worst of its kind at a given length. Data for tests."""

from collections.abc import Callable
from typing import Final

# Repeated units.
UNITS: Final = (
    *"[]*>`(!:|#-+~\n&<'\"\\é🐙👨\u200da ",
    *("](", "[a](", "![a](", "[[a](", "[a][", "[*a](b.com)*", "*[a](b)", "[a](<", "(((", "[]()"),
    *("@**", "@**a", "@**a** ", "@*a* ", "#**a>b", "#**general** ", "#**general>a@1"),
    *("$$", "$$a", "$$\\$", "~~a ", "a~~ ", "**a ", "*a ", " a*", "***a ", "**`a`**", "**a*"),
    *(":a", ":smile:", ":) ", "<3", "1️⃣", "👨‍👩‍👧", "👍🏽", "<time:", "<time:2020-01-01> "),
    *(
        "http://",
        "http://a(",
        "http://a.b/c(d)",
        "a.b.",
        "a.b,",
        "a.com ",
        "a@",
        "a@a.",
        "a@b.com ",
    ),
    *("https://x.io/a.png ", "https://x.io/a.png\n\n", "[](b.com)", "#1 ", "#1", "x#1 "),
    *("- a\n", "- ", "- - ", "* * a\n", "+\n", "1. a\n", "1. 1. ", "> 1. - a\n", "- > ", "*a\n"),
    *(
        "> a\n",
        ">\n",
        ">\n\n",
        ">>a\n",
        "> a\n\n",
        "> > a\n\n",
        "> a\n\nb\n\n",
        "> - a\n\n",
        "- > a\n\n",
        "- a\n\n",
        "1. a\n\n",
        "> - ",
        "# a\n",
        "# a #",
        "---\n",
        "a\n---\n",
        "a\n",
        "\na\n\n",
    ),
    *("|a", "|\n", "| a |\n|---|\n", "a|b\n-|-\n", "a|\n-|\n|", "|a`", "|-"),
    *(
        "```\n",
        "```quote\n",
        "```spoiler a\n",
        "```math\n",
        "~~~\n",
        "``` a\n",
        "~~~quote\n",
        "```a`\n",
    ),
    *("🎉 ", ":tada: ", "$$x$$ ", "- a\n- b\n"),
    *("[#1", "#1<", "#1>\n", ">>a\n- a\n", "1. a\n>>a\n", ">>a\n- > a\n\n", "+\na|b\n-|-\n"),
    *("*_", "*🎉", "*>", "~~*", "*🎉~", "🎉*\n*]*", "~*~*[#1 🎉&🎉", "@\n- "),
    *("*\u200d", "* * a\n1. a\n", "* * a\n> a\n", "~~a~~ 🎉 "),
    *("`a", "``a`", "    a\n", "\ta\n", "&amp;", "{", "\u2028", "\0"),
)

BLOCK: Final = 16


def _repeated(unit: str) -> Callable[[int], str]:
    return lambda length: (unit * (length // len(unit) + 1))[:length]


def _growing_runs(length: int) -> str:
    return " ".join("`" * count for count in range(1, length))[:length]


def _nested_list(length: int) -> str:
    return "".join(" " * (2 * depth) + "- a\n" for depth in range(length // 4))[:length]


def _lazy_lines_in_deep_quote(length: int) -> str:
    return ("> " * BLOCK + "a\n" + "b\n" * length)[:length]


def _lazy_lines_in_deep_list(length: int) -> str:
    deep = "".join(" " * (2 * depth) + "- a\n" for depth in range(BLOCK - 4))
    return (deep + "b\n" * length)[:length]


def _deep_quotes(length: int) -> str:
    return ((">" * BLOCK + "a\n") * length)[:length]


def _code_in_deep_quote(length: int) -> str:
    return (">" * 15 + "```\n" + (">" * 15 + "x\n") * length)[:length]


def _wide_table(length: int) -> str:
    return ("|a" * 60 + "|\n" + "|-" * 60 + "|\n" + "|\n" * length)[:length]


def _stars_without_partner(length: int) -> str:
    return "*a " * (length // 6) + "**x" * (length // 6)


def _strikes_without_partner(length: int) -> str:
    return "*a " * (length // 6) + "~~x" * (length // 6)


def _parentheses(length: int) -> str:
    return "[a]" + "(" * (length // 2) + ")" * (length // 2)


def _nested_targets(length: int) -> str:
    return "[a](javascript:" * (length // 16) + ")" * (length // 16)


def _spaces(length: int) -> str:
    return (
        "# a"
        + " " * (length // 3)
        + "b\n```"
        + " " * (length // 3)
        + "`\n[a]("
        + " " * (length // 3)
    )


def _code_of_slashes(length: int) -> str:
    return "```c\n" + ("//" * 490 + "\n") * (length // 981)


def _code_of_blank_lines(length: int) -> str:
    return "```rust\n" + "/*" + "\n" * length


SHAPES: Final[dict[str, Callable[[int], str]]] = {
    **{repr(unit): _repeated(unit) for unit in UNITS},
    **{
        shape.__name__.strip("_"): shape
        for shape in (
            _growing_runs,
            _nested_list,
            _lazy_lines_in_deep_quote,
            _lazy_lines_in_deep_list,
            _deep_quotes,
            _code_in_deep_quote,
            _wide_table,
            _stars_without_partner,
            _strikes_without_partner,
            _parentheses,
            _nested_targets,
            _spaces,
            _code_of_slashes,
            _code_of_blank_lines,
        )
    },
}
"""Name and generator, which takes the number of characters."""
