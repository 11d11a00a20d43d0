"""CircleCI: a completed workflow or job, or a test ping."""

from collections.abc import Mapping
from typing import Final

from server_lite.integrations.integration import Delivery, Integration, Posted, Unsupported
from server_lite.integrations.payload import Payload
from server_lite.integrations.signatures import in_header
from server_lite.markup.untrusted_text import code, link, plain

_RESULTS: Final[Mapping[str, str]] = {
    "success": ":check:",
    "failed": ":cross_mark:",
    "error": ":cross_mark:",
    "canceled": ":prohibited:",
    "unauthorized": ":prohibited:",
}
_EVENTS: Final = ("workflow-completed", "job-completed", "ping")


def _post(delivery: Delivery) -> Posted:
    payload = delivery.payload
    event = payload.text("type")
    if event == "ping":
        return Posted(event=event, topic="CircleCI", content="Webhook of CircleCI is set up.")
    if event not in _EVENTS:
        raise Unsupported(event)
    noun = event.removesuffix("-completed")
    row = payload.at(noun)
    status = row.text("status")
    project = payload.text("project", "name")
    url = payload.maybe_text("workflow", "url")
    number = payload.maybe_word("pipeline", "number")
    run = f" of pipeline #{plain(number)}" if number else ""
    sentence = f"{_RESULTS.get(status, ':warning:')} {noun.capitalize()}"
    sentence += f" {link(row.text('name'), url)}{run}"
    commit, branch = _source(payload.maybe("pipeline"))
    return Posted(
        event=event,
        topic=f"{project} / {branch}" if branch else project,
        content=f"{sentence}{commit}: {plain(status)}.",
    )


def _source(pipeline: Payload) -> tuple[str, str]:
    """Return what was built, and on which branch or tag; its place depends on the code host."""
    vcs = pipeline.maybe("vcs")
    branch = vcs.maybe_text("branch") or vcs.maybe_text("tag")
    revision = vcs.maybe_text("revision")
    subject = vcs.maybe_text("commit", "subject")
    if not branch:
        git = pipeline.maybe("trigger_parameters", "git")
        branch = git.maybe_text("branch") or git.maybe_text("tag")
        revision = git.maybe_text("checkout_sha")
        subject = git.maybe_text("commit_message").partition("\n")[0]
    commit = f" at {code(revision[:10])}" if revision else ""
    return f"{commit} ({plain(subject)})" if subject else commit, branch


CIRCLECI: Final = Integration(
    name="circleci",
    display_name="CircleCI",
    post=_post,
    events=_EVENTS,
    verify=in_header("circleci-signature", "v1="),
    delivery_id=lambda delivery: delivery.payload.maybe_text("id"),
)
