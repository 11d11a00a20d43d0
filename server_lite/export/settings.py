"""The organization's objects beside users, channels, messages, as records of the plain form. Reads only."""

from collections.abc import Iterator

import orjson

from server_lite.export import format as form
from server_lite.export.format import Record
from server_lite.store import domains, linkifiers, playgrounds, profile_fields
from server_lite.store.connection import Db


def organization_records(db: Db) -> Iterator[Record]:
    """Yield domains, linkifiers, playgrounds and profile fields, in their order."""
    for domain in domains.everything(db):
        yield form.Domain(name=domain.domain, allow_subdomains=domain.allow_subdomains)
    for linkifier in linkifiers.everything(db):
        yield form.Linkifier(
            pattern=linkifier.pattern,
            url_template=linkifier.url_template,
            example=linkifier.example_input,
            reverse_template=linkifier.reverse_template,
            alternative_url_templates=list(linkifier.alternative_url_templates),
        )
    for playground in playgrounds.everything(db):
        yield form.Playground(
            name=playground.name,
            language=playground.pygments_language,
            url_template=playground.url_template,
        )
    for field in profile_fields.everything(db):
        yield form.ProfileField(
            id=field.id,
            kind=field.type,
            name=field.name,
            hint=field.hint,
            data=orjson.loads(field.field_data) if field.field_data else {},
            in_summary=field.display_in_summary,
            is_required=field.required,
            is_editable=field.editable_by_user,
            is_for_matching=field.use_for_user_matching,
        )
