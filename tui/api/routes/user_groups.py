"""User groups: creating and changing them. No state, no retries."""

from collections.abc import Mapping, Sequence

from tui.api.connection import Connection
from tui.api.model import GroupSetting, UserGroup, UserGroupId, UserId
from tui.api.routes.channels import GroupChange


async def fetch(connection: Connection, *, include_deactivated: bool) -> tuple[UserGroup, ...]:
    """GET /user_groups."""
    answer = await connection.get(
        "/user_groups", {"include_deactivated_groups": include_deactivated}
    )
    return answer.read("user_groups", tuple[UserGroup, ...])


async def create(
    connection: Connection,
    *,
    name: str,
    description: str,
    members: Sequence[UserId],
    subgroups: Sequence[UserGroupId],
    groups: Mapping[str, GroupSetting],
) -> UserGroupId | None:
    """POST /user_groups/create; `groups` are `UserGroup`'s `can_…_group`.

    Older servers do not return the new ID: it comes with the event.
    """
    answer = await connection.post(
        "/user_groups/create",
        {
            "name": name,
            "description": description,
            "members": members,
            "subgroups": subgroups or None,
            **groups,
        },
    )
    return UserGroupId(answer.read("group_id", int)) if "group_id" in answer.data else None


async def update(
    connection: Connection,
    *,
    group_id: UserGroupId,
    name: str | None,
    description: str | None,
    deactivated: bool | None,
    groups: Mapping[str, GroupChange],
) -> None:
    """PATCH /user_groups/{id}: None keeps a value. Code: EXPECTATION_MISMATCH."""
    await connection.patch(
        f"/user_groups/{group_id}",
        {"name": name, "description": description, "deactivated": deactivated, **groups},
    )


async def deactivate(connection: Connection, *, group_id: UserGroupId) -> None:
    """POST /user_groups/{id}/deactivate. ApiRefused code: CANNOT_DEACTIVATE_GROUP_IN_USE."""
    await connection.post(f"/user_groups/{group_id}/deactivate", {})


async def delete(connection: Connection, *, group_id: UserGroupId) -> None:
    """DELETE /user_groups/{id}: the permanent deletion of servers before level 290."""
    await connection.delete(f"/user_groups/{group_id}", {})


async def list_members(
    connection: Connection, *, group_id: UserGroupId, direct_only: bool
) -> frozenset[UserId]:
    """GET /user_groups/{id}/members: return them, with those of subgroups unless `direct_only`."""
    answer = await connection.get(
        f"/user_groups/{group_id}/members", {"direct_member_only": direct_only}
    )
    return answer.read("members", frozenset[UserId])


async def is_member(
    connection: Connection, *, group_id: UserGroupId, user_id: UserId, direct_only: bool
) -> bool:
    """GET /user_groups/{id}/members/{id}."""
    answer = await connection.get(
        f"/user_groups/{group_id}/members/{user_id}", {"direct_member_only": direct_only}
    )
    return answer.read("is_user_group_member", bool)


async def list_subgroups(
    connection: Connection, *, group_id: UserGroupId, direct_only: bool
) -> frozenset[UserGroupId]:
    """GET /user_groups/{id}/subgroups."""
    answer = await connection.get(
        f"/user_groups/{group_id}/subgroups", {"direct_subgroup_only": direct_only}
    )
    return answer.read("subgroups", frozenset[UserGroupId])


async def update_members(
    connection: Connection,
    *,
    group_id: UserGroupId,
    add: Sequence[UserId],
    delete: Sequence[UserId],
    add_subgroups: Sequence[UserGroupId],
    delete_subgroups: Sequence[UserGroupId],
) -> None:
    """POST /user_groups/{id}/members (subgroups since level 311). A request without a change is refused."""
    await connection.post(
        f"/user_groups/{group_id}/members",
        {
            "add": add or None,
            "delete": delete or None,
            "add_subgroups": add_subgroups or None,
            "delete_subgroups": delete_subgroups or None,
        },
    )


async def update_subgroups(
    connection: Connection,
    *,
    group_id: UserGroupId,
    add: Sequence[UserGroupId],
    delete: Sequence[UserGroupId],
) -> None:
    """POST /user_groups/{id}/subgroups."""
    await connection.post(
        f"/user_groups/{group_id}/subgroups", {"add": add or None, "delete": delete or None}
    )
