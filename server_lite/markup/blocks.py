"""Selects the block rules to try at a line: those that its first character can start. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from markdown_it.parser_block import ParserBlock, RuleFuncBlockType
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock

Rules = tuple[RuleFuncBlockType, ...]

FIRST: Final = {
    "fence": "`~",
    "blockquote": ">",
    "hr": "*-_",
    "list": "*+-0123456789",
    "heading": "#",
}
"""The characters that a rule's block can start with; the other rules are tried at every line."""


class Blocks(ParserBlock):
    """The library's loop over the lines of a text, without calling rules that cannot match."""

    def __init__(
        self,
        rules: Sequence[tuple[str, RuleFuncBlockType]],
        terminates: Mapping[str, Iterable[str]],
    ) -> None:
        """`terminates` lists what a rule's block can interrupt: paragraphs, lazy quotes, lists."""
        self.ruler = Ruler[RuleFuncBlockType]()
        for name, rule in rules:
            self.ruler.push(name, rule)  # the library asks it whether there is indented code
        self._all = _by_character(rules)
        self._ending = {
            chain: _by_character(
                [(name, rule) for name, rule in rules if chain in terminates.get(name, ())]
            )
            for chain in {chain for chains in terminates.values() for chain in chains}
        }

    def ends(self, state: StateBlock, line: int, end: int, chain: str) -> bool:
        """Whether a block that interrupts a paragraph, quote or list starts in this nonblank line."""
        begin = state.bMarks[line] + state.tShift[line]
        first = state.src[begin : begin + 1]
        table = self._ending[chain]
        return any(rule(state, line, end, True) for rule in table.get(first, table[""]))

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:  # noqa: N803  # the library's names
        """Parse the blocks of some lines."""
        line, has_blank = startLine, False
        while line < endLine:
            state.line = line = state.skipEmptyLines(line)
            if line >= endLine or state.sCount[line] < state.blkIndent:
                return
            first = state.src[state.bMarks[line] + state.tShift[line]]
            for rule in self._all.get(first, self._all[""]):
                if rule(state, line, endLine, False):
                    break
            state.tight = not has_blank
            line = state.line
            has_blank |= state.isEmpty(line - 1)  # a paragraph in a list may have consumed it
            if line < endLine and state.isEmpty(line):
                has_blank = True
                line += 1
                state.line = line


def _by_character(rules: Sequence[tuple[str, RuleFuncBlockType]]) -> dict[str, Rules]:
    """Return the rules in their order, by the character at which they are tried; "" is for all others."""
    table = {"": tuple(rule for name, rule in rules if name not in FIRST)}
    for character in "".join(FIRST.values()):
        table[character] = tuple(
            rule for name, rule in rules if character in FIRST.get(name, character)
        )
    return table


def ends(state: StateBlock, line: int, end: int, chain: str) -> bool:
    """Whether such a block starts here, for rules: asks the parser that is running."""
    blocks = state.md.block
    assert isinstance(blocks, Blocks)
    return blocks.ends(state, line, end, chain)
