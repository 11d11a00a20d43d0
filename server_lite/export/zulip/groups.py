"""User groups, system groups included, as rows; or as instructions if the version has none. Reads only."""

from collections.abc import Iterator

from server_lite.export.zulip import layout
from server_lite.export.zulip.draft import Draft
from server_lite.store import user_groups, users
from server_lite.store.user_groups import GroupRow, SystemGroup


def add_groups(draft: Draft) -> None:
    """Write groups with their members and subgroups. Members of system groups follow from roles."""
    everything = user_groups.every(draft.db)
    named_groups = [group for group in everything if not group.is_system]
    if not layout.has_groups(draft.version):
        draft.leave_out("user groups", len(named_groups))
        draft.notes.extend(_described(draft, named_groups))
        return
    for group in everything:
        if group.deactivated:
            draft.leave_out("deactivated user groups")
            continue
        mention = group.settings.get("can_mention_group", _default_mention(group.is_system))
        carried = {"can_mention_group"} if draft.is_written_group(mention) else set[str]()
        draft.realm.add(
            "zerver_usergroup",
            id=group.id,
            realm=layout.REALM_ID,
            name=group.name,
            description=group.description,
            is_system_group=group.is_system,
            can_mention_group=mention if carried else int(SystemGroup.NOBODY),
        )
        draft.leave_out("permissions of user groups", len(group.settings.keys() - carried))
        draft.leave_out("creators of user groups", int(group.creator_id is not None))
    _members(draft)
    for group_id, subgroups in sorted(user_groups.direct_subgroups(draft.db).items()):
        for subgroup_id in subgroups:
            if draft.is_written_group(group_id) and draft.is_written_group(subgroup_id):
                draft.realm.add(
                    "zerver_groupgroupmembership", supergroup=group_id, subgroup=subgroup_id
                )


def _described(draft: Draft, named_groups: list[GroupRow]) -> Iterator[str]:
    """Yield a line for each group: its members, by email address."""
    addresses = {user.id: user.email for user in users.everyone(draft.db)}
    names = {group.id: group.name for group in named_groups}
    people = user_groups.direct_members(draft.db)
    groups = user_groups.direct_subgroups(draft.db)
    for group in named_groups:
        if not group.deactivated:
            inside = [addresses[user_id] for user_id in people.get(group.id, [])]
            inside += [f"group {names[one]}" for one in groups.get(group.id, []) if one in names]
            yield f"User group {group.name}: {', '.join(inside)}"


def _default_mention(is_system: bool) -> int:
    return int(SystemGroup.NOBODY if is_system else SystemGroup.EVERYONE)


def _members(draft: Draft) -> None:
    waiting = user_groups.waiting(draft.db)
    for user in users.everyone(draft.db):
        if not user.is_system_bot:
            for group_id in user_groups.direct_system_groups(user, waiting):
                draft.realm.add(
                    "zerver_usergroupmembership", user_group=group_id, user_profile=user.id
                )
    for group_id, members in sorted(user_groups.direct_members(draft.db).items()):
        for user_id in members if draft.is_written_group(group_id) else ():
            draft.realm.add("zerver_usergroupmembership", user_group=group_id, user_profile=user_id)
