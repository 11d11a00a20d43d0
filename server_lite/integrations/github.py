"""GitHub: repositories and organizations. The event's name is in a header.

Created and deleted tags and branches are also pushes, so only those are shown.
"""

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

_SILENT: Final = frozenset({"synchronize", "labeled", "unlabeled", "edited", "pinned", "unpinned"})
"""Actions on issues and pull requests that would only repeat earlier messages of the topic."""
_VERBS: Final[Mapping[str, tuple[str, str]]] = {
    "ready_for_review": ("marked", " as ready for review"),
    "converted_to_draft": ("converted", " to a draft"),
    "review_requested": ("requested a review of", ""),
    "review_request_removed": ("withdrew a request to review", ""),
    "auto_merge_enabled": ("enabled auto-merge of", ""),
    "auto_merge_disabled": ("disabled auto-merge of", ""),
    "enqueued": ("added", " to the merge queue"),
    "dequeued": ("removed", " from the merge queue"),
    "milestoned": ("added", " to a milestone"),
    "demilestoned": ("removed", " from its milestone"),
}


def repository(payload: Payload) -> str:
    """Return its name, which topics start with."""
    return payload.text("repository", "name")


def sender(payload: Payload) -> str:
    """Return the acting user."""
    return payload.text("sender", "login")


def _push(delivery: Delivery) -> Posted:
    payload = delivery.payload
    commits = [
        Commit(sha=row.text("id"), message=row.text("message"), url=row.maybe_text("url"))
        for row in payload.rows("commits")
    ]
    return pushed(
        Push(
            repository=repository(payload),
            ref=payload.text("ref"),
            who=payload.text("pusher", "name"),
            url=payload.maybe_text("compare"),
            before=payload.text("before"),
            after=payload.text("after"),
            commits=commits,
            total=payload.count("commits"),
            forced=payload.flag("forced"),
        )
    )


def _issue(delivery: Delivery) -> Posted:
    return _acted(delivery, "issues", "issue", delivery.payload.at("issue"))


def _pull_request(delivery: Delivery) -> Posted:
    payload = delivery.payload
    row = payload.at("pull_request")
    if payload.text("action") == "closed" and row.flag("merged"):
        return _acted(delivery, "pull_request", "PR", row, did="merged")
    return _acted(delivery, "pull_request", "PR", row)


def _acted(delivery: Delivery, event: str, noun: str, row: Payload, did: str = "") -> Posted:
    payload = delivery.payload
    action = payload.text("action")
    if action in _SILENT:
        raise Unsupported(f"{event}:{action}")
    verb, more = _VERBS.get(action, (plain(action.replace("_", " ")), ""))
    if noun == "PR" and action == "opened":
        more = f" from {code(row.text('head', 'ref'))} to {code(row.text('base', 'ref'))}"
    elif action in ("assigned", "unassigned") and payload.has("assignee"):
        preposition = "to" if action == "assigned" else "from"
        more = f" {preposition} {plain(payload.text('assignee', 'login'))}"
    elif action == "review_requested" and payload.has("requested_reviewer"):
        more = f" from {plain(payload.text('requested_reviewer', 'login'))}"
    return changed(
        Change(
            event=event,
            repository=repository(payload),
            noun=noun,
            number=row.number("number"),
            title=row.text("title"),
            url=row.text("html_url"),
            who=sender(payload),
            did=did or verb,
            more=more,
            body=row.maybe_text("body") if action in ("opened", "created") else "",
        )
    )


def _commented(
    delivery: Delivery, event: str, noun: str, row: Payload, *, comment: str, on: str = ""
) -> Posted:
    """Format a new, edited or deleted comment; `on` is its place in the object."""
    payload = delivery.payload
    action = payload.text("action")
    if action not in ("created", "edited", "deleted"):
        raise Unsupported(f"{event}:{action}")
    verbs = {"created": "commented on", "edited": "edited a comment on"}
    url = payload.text(comment, "html_url")
    return changed(
        Change(
            event=event,
            repository=repository(payload),
            noun=noun,
            number=row.number("number"),
            title=row.text("title"),
            url=row.text("html_url") if action == "deleted" else url,
            who=sender(payload),
            did=verbs.get(action, "deleted a comment on"),
            more=on,
            body="" if action == "deleted" else payload.maybe_text(comment, "body"),
        )
    )


def _issue_comment(delivery: Delivery) -> Posted:
    row = delivery.payload.at("issue")
    noun = "PR" if row.has("pull_request") else "issue"
    return _commented(delivery, "issue_comment", noun, row, comment="comment")


def _review_comment(delivery: Delivery) -> Posted:
    payload = delivery.payload
    where = f" in {code(payload.text('comment', 'path'))}"
    row = payload.at("pull_request")
    event = "pull_request_review_comment"
    return _commented(delivery, event, "PR", row, comment="comment", on=where)


