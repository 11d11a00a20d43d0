"""The effect of a linkifier on an example, in a sentence, while it is being edited. Sanitized; pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from tui.api.organization import Linkifier
from tui.content.sanitize import sanitize_line
from tui.view import url_templates
from tui.view.patterns import Trial

_REVERSE: Final = re.compile(r"(?P<brace>\{\{|\}\})|\{(?P<name>[A-Za-z_]\w*)\}|(?P<bad>[{}])", re.A)


def label(linkifier: Linkifier) -> str:
    """Return the pattern."""
    return sanitize_line(linkifier.pattern)


def detail(linkifier: Linkifier) -> str:
    """Return the URL template, with a sign if links are turned back into text."""
    back = "  ⇄" if linkifier.reverse_template else ""
    return f"→ {sanitize_line(linkifier.url_template)}{back}"


def explained(
    trial: Trial, *, example: str, url_template: str, reverse: str, alternatives: Sequence[str]
) -> str:
    """Return the example's link and the way back, or what is inconsistent."""
    problem = _problem(trial, example, url_template)
    if problem:
        return sanitize_line(problem)
    lines = [f"{trial.matched} → {url_templates.expand(url_template, trial.groups)}"]
    lines += [f"also from {url_templates.expand(each, trial.groups)}" for each in alternatives]
    if reverse:
        lines.append(_back(reverse, trial.groups, example))
    return "\n".join(sanitize_line(each) for each in lines)


def made_back(template: str, groups: Mapping[str, str | None]) -> str | None:
    """Return the text that a reverse template makes of the groups; None if it names unknown groups."""
    names = {part["name"] for part in _REVERSE.finditer(template) if part["name"]}
    if names - groups.keys():
        return None
    return _REVERSE.sub(
        lambda part: groups[part["name"]] or "" if part["name"] else part[0][0], template
    )


def _problem(trial: Trial, example: str, url_template: str) -> str:
    if not example:
        return "Enter an example, e.g. #123, to preview the link."
    if trial.error:
        return f"Cannot be tried: {trial.error}."
    if trial.matched is None:
        return "The pattern does not match the example."
    if trial.matched != example:
        return f"The pattern matches only {trial.matched}; it must match the whole example."
    names = url_templates.variables(url_template)
    if names is None:
        return "The link's braces do not match."
    if missing := sorted(names - trial.groups.keys()):
        return f"The link needs {{{missing[0]}}}, and the pattern has no (?P<{missing[0]}>…)."
    if unused := sorted(trial.groups.keys() - names):
        return f"The pattern's group {unused[0]} is not in the link."
    return ""


def _back(template: str, groups: Mapping[str, str | None], example: str) -> str:
    """Return whether the template restores the example, as a sentence."""
    names = set()
    for part in _REVERSE.finditer(template):
        if part["bad"]:
            return "Reverse template: the braces do not match."
        if part["name"]:
            names.add(part["name"])
    if missing := sorted(names - groups.keys()):
        return f"Reverse template: the pattern has no group {missing[0]}."
    original = made_back(template, groups)
    return (
        f"reverse: {original} ✓" if original == example else f"reverse: {original}, not the example"
    )
