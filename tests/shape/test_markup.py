"""No text of a person is ever read as markup: the calls that would are not in the code."""

import ast

from tests.shape.sources import called, calls, modules, nodes

SWITCHED_OFF_BY_MARKUP = {"notify", "Static", "Label", "Button", "OptionList", "Checkbox", "Option"}
"""Textual's calls that read a bare string as markup unless told not to."""


def test_nothing_is_made_from_markup() -> None:
    """`from_markup` and `escape` are not used: the second can be got around."""
    used = [
        f"{name}:{call.lineno}"
        for name, tree in modules("tui")
        for call in calls(tree)
        if called(call) in ("from_markup", "from_text", "escape")
    ]
    assert used == []


def test_a_string_in_a_variable_is_wrapped_before_it_is_shown() -> None:
    """What is not a literal reaches a widget as Content, or with markup off."""
    makers = _makers_of_content()
    bare = [
        f"{name}:{call.lineno} {called(call)}"
        for name, tree in modules("tui")
        for call in calls(tree)
        if called(call) in SWITCHED_OFF_BY_MARKUP and call.args and not _is_inert(call, makers)
    ]
    assert bare == []


def _makers_of_content() -> set[str]:
    """Names of functions that say they return Content, which mypy holds them to."""
    return {
        node.name
        for _, tree in modules("tui")
        for node in nodes(tree)
        if isinstance(node, ast.FunctionDef)
        and isinstance(node.returns, ast.Name)
        and node.returns.id == "Content"
    }


def _is_inert(call: ast.Call, makers: set[str]) -> bool:
    first = call.args[0]
    if any(keyword.arg == "markup" for keyword in call.keywords):
        return True
    if isinstance(first, ast.Constant):
        return True
    return isinstance(first, ast.Call) and called(first) in {"Content", "styled", *makers}