def _review(delivery: Delivery) -> Posted:
    payload = delivery.payload
    verbs = {
        "approved": "approved",
        "changes_requested": "requested changes to",
        "commented": "reviewed",
    }
    action, state = payload.text("action"), payload.text("review", "state").lower()
    if action != "submitted" or state not in verbs:
        raise Unsupported(f"pull_request_review:{action}")
    row = payload.at("pull_request")
    return changed(
        Change(
            event="pull_request_review",
            repository=repository(payload),
            noun="PR",
            number=row.number("number"),
            title=row.text("title"),
            url=payload.text("review", "html_url"),
            who=sender(payload),
            did=verbs[state],
            body=payload.maybe_text("review", "body"),
        )
    )


def _commit_comment(delivery: Delivery) -> Posted:
    payload = delivery.payload
    comment = payload.at("comment")
    commit = link(f"commit {comment.text('commit_id')[:10]}", comment.text("html_url"))
    return Posted(
        event="commit_comment",
        topic=repository(payload),
        content=paragraphs(
            f"{plain(sender(payload))} commented on {commit}", quoted(comment.text("body"))
        ),
    )


def _discussion(delivery: Delivery) -> Posted:
    return _acted(delivery, "discussion", "discussion", delivery.payload.at("discussion"))


def _discussion_comment(delivery: Delivery) -> Posted:
    row = delivery.payload.at("discussion")
    return _commented(delivery, "discussion_comment", "discussion", row, comment="comment")


def _release(delivery: Delivery) -> Posted:
    payload = delivery.payload
    action, row = payload.text("action"), payload.at("release")
    if action != "published":  # the same release is also "created" and "released"
        raise Unsupported(f"release:{action}")
    name = row.maybe_text("name") or row.text("tag_name")
    kind = "pre-release" if row.flag("prerelease") else "release"
    sentence = f"{plain(sender(payload))} published {kind} {link(name, row.text('html_url'))}."
    return Posted(
        event="release",
        topic=repository(payload),
        content=paragraphs(sentence, quoted(row.maybe_text("body"))),
    )


def _fork(delivery: Delivery) -> Posted:
    payload = delivery.payload
    fork = link(payload.text("forkee", "full_name"), payload.text("forkee", "html_url"))
    sentence = f"{plain(sender(payload))} forked this repository to {fork}."
    return Posted(event="fork", topic=repository(payload), content=sentence)


def _star(delivery: Delivery) -> Posted:
    payload = delivery.payload
    if payload.text("action") != "created":
        raise Unsupported(f"star:{payload.text('action')}")
    repository_link = link(
        payload.text("repository", "full_name"), payload.text("repository", "html_url")
    )
    sentence = f"{plain(sender(payload))} starred {repository_link}."
    return Posted(event="star", topic=repository(payload), content=sentence)


def _workflow(delivery: Delivery) -> Posted:
    payload = delivery.payload
    run = payload.at("workflow_run")
    if payload.text("action") != "completed":
        raise Unsupported(f"workflow_run:{payload.text('action')}")
    name = link(f"{run.text('name')} #{run.number('run_number')}", run.text("html_url"))
    conclusion = run.text("conclusion")
    sign = {"success": ":check:", "failure": ":cross_mark:"}.get(conclusion, ":warning:")
    branch = run.maybe_text("head_branch")
    where = f" on {code(branch)}" if branch else ""
    sentence = f"{sign} Workflow {name}{where}: {plain(conclusion.replace('_', ' '))}."
    topic = f"{repository(payload)} / {branch}" if branch else repository(payload)
    return Posted(event="workflow_run", topic=topic, content=sentence)


def _deployment(delivery: Delivery) -> Posted:
    payload = delivery.payload
    status = payload.at("deployment_status")
    environment = plain(payload.text("deployment", "environment"))
    url = status.maybe_text("log_url") or status.maybe_text("target_url")
    sentence = f"{link('Deployment', url)} to {environment}: {plain(status.text('state'))}."
    return Posted(event="deployment_status", topic=repository(payload), content=sentence)


def _ping(delivery: Delivery) -> Posted:
    payload = delivery.payload
    whose = payload.maybe_text("repository", "full_name")
    whose = whose or payload.maybe_text("organization", "login") or "GitHub"
    topic = payload.maybe_text("repository", "name") or "GitHub"
    return Posted(event="ping", topic=topic, content=f"Webhook of {plain(whose)} is set up.")


_EVENTS: Final[Events] = {
    "ping": _ping,
    "push": _push,
    "issues": _issue,
    "issue_comment": _issue_comment,
    "pull_request": _pull_request,
    "pull_request_review": _review,
    "pull_request_review_comment": _review_comment,
    "commit_comment": _commit_comment,
    "discussion": _discussion,
    "discussion_comment": _discussion_comment,
    "release": _release,
    "workflow_run": _workflow,
    "deployment_status": _deployment,
    "fork": _fork,
    "star": _star,
}


def _post(delivery: Delivery) -> Posted:
    return by_event(_EVENTS, delivery.header("X-GitHub-Event"), delivery)


GITHUB: Final = Integration(
    name="github",
    display_name="GitHub",
    post=_post,
    events=(*_EVENTS, "tag_push"),
    verify=in_header("X-Hub-Signature-256", "sha256="),
    delivery_id=lambda delivery: delivery.headers.get("x-github-delivery", ""),
    has_branches=True,
)
