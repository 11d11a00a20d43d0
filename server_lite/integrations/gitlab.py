"""GitLab: projects and groups. The event's name is in a header, its kind also in the payload."""

from collections.abc import Mapping
from typing import Final

from server_lite.integrations.git import (
    NO_COMMIT,
    Change,
    Commit,
    Push,
    changed,
    paragraphs,
    pushed,
)
from server_lite.integrations.integration import (
    Delivery,
    Events,
    Integration,
    Posted,
    Unsupported,
    by_event,
)
from server_lite.integrations.payload import Payload
from server_lite.integrations.signatures import token_in_header
from server_lite.markup.untrusted_text import code, link, plain, quoted

_ACTIONS: Final[Mapping[str, str]] = {
    "open": "opened",
    "close": "closed",
    "reopen": "reopened",
    "merge": "merged",
    "approved": "approved",
    "unapproved": "withdrew the approval of",
}
"""Other actions repeat earlier ones: "approval" is one of several required, "update" a new label."""
_NOUNS: Final[Mapping[str, tuple[str, str]]] = {
    "MergeRequest": ("merge_request", "MR"),
    "Issue": ("issue", "issue"),
}
_SIGNS: Final[Mapping[str, str]] = {
    "success": ":check:",
    "failed": ":cross_mark:",
    "canceled": ":prohibited:",
}


def _project(payload: Payload) -> str:
    return payload.text("project", "name")


def _push(delivery: Delivery) -> Posted:
    payload = delivery.payload
    before, after = payload.text("before"), payload.text("after")
    web = payload.maybe_text("project", "web_url")
    is_between = web and NO_COMMIT not in (before, after)
    commits = [
        Commit(sha=row.text("id"), message=row.text("message"), url=row.maybe_text("url"))
        for row in payload.rows("commits")
    ]
    total = payload.number("total_commits_count") if payload.has("total_commits_count") else 0
    return pushed(
        Push(
            repository=_project(payload),
            ref=payload.text("ref"),
            who=payload.text("user_name"),
            url=f"{web}/-/compare/{before}...{after}" if is_between else "",
            before=before,
            after=after,
            commits=commits,
            total=max(total, len(commits)),
        )
    )


def _issue(delivery: Delivery) -> Posted:
    return _acted(delivery, "issue", "issue")


def _merge_request(delivery: Delivery) -> Posted:
    return _acted(delivery, "merge_request", "MR")


def _acted(delivery: Delivery, event: str, noun: str) -> Posted:
    payload = delivery.payload
    row = payload.at("object_attributes")
    action = row.maybe_text("action")
    if action not in _ACTIONS:
        raise Unsupported(f"{event}:{action}")
    more = ""
    if noun == "MR" and action == "open":
        more = f" from {code(row.text('source_branch'))} to {code(row.text('target_branch'))}"
    return changed(
        Change(
            event=event,
            repository=_project(payload),
            noun=noun,
            number=row.number("iid"),
            title=row.text("title"),
            url=row.text("url"),
            who=payload.text("user", "name"),
            did=_ACTIONS[action],
            more=more,
            body=row.maybe_text("description") if action == "open" else "",
        )
    )


def _note(delivery: Delivery) -> Posted:
    payload = delivery.payload
    note = payload.at("object_attributes")
    kind = note.text("noteable_type")
    if kind in _NOUNS:
        field, noun = _NOUNS[kind]
        row = payload.at(field)
        return changed(
            Change(
                event="note",
                repository=_project(payload),
                noun=noun,
                number=row.number("iid"),
                title=row.text("title"),
                url=note.text("url"),
                who=payload.text("user", "name"),
                did="commented on",
                body=note.text("note"),
            )
        )
    if kind not in ("Commit", "Snippet"):
        raise Unsupported(f"note:{kind}")
    where = link(f"a {kind.lower()}", note.text("url"))
    return Posted(
        event="note",
        topic=_project(payload),
        content=paragraphs(
            f"{plain(payload.text('user', 'name'))} commented on {where}",
            quoted(note.text("note")),
        ),
    )


