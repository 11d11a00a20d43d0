"""The organization's settings, linkifiers, playgrounds, domains and profile fields, as rows. Reads only."""

from server_lite.export.zulip import layout
from server_lite.export.zulip.draft import Draft
from server_lite.store import (
    domains,
    linkifiers,
    playgrounds,
    profile_fields,
    realm,
    settings,
    users,
)
from server_lite.store.personal_settings import PERSONAL


def add_organization(draft: Draft) -> None:
    """Write everything beside users, channels and messages."""
    _realm(draft)
    draft.client(layout.CLIENT)
    draft.realm.add("zerver_realmauthenticationmethod", realm=layout.REALM_ID, name="Email")
    _defaults_of_people(draft)
    for domain in domains.everything(draft.db):
        draft.realm.add(
            "zerver_realmdomain",
            realm=layout.REALM_ID,
            domain=domain.domain,
            allow_subdomains=domain.allow_subdomains,
        )
    for order, linkifier in enumerate(linkifiers.everything(draft.db)):
        draft.realm.add(
            "zerver_realmfilter",
            realm=layout.REALM_ID,
            pattern=linkifier.pattern,
            url_template=linkifier.url_template,
            order=order,
        )
        if linkifier.example_input or linkifier.reverse_template:
            draft.leave_out("examples and reverse templates of linkifiers")
    for playground in playgrounds.everything(draft.db):
        draft.realm.add(
            "zerver_realmplayground",
            realm=layout.REALM_ID,
            name=playground.name,
            pygments_language=playground.pygments_language,
            url_template=playground.url_template,
        )
    _profile_fields(draft)


def _realm(draft: Draft) -> None:
    db = draft.db
    everything = realm.all_settings(db)
    stored = settings.stored(db)
    row = {name: everything[name] for name in sorted(layout.ORGANIZATION_SETTINGS)}
    columns = layout.announcement_columns(draft.version)
    for name, column in columns.items():
        row[column] = None if everything[name] == realm.NO_CHANNEL else everything[name]
    row |= _topics_columns(draft, everything["topics_policy"])
    carried = {*layout.ORGANIZATION_SETTINGS, *columns, "name", "topics_policy"}
    if layout.has_groups(draft.version):
        holders = everything["create_multiuse_invite_group"]
        if draft.is_written_group(holders):
            carried.add("create_multiuse_invite_group")
        else:
            holders = int(realm.PERMISSIONS["create_multiuse_invite_group"].default)
        row["create_multiuse_invite_group"] = holders
    draft.realm.add(
        "zerver_realm",
        id=layout.REALM_ID,
        name=everything["name"],
        string_id="chinwag",
        date_created=_date_created(draft),
        deactivated=False,
        **row,
    )
    left = stored.keys() - carried
    draft.leave_out("settings of the organization", len(left & realm.SETTINGS.keys()))
    draft.leave_out("permissions of the organization", len(left & realm.PERMISSIONS.keys()))


def _topics_columns(draft: Draft, policy: str) -> dict[str, object]:
    if layout.has_folders(draft.version):
        return {"topics_policy": 2 if policy == "allow_empty_topic" else 3}
    return {"mandatory_topics": policy != "allow_empty_topic"}


def _date_created(draft: Draft) -> float:
    people = [user.date_joined for user in users.everyone(draft.db) if not user.is_system_bot]
    return min(people, default=0.0)


def _defaults_of_people(draft: Draft) -> None:
    chosen = realm.default_personal_settings(draft.db)
    values = {name: chosen.get(name, PERSONAL[name].default) for name in layout.PERSONAL_SETTINGS}
    draft.realm.add("zerver_realmuserdefault", realm=layout.REALM_ID, **as_columns(values))
    left = len(chosen.keys() - layout.PERSONAL_SETTINGS)
    draft.leave_out("personal settings that are newer than the layout", left)


def as_columns(values: dict[str, object]) -> dict[str, object]:
    """Return personal settings as columns: the clock format is explicit, never the locale's."""
    clock = {"twenty_four_hour_time": bool(values["twenty_four_hour_time"])}
    return {**dict(sorted(values.items())), **clock}


def _profile_fields(draft: Draft) -> None:
    for order, field in enumerate(profile_fields.everything(draft.db), start=1):
        draft.realm.add(
            "zerver_customprofilefield",
            id=field.id,
            realm=layout.REALM_ID,
            name=field.name,
            hint=field.hint,
            order=order,
            field_type=field.type,
            field_data=field.field_data,
            display_in_profile_summary=field.display_in_summary,
        )
        if field.required or not field.editable_by_user or field.use_for_user_matching:
            draft.leave_out("rules of profile fields (required, editable, matching)")
    for field_value in profile_fields.values(draft.db):
        draft.realm.add(
            "zerver_customprofilefieldvalue",
            user_profile=field_value.user_id,
            field=field_value.field_id,
            value=field_value.value,
            rendered_value=field_value.rendered,
        )
