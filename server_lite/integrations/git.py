"""Sentences and topics common to all Git hosts. Pure."""

from collections.abc import Sequence
from typing import Final

from server_lite.dataclass import dataclass
from server_lite.integrations.integration import Posted
from server_lite.markup.untrusted_text import code, link, plain, quoted

COMMITS_SHOWN: Final = 20
_SHORT: Final = 10
NO_COMMIT: Final = "0" * 40
"""Stands for the commit before a branch was created, and after it was deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit of a push."""

    sha: str
    message: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """A push to a branch or a tag; `total` counts all commits."""

    repository: str
    ref: str
    who: str
    url: str
    before: str
    after: str
    commits: Sequence[Commit]
    total: int
    forced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """An action on an issue, a pull request or the like; `noun` is "PR", "issue" …"""

    event: str
    repository: str
    noun: str
    number: int
    title: str
    url: str
    who: str
    did: str
    """A verb in the past tense, with any words before the noun: "commented on"."""
    more: str = ""
    """Text after the noun, as Markdown: " from `fix` to `main`"."""
    body: str = ""
    """A comment or a description, as written."""


def paragraphs(*parts: str) -> str:
    """Return the nonempty parts, with blank lines between."""
    return "\n\n".join(part for part in parts if part)


def topic(repository: str, noun: str, number: int | str, title: str) -> str:
    """Return `web / PR #12 Fix the login`; the edge truncates it."""
    return f"{repository} / {noun} #{number} {title}"


def changed(change: Change) -> Posted:
    """Return `Ada opened [PR #12](…): Fix the login`, and the text in a quote."""
    what = link(f"{change.noun} #{change.number}", change.url)
    sentence = f"{plain(change.who)} {change.did} {what}{change.more}: {plain(change.title)}"
    return Posted(
        event=change.event,
        topic=topic(change.repository, change.noun, change.number, change.title),
        content=paragraphs(sentence, quoted(change.body)),
    )


def pushed(push: Push) -> Posted:
    """Return who pushed to which branch, with the commits, newest last."""
    tag = push.ref.removeprefix("refs/tags/")
    if tag != push.ref:
        did = "deleted" if push.after == NO_COMMIT else "pushed"
        text = f"{plain(push.who)} {did} tag {code(tag)}."
        return Posted(event="tag_push", topic=push.repository, content=text)
    branch = push.ref.removeprefix("refs/heads/")
    if push.after == NO_COMMIT:
        sentence = f"{plain(push.who)} deleted branch {code(branch)}."
    else:
        did = "created" if push.before == NO_COMMIT else "pushed to"
        did = "force-pushed to" if push.forced else did
        count = f" ({push.total} {'commit' if push.total == 1 else 'commits'})"
        where = link(branch, push.url) if push.url else code(branch)
        sentence = f"{plain(push.who)} {did} branch {where}{count if push.total else ''}."
    return Posted(
        event="push",
        topic=f"{push.repository} / {branch}",
        content=paragraphs(sentence, _listed(push.commits, push.total)),
        branch=branch,
    )


def _listed(commits: Sequence[Commit], total: int) -> str:
    lines = [
        f"* {plain(commit.message.partition(chr(10))[0])} ({link(commit.sha[:_SHORT], commit.url)})"
        for commit in commits[:COMMITS_SHOWN]
    ]
    more = total - len(lines)
    return "\n".join([*lines, *([f"* … and {more} more"] if lines and more > 0 else [])])
