"""Converts clients' requests as a full server of a feature level accepts them. Answers nothing itself.

Raises Refused with the server's own words.
"""

import json
from typing import Any, Final

from tests.full_server.levels import levels

DATES_SINCE: Final = 445
MESSAGES_BY_ID_SINCE: Final = 300

GONE: Final = {"DELETE /user_groups/{user_group_id}": 294}
"""Endpoints that existed only before a level."""

PROVIDERS: Final = {"zoom": 0, "webex": 493, "constructorgroups": 460, "nextcloud_talk": 465}
"""Video call providers of full servers, and the levels that introduced them."""


class Refused(Exception):
    """A refusal: status and JSON, or None for a page."""

    def __init__(self, status: int, body: dict[str, Any] | None) -> None:
        super().__init__(status, body)
        self.status = status
        self.body = body


def bad(message: str, code: str = "BAD_REQUEST", **data: Any) -> Refused:
    return Refused(400, {"result": "error", "msg": message, "code": code, **data})


def check_endpoint(verb: str, path: str, name: str | None, level: int) -> str:
    """Return the requested endpoint, named as in the table; raises a 404 page for a later one."""
    table = levels()
    if name is not None and name.endswith("/calls/{video_provider}/create"):
        if PROVIDERS.get(path.split("/")[1], level + 1) <= level:
            provider = path.split("/")[1]
            raise bad(
                f"Invalid {provider.capitalize()} access token",
                f"INVALID_{provider.upper()}_ACCESS_TOKEN",
            )
        raise Refused(404, None)
    if name is not None and table.has(name, level) and level < GONE.get(name, level + 1):
        return name
    verbs = [
        each.partition(" ")[0]
        for each in table.endpoints
        if name is not None
        and each.partition(" ")[2] == name.partition(" ")[2]
        and table.has(each, level)
    ]
    if verbs:
        words = "Method Not Allowed"
        raise Refused(405, {"result": "error", "msg": words, "allowed_methods": [*verbs, "HEAD"]})
    raise Refused(404, None)


def taken(endpoint: str, form: dict[str, str], level: int) -> tuple[dict[str, str], list[str]]:
    """Return the parameters that the server knows, and the names of those it ignores."""
    ignored = levels().unknown(endpoint, form, level)
    form = {name: value for name, value in form.items() if name not in ignored}
    if levels().endpoints[endpoint][1].since.get("read_by_sender", 0) > level:
        # Messages are read by their sender only if the server knows the client by name.
        form["read_by_sender"] = "false"
    match endpoint:
        case "GET /messages":
            if "message_ids" not in form and "num_before" not in form:
                name = "num_before"
                raise bad(f"Missing '{name}' argument", "REQUEST_VARIABLE_MISSING", var_name=name)
            if form.get("anchor") == "date" and level < DATES_SINCE:
                raise bad("Invalid anchor")
            _check_narrow(form, level)
        case "POST /messages/flags/narrow" | "GET /messages/matches_narrow":
            _check_narrow(form, level)
        case "POST /messages":
            if not levels().message_types.known(form.get("type", ""), level):
                raise bad("Invalid type")
            form["content"] = form.get("content", "").strip()
        case "POST /drafts":
            drafts = json.loads(form.get("drafts", "[]"))
            form["drafts"] = json.dumps([_stripped(draft) for draft in drafts])
        case "PATCH /drafts/{draft_id}":
            form["draft"] = json.dumps(_stripped(json.loads(form.get("draft", "{}"))))
        case "POST /register":
            _only_known(form, level)
        case _:
            pass
    return form, ignored


def _stripped(draft: dict[str, Any]) -> dict[str, Any]:
    return draft | {"content": draft.get("content", "").strip()}


def _check_narrow(form: dict[str, str], level: int) -> None:
    table = levels()
    for term in json.loads(form.get("narrow") or "[]"):
        operator, operand = (
            term[:2]
            if isinstance(term, list)
            else (
                term["operator"],
                term["operand"],
            )
        )
        if not table.operators.known(operator, level):
            reason = "unknown operator"
        elif operator in table.operands and not table.operands[operator].known(operand, level):
            reason = f"unknown '{operator}' operand {operand}"
        else:
            continue
        raise bad(f"Invalid narrow operator: {reason}", "BAD_NARROW", desc=reason)


def _only_known(form: dict[str, str], level: int) -> None:
    """Silently drop capabilities and event types that came later."""
    table = levels()
    given = json.loads(form.get("client_capabilities", "{}"))
    known = {name: on for name, on in given.items() if table.capabilities.known(name, level)}
    form["client_capabilities"] = json.dumps(known)
    late = {name.partition("/")[0] for name, since in table.events.items() if since > level}
    late -= {"realm_user", "realm_emoji", "saved_snippets"}
    for kinds in ("event_types", "fetch_event_types"):
        if kinds in form:
            wanted = json.loads(form[kinds])
            if wanted is not None:
                form[kinds] = json.dumps([each for each in wanted if each not in late])
