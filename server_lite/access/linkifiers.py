"""Validates linkifiers. Reads only; raises ApiError with the reason."""

from typing import Final

from server_lite.errors import ApiError
from server_lite.markup import linkifiers as rules
from server_lite.markup import reverse_templates, url_templates
from server_lite.markup.lookup import Linkifier
from server_lite.store import linkifiers
from server_lite.store.connection import Db
from server_lite.store.linkifiers import LinkifierForm, LinkifierRow

MAX_LINKIFIERS: Final = 50
"""Limit of linkifiers, since all of them are matched against every message."""
MAX_ALTERNATIVES: Final = 100
MAX_TEXT: Final = 2048
"""Limit of characters in a template or example."""


def access_linkifier(db: Db, linkifier_id: int) -> LinkifierRow:
    """Return the linkifier; all users may see all of them."""
    linkifier = linkifiers.by_id(db, linkifier_id)
    if linkifier is None:
        raise ApiError("Linkifier not found.")
    return linkifier


def check_linkifier(db: Db, form: LinkifierForm, *, other_than: int = 0) -> None:
    """Raise unless pattern, templates and example are consistent, and the pattern is new."""
    try:
        rules.check(Linkifier(pattern=form.pattern, url_template=form.url_template))
        groups = frozenset(rules.compiled(form.pattern).groupindex)
        for template in form.alternative_url_templates:
            _check_alternative(template, groups)
        if form.reverse_template is not None:
            reverse_templates.check(form.pattern, form.example_input, form.reverse_template)
        elif form.example_input is not None:
            reverse_templates.check_example(form.pattern, form.example_input)
    except rules.BadLinkifier as error:
        raise ApiError(str(error), errors={error.field: [str(error)]}) from error
    except reverse_templates.BadReverseTemplate as error:
        raise ApiError(str(error), errors={"__all__": [str(error)]}) from error
    existing = linkifiers.everything(db)
    if any(one.pattern == form.pattern and one.id != other_than for one in existing):
        raise ApiError("A linkifier with this pattern already exists.")
    if not other_than and len(existing) >= MAX_LINKIFIERS:
        raise ApiError(f"An organization can have at most {MAX_LINKIFIERS} linkifiers.")


def _check_alternative(template: str, groups: frozenset[str]) -> None:
    try:
        names = url_templates.variables(template)
    except url_templates.BadTemplate as error:
        raise rules.BadLinkifier("Invalid alternative URL template.") from error
    if not rules.may_lead(template):
        raise rules.BadLinkifier("Invalid alternative URL template.")
    if extra := sorted(names - groups):
        raise rules.BadLinkifier(
            f"Group {extra[0]!r} in alternative URL template is not present in linkifier pattern."
        )
