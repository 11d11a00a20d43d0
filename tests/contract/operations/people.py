"""Operations on users: accounts, roles, bots, groups, presence, statuses, mutes."""

from typing import Any

from tests.contract.in_memory_server import Person
from tests.contract.operations.base import Details, operation

GROUP_PERMISSIONS = (
    "can_mention_group",
    "can_manage_group",
    "can_join_group",
    "can_leave_group",
    "can_add_members_group",
    "can_remove_members_group",
)


GENERIC = 1
"""The only type of bot that has event queues."""


@operation
async def make_user(me: Person, details: Details) -> object:
    name = details.name()
    email = f"{details.below(1000)}@example.com"
    answer = await me.post("users", email=email, password="correct horse", full_name=name)
    if answer["status"] == 200 and len(me.town.people) < 9:
        me.town.add(name, email, answer["user_id"])
    return answer


@operation
async def change_role(me: Person, details: Details) -> object:
    role = details.of((400, 600, 300, 200, 100))
    return await me.patch(f"users/{details.user()}", role=role)


@operation
async def rename_user(me: Person, details: Details) -> object:
    return await me.patch(f"users/{details.user()}", full_name=details.name())


@operation
async def change_address(me: Person, details: Details) -> object:
    email = f"{details.below(1000)}@example.com"
    return await me.patch(f"users/{details.user()}", new_email=email)


@operation
async def deactivate_user(me: Person, details: Details) -> object:
    return await me.delete(f"users/{details.user()}")


@operation
async def reactivate_user(me: Person, details: Details) -> object:
    user_id = me.town.one("SELECT id FROM user WHERE NOT is_active", details.below(5))
    answer = await me.post(f"users/{user_id or 999}/reactivate")
    me.town.give_keys_back()
    return answer


@operation
async def leave_organization(me: Person, details: Details) -> object:
    """Deactivate the account; rarely, or nobody would be left."""
    return await me.delete("users/me") if details.below(4) == 3 else None


@operation
async def make_bot(me: Person, details: Details) -> object:
    number = details.below(1000)
    kind = details.of((GENERIC, 2, 3))
    answer = await me.post(
        "bots",
        full_name=details.name(),
        short_name=f"bot{number}",
        bot_type=kind,
        payload_url="https://bot.example" if kind == 3 else None,
    )
    if answer["status"] == 200 and kind == GENERIC and len(me.town.people) < 9:
        user_id = answer["user_id"]
        email = me.town.app.database.reader.value("SELECT email FROM user WHERE id = ?", user_id)
        me.town.add(f"bot{number}", email, user_id)
    return answer


def _bot(details: Details) -> int:
    town = details.town
    bots = "SELECT id FROM user WHERE bot_type IS NOT NULL AND is_active AND id > 1"
    return town.one(bots, details.below(5)) or 999


@operation
async def change_bot(me: Person, details: Details) -> object:
    asked: dict[str, Any] = details.of(
        (
            {"full_name": details.name()},
            {"role": details.of((400, 600))},
        )
    )
    return await me.patch(f"bots/{_bot(details)}", **asked)


@operation
async def give_bot_away(me: Person, details: Details) -> object:
    return await me.patch(f"bots/{_bot(details)}", bot_owner_id=details.user())


@operation
async def let_bot_hear(me: Person, details: Details) -> object:
    return await me.patch(f"bots/{_bot(details)}", default_all_public_streams=details.yes())


@operation
async def deactivate_bot(me: Person, details: Details) -> object:
    return await me.delete(f"bots/{_bot(details)}")


@operation
async def new_key_of_bot(me: Person, details: Details) -> object:
    """Regenerate the key of a bot that is not used here: its own key would become invalid."""
    playing = {person.id for person in me.town.people}
    bot = _bot(details)
    return None if bot in playing else await me.post(f"bots/{bot}/api_key/regenerate")


@operation
async def mute_user(me: Person, details: Details) -> object:
    verb = details.of(("POST", "DELETE"))
    return await me.ask(verb, f"users/me/muted_users/{details.user()}", {})


@operation
async def be_present(me: Person, details: Details) -> object:
    return await me.post(
        "users/me/presence",
        status=details.of(("active", "idle")),
        new_user_input=details.yes(),
        last_update_id=details.of((-1, None)),
    )


@operation
async def say_status(me: Person, details: Details) -> object:
    asked: dict[str, Any] = details.of(
        (
            {"status_text": details.words()[:60]},
            {"status_text": ""},
            {"emoji_name": details.of(("wave", "octopus", ""))},
            {"status_text": "away", "emoji_name": "wave"},
            {"away": details.yes()},
        )
    )
    if details.below(4) == 3:
        return await me.post(f"users/{details.user()}/status", **asked)
    return await me.post("users/me/status", **asked)


@operation
async def make_group(me: Person, details: Details) -> object:
    permissions = {details.of(GROUP_PERMISSIONS): details.who_may()} if details.yes() else {}
    return await me.post(
        "user_groups/create",
        name=details.name(),
        description=details.words()[:100],
        members=details.users(),
        subgroups=[details.group()] if details.yes() else None,
        **permissions,
    )


@operation
async def change_group(me: Person, details: Details) -> object:
    asked: dict[str, Any] = details.of(
        (
            {"name": details.name()},
            {"description": details.words()[:100]},
            {details.of(GROUP_PERMISSIONS): {"new": details.who_may()}},
            {"deactivated": True},
        )
    )
    return await me.patch(f"user_groups/{details.group()}", **asked)


@operation
async def reactivate_group(me: Person, details: Details) -> object:
    closed = me.town.one("SELECT id FROM user_group WHERE deactivated", details.below(4))
    return await me.patch(f"user_groups/{closed or details.group()}", deactivated=False)


@operation
async def change_members(me: Person, details: Details) -> object:
    return await me.post(
        f"user_groups/{details.group()}/members",
        add=details.users() if details.yes() else None,
        delete=details.users() if details.yes() else None,
    )


@operation
async def change_subgroups(me: Person, details: Details) -> object:
    return await me.post(f"user_groups/{details.group()}/subgroups", add=[details.group()])


@operation
async def take_subgroup_out(me: Person, details: Details) -> object:
    number = details.below(4)
    group = me.town.one("SELECT group_id FROM user_group_subgroup", number)
    part = me.town.one("SELECT subgroup_id FROM user_group_subgroup", number)
    return await me.post(f"user_groups/{group or 999}/subgroups", delete=[part or 999])


@operation
async def deactivate_group(me: Person, details: Details) -> object:
    return await me.post(f"user_groups/{details.group()}/deactivate")


@operation
async def invite(me: Person, details: Details) -> object:
    return await me.post(
        "invites",
        invitee_emails=f"new{details.below(50)}@example.com",
        invite_as=details.of((400, 600)),
        stream_ids=[details.channel()],
        invite_expires_in_minutes=details.of((10, "null")),
    )


@operation
async def invite_many(me: Person, details: Details) -> object:
    return await me.post(
        "invites/multiuse", invite_as=details.of((400, 600)), stream_ids=[details.channel()]
    )
