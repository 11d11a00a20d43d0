"""Writes records of the organization's settings, domains, linkifiers … as rows. Sends no events."""

from server_lite.access.domains import check_new_domain
from server_lite.access.linkifiers import check_linkifier
from server_lite.access.playgrounds import check_playground
from server_lite.access.profile_fields import check_field, checked_data
from server_lite.errors import StartError
from server_lite.export import format as form
from server_lite.export.personal_import import checked_settings
from server_lite.store import domains, linkifiers, playgrounds, profile_fields, realm, settings
from server_lite.store.database import Tx
from server_lite.store.domains import DomainRow
from server_lite.store.linkifiers import LinkifierForm
from server_lite.store.profile_fields import FieldForm
from server_lite.store.rows import insert_row as add


def import_organization(tx: Tx, record: form.Organization) -> None:
    """Store settings and permissions; raises StartError for an unknown one, or an invalid value."""
    for name, value in record.settings.items():
        setting = realm.SETTINGS.get(name)
        if setting is None or not fits(setting, value):
            raise StartError(f"the setting {name} is unknown, or its value is invalid")
        settings.store(tx, name, value)
    for name, holders in record.permissions.items():
        if name not in realm.PERMISSIONS:
            raise StartError(f"the permission {name} is unknown")
        settings.store(tx, name, holders)
    if record.personal_defaults:
        settings.store(tx, "personal_defaults", checked_settings(record.personal_defaults))


def fits(setting: realm.RealmSetting, value: object) -> bool:
    """Whether an organization setting accepts the value."""
    if value is None:
        return setting.nullable
    is_right = isinstance(value, setting.type) and isinstance(value, bool) == (setting.type is bool)
    return is_right and setting.accepts(value)


def import_setting(
    tx: Tx, record: form.Domain | form.Linkifier | form.Playground | form.ProfileField
) -> None:
    """Store one object; validated as when an administrator adds it."""
    match record:
        case form.Domain():
            name = check_new_domain(tx, record.name)
            domains.store(tx, DomainRow(name, record.allow_subdomains))
        case form.Linkifier():
            linkifier = LinkifierForm(
                pattern=record.pattern,
                url_template=record.url_template,
                example_input=record.example,
                reverse_template=record.reverse_template,
                alternative_url_templates=tuple(record.alternative_url_templates),
            )
            check_linkifier(tx, linkifier)
            linkifiers.insert(tx, linkifier)
        case form.Playground():
            check_playground(tx, record.name, record.language, record.url_template)
            playgrounds.insert(
                tx,
                name=record.name,
                pygments_language=record.language,
                url_template=record.url_template,
            )
        case form.ProfileField():
            _profile_field(tx, record)


def _profile_field(tx: Tx, record: form.ProfileField) -> None:
    written = FieldForm(
        name=record.name,
        hint=record.hint,
        field_data=checked_data(record.kind, record.data),
        display_in_summary=record.in_summary,
        required=record.is_required,
        editable_by_user=record.is_editable,
        use_for_user_matching=record.is_for_matching,
    )
    check_field(tx, record.kind, written)
    add(
        tx,
        "profile_field",
        id=record.id,
        type=record.kind,
        position=len(profile_fields.everything(tx)) + 1,
        name=written.name,
        hint=written.hint,
        field_data=written.field_data,
        display_in_summary=written.display_in_summary,
        required=written.required,
        editable_by_user=written.editable_by_user,
        use_for_user_matching=written.use_for_user_matching,
    )
