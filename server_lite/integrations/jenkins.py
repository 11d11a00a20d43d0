"""Jenkins with its Notification plugin: a build is started, completed, finalized."""

from collections.abc import Mapping
from typing import Final

from server_lite.integrations.integration import Delivery, Integration, Posted, Unsupported
from server_lite.markup.untrusted_text import code, link, plain

_RESULTS: Final[Mapping[str, str]] = {
    "SUCCESS": ":check:",
    "FAILURE": ":cross_mark:",
    "UNSTABLE": ":warning:",
    "ABORTED": ":prohibited:",
    "NOT_BUILT": ":prohibited:",
}
_PHASES: Final = ("started", "completed")
"""Other phases repeat the result: "finalized" follows each "completed"."""


def _post(delivery: Delivery) -> Posted:
    payload = delivery.payload
    build = payload.at("build")
    phase = build.text("phase").lower()
    if phase not in _PHASES:
        raise Unsupported(phase)
    name = payload.maybe_text("display_name") or payload.text("name")
    build_link = link(f"{name} #{build.number('number')}", build.maybe_text("full_url"))
    branch = build.maybe_text("scm", "branch")
    commit = build.maybe_text("scm", "commit")
    where = f" on {code(branch)}" if branch else ""
    where += f" at {code(commit[:10])}" if commit else ""
    if phase == "started":
        return Posted(event=phase, topic=name, content=f"Build {build_link}{where} started.")
    status = build.text("status")
    sign = _RESULTS.get(status, ":warning:")
    result = plain(status.replace("_", " ").lower())
    return Posted(event=phase, topic=name, content=f"{sign} Build {build_link}{where}: {result}.")


JENKINS: Final = Integration(name="jenkins", display_name="Jenkins", post=_post, events=_PHASES)
