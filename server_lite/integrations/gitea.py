"""Gitea and Forgejo: repositories and organizations. Payloads are similar to GitHub's, but not the same."""

from collections.abc import Mapping
from typing import Final

from server_lite.integrations.git import Change, Commit, Push, changed, paragraphs, pushed
from server_lite.integrations.integration import (
    Delivery,
    Events,
    Integration,
    Posted,
    Unsupported,
    by_event,
)
from server_lite.integrations.payload import Payload
from server_lite.integrations.signatures import in_header
from server_lite.markup.untrusted_text import code, link, plain, quoted

_ACTIONS: Final = frozenset({"opened", "closed", "reopened", "assigned", "unassigned"})
_REVIEWS: Final[Mapping[str, str]] = {
    "pull_request_approved": "approved",
    "pull_request_rejected": "requested changes to",
    "pull_request_comment": "reviewed",
}


def _repository(payload: Payload) -> str:
    return payload.text("repository", "name")


def _sender(payload: Payload) -> str:
    return payload.text("sender", "login")


def _push(delivery: Delivery) -> Posted:
    payload = delivery.payload
    commits = [
        Commit(sha=row.text("id"), message=row.text("message"), url=row.maybe_text("url"))
        for row in payload.rows("commits")
    ]
    total = payload.number("total_commits") if payload.has("total_commits") else 0
    return pushed(
        Push(
            repository=_repository(payload),
            ref=payload.text("ref"),
            who=payload.text("pusher", "login"),
            url=payload.maybe_text("compare_url"),
            before=payload.text("before"),
            after=payload.text("after"),
            commits=commits,
            total=max(total, len(commits)),
        )
    )


def _issue(delivery: Delivery) -> Posted:
    return _acted(delivery, "issues", "issue", delivery.payload.at("issue"))


def _pull_request(delivery: Delivery) -> Posted:
    return _acted(delivery, "pull_request", "PR", delivery.payload.at("pull_request"))


def _acted(delivery: Delivery, event: str, noun: str, row: Payload) -> Posted:
    payload = delivery.payload
    action = payload.text("action")
    if action not in _ACTIONS:
        raise Unsupported(f"{event}:{action}")
    more = ""
    if noun == "PR" and action == "opened":
        more = f" from {code(row.text('head', 'ref'))} to {code(row.text('base', 'ref'))}"
    elif action == "assigned" and row.has("assignee"):
        more = f" to {plain(row.text('assignee', 'login'))}"
    return changed(
        Change(
            event=event,
            repository=_repository(payload),
            noun=noun,
            number=_number(payload, row),
            title=row.text("title"),
            url=row.text("html_url"),
            who=_sender(payload),
            did="merged" if action == "closed" and row.flag("merged") else action,
            more=more,
            body=row.maybe_text("body") if action == "opened" else "",
        )
    )


def _number(payload: Payload, row: Payload) -> int:
    return row.number("number") if row.has("number") else payload.number("number")


def _comment(delivery: Delivery) -> Posted:
    payload = delivery.payload
    action, row = payload.text("action"), payload.at("issue")
    if action != "created":
        raise Unsupported(f"issue_comment:{action}")
    is_pull = payload.flag("is_pull") or row.has("pull_request")
    return changed(
        Change(
            event="issue_comment",
            repository=_repository(payload),
            noun="PR" if is_pull else "issue",
            number=row.number("number"),
            title=row.text("title"),
            url=payload.text("comment", "html_url"),
            who=_sender(payload),
            did="commented on",
            body=payload.text("comment", "body"),
        )
    )


def _review(delivery: Delivery) -> Posted:
    """Format a review: its kind is in the header; the text is in `review`, which is null for other events."""
    payload = delivery.payload
    event = _event(delivery)
    row = payload.at("pull_request")
    return changed(
        Change(
            event=event,
            repository=_repository(payload),
            noun="PR",
            number=_number(payload, row),
            title=row.text("title"),
            url=row.text("html_url"),
            who=_sender(payload),
            did=_REVIEWS[event],
            body=payload.maybe_text("review", "content"),
        )
    )


def _release(delivery: Delivery) -> Posted:
    payload = delivery.payload
    action, row = payload.text("action"), payload.at("release")
    if action != "published":
        raise Unsupported(f"release:{action}")
    release = link(row.maybe_text("name") or row.text("tag_name"), row.maybe_text("html_url"))
    return Posted(
        event="release",
        topic=_repository(payload),
        content=paragraphs(
            f"{plain(_sender(payload))} published release {release}.",
            quoted(row.maybe_text("body")),
        ),
    )


def _wiki(delivery: Delivery) -> Posted:
    payload = delivery.payload
    action = payload.text("action")
    if action not in ("created", "edited", "deleted"):
        raise Unsupported(f"wiki:{action}")
    return Posted(
        event="wiki",
        topic=f"{_repository(payload)} / wiki pages",
        content=f"{plain(_sender(payload))} {action} wiki page {code(payload.text('page'))}.",
    )


def _workflow(delivery: Delivery) -> Posted:
    payload = delivery.payload
    run = payload.at("workflow_run")
    if payload.text("action") != "completed":
        raise Unsupported(f"workflow_run:{payload.text('action')}")
    name = run.maybe_text("display_title") or run.maybe_text("name") or "run"
    conclusion = run.text("conclusion")
    sign = {"success": ":check:", "failure": ":cross_mark:"}.get(conclusion, ":warning:")
    branch = run.maybe_text("head_branch")
    where = f" on {code(branch)}" if branch else ""
    topic = f"{_repository(payload)} / {branch}" if branch else _repository(payload)
    return Posted(
        event="workflow_run",
        topic=topic,
        content=f"{sign} Workflow {link(name, run.maybe_text('html_url'))}{where}:"
        f" {plain(conclusion)}.",
    )


_EVENTS: Final[Events] = {
    "push": _push,
    "issues": _issue,
    "issue_assign": _issue,
    "issue_comment": _comment,
    "pull_request": _pull_request,
    "pull_request_assign": _pull_request,
    **dict.fromkeys(_REVIEWS, _review),
    "release": _release,
    "wiki": _wiki,
    "workflow_run": _workflow,
}


def _event(delivery: Delivery) -> str:
    """Return the event's name from the header of either program."""
    headers = delivery.headers
    event = headers.get("x-forgejo-event") or headers.get("x-gitea-event")
    return event or delivery.header("X-Gitea-Event")


def _post(delivery: Delivery) -> Posted:
    event = _event(delivery)
    if event == "pull_request_comment" and delivery.payload.has("issue"):
        event = "issue_comment"
    return by_event(_EVENTS, event, delivery)


GITEA: Final = Integration(
    name="gitea",
    display_name="Gitea or Forgejo",
    post=_post,
    events=(*_EVENTS, "tag_push"),
    verify=in_header("X-Gitea-Signature"),
    delivery_id=lambda delivery: delivery.headers.get("x-gitea-delivery", ""),
    has_branches=True,
)
