"""Validates code playgrounds. Reads only; raises ApiError with the reason."""

import re
from typing import Final

from server_lite.errors import ApiError
from server_lite.markup import url_templates
from server_lite.store import playgrounds
from server_lite.store.connection import Db

MAX_PLAYGROUNDS: Final = 200
_LANGUAGE: Final = re.compile(r"[A-Za-z0-9_+#. -]+")


def check_playground(db: Db, name: str, language: str, url_template: str) -> None:
    """Raise unless the playground is new, with a valid URL template."""
    if not _LANGUAGE.fullmatch(language):
        raise ApiError("Invalid characters in pygments language")
    there = playgrounds.everything(db)
    wrong = check_template(url_template)
    if any((one.name, one.pygments_language) == (name, language) for one in there):
        wrong.append("Realm playground with this Realm, Pygments language and Name already exists.")
    if wrong:
        raise ApiError(wrong[0], errors={"__all__": wrong})
    if len(there) >= MAX_PLAYGROUNDS:
        raise ApiError(f"An organization can have at most {MAX_PLAYGROUNDS} playgrounds.")


def check_template(template: str) -> list[str]:
    """Return the problems of a URL template, as sentences; empty if it is valid."""
    try:
        names = url_templates.variables(template)
    except url_templates.BadTemplate:
        return ["Invalid URL template."]
    if "code" not in names:
        return ['Missing the required variable "code" in the URL template']
    if names != {"code"}:
        return ['"code" should be the only variable present in the URL template']
    if not template.startswith(("http://", "https://")):
        return ["Invalid URL template."]
    return []
