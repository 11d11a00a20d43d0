"""Code playgrounds: kept by administrators. Thin."""

import re
from typing import Annotated

from typing_extensions import TypedDict

from server_lite.access.roles import check_admin
from server_lite.actions import playgrounds as actions
from server_lite.api.answers import Done
from server_lite.api.decoding import MaxLength, NotBlank
from server_lite.errors import ApiError
from server_lite.markup import url_templates
from server_lite.store import playgrounds
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

MAX_PLAYGROUNDS = 200
_LANGUAGE = re.compile(r"[A-Za-z0-9_+#. -]+")


class Created(TypedDict):
    """The new one's id."""

    id: int


def create(
    tx: Tx,
    user: UserRow,
    *,
    name: Annotated[str, NotBlank(), MaxLength(40)],
    pygments_language: Annotated[str, NotBlank(), MaxLength(40)],
    url_template: Annotated[str, MaxLength(2048)],
) -> Created:
    """Name a place where code of a language can be tried."""
    check_admin(user)
    name, language = name.strip(), pygments_language.strip()
    if not _LANGUAGE.fullmatch(language):
        raise ApiError("Invalid characters in pygments language")
    there = playgrounds.everything(tx)
    wrong = _wrong_with(url_template)
    if any((one.name, one.pygments_language) == (name, language) for one in there):
        wrong.append("Realm playground with this Realm, Pygments language and Name already exists.")
    if wrong:
        raise ApiError(wrong[0], errors={"__all__": wrong})
    if len(there) >= MAX_PLAYGROUNDS:
        raise ApiError(f"An organization can have at most {MAX_PLAYGROUNDS} playgrounds.")
    made = actions.create(tx, name=name, pygments_language=language, url_template=url_template)
    return {"id": made}


def _wrong_with(template: str) -> list[str]:
    """What keeps the template from being used, in a sentence; nothing where it can be."""
    try:
        wanted = url_templates.variables(template)
    except url_templates.BadTemplate:
        return ["Invalid URL template."]
    if "code" not in wanted:
        return ['Missing the required variable "code" in the URL template']
    if wanted != {"code"}:
        return ['"code" should be the only variable present in the URL template']
    if not template.startswith(("http://", "https://")):
        return ["Invalid URL template."]
    return []


def delete(tx: Tx, user: UserRow, playground_id: int) -> Done:
    """Remove a playground."""
    check_admin(user)
    actions.delete(tx, playground_id)
    return {}