def _pipeline(delivery: Delivery) -> Posted:
    payload = delivery.payload
    row = payload.at("object_attributes")
    status = row.text("status")
    if status not in _SIGNS:
        raise Unsupported(f"pipeline:{status}")
    url = row.maybe_text("url")
    if not url and (web := payload.maybe_text("project", "web_url")):
        url = f"{web}/-/pipelines/{row.number('id')}"
    failed = [one.text("name") for one in payload.rows("builds") if one.text("status") == "failed"]
    jobs = f" Failed jobs: {', '.join(map(code, failed))}." if failed else ""
    pipeline = link(f"Pipeline #{row.number('id')}", url)
    ref = row.text("ref")
    return Posted(
        event="pipeline",
        topic=f"{_project(payload)} / {ref}",
        content=f"{_SIGNS[status]} {pipeline} on {code(ref)}: {plain(status)}.{jobs}",
    )


def _job(delivery: Delivery) -> Posted:
    payload = delivery.payload
    status = payload.text("build_status")
    if status not in _SIGNS:
        raise Unsupported(f"build:{status}")
    name, ref = payload.text("build_name"), payload.text("ref")
    project = payload.maybe_text("project", "name") or payload.text("project_name")
    return Posted(
        event="build",
        topic=f"{project} / {ref}",
        content=f"{_SIGNS[status]} Job {code(name)} on {code(ref)}: {plain(status)}.",
    )


def _release(delivery: Delivery) -> Posted:
    payload = delivery.payload
    action = payload.text("action")
    if action not in ("create", "update", "delete"):
        raise Unsupported(f"release:{action}")
    release = link(payload.text("name"), payload.maybe_text("url"))
    body = payload.maybe_text("description") if action == "create" else ""
    sentence = f"Release {release} was {action.removesuffix('e')}ed."
    return Posted(
        event="release", topic=_project(payload), content=paragraphs(sentence, quoted(body))
    )


def _wiki(delivery: Delivery) -> Posted:
    payload = delivery.payload
    row = payload.at("object_attributes")
    action = row.text("action")
    if action not in ("create", "update", "delete"):
        raise Unsupported(f"wiki_page:{action}")
    page = link(row.text("title"), "" if action == "delete" else row.text("url"))
    who = plain(payload.text("user", "name"))
    return Posted(
        event="wiki_page",
        topic=f"{_project(payload)} / wiki pages",
        content=f"{who} {action.removesuffix('e')}ed wiki page {page}.",
    )


def _deployment(delivery: Delivery) -> Posted:
    payload = delivery.payload
    status = payload.text("status")
    if status not in _SIGNS:
        raise Unsupported(f"deployment:{status}")
    deployment = link("Deployment", payload.maybe_text("deployable_url"))
    where = plain(payload.text("environment"))
    return Posted(
        event="deployment",
        topic=_project(payload),
        content=f"{_SIGNS[status]} {deployment} to {where}: {plain(status)}.",
    )


_EVENTS: Final[Events] = {
    "push": _push,
    "tag_push": _push,
    "issue": _issue,
    "merge_request": _merge_request,
    "note": _note,
    "pipeline": _pipeline,
    "build": _job,
    "release": _release,
    "wiki_page": _wiki,
    "deployment": _deployment,
}


def _post(delivery: Delivery) -> Posted:
    payload = delivery.payload
    if not payload.has("object_kind"):  # system events; GitLab disables hooks that are refused
        raise Unsupported(payload.maybe_text("event_name"))
    return by_event(_EVENTS, payload.text("object_kind"), delivery)


GITLAB: Final = Integration(
    name="gitlab",
    display_name="GitLab",
    post=_post,
    events=tuple(_EVENTS),
    verify=token_in_header("X-Gitlab-Token"),
    has_branches=True,
)
