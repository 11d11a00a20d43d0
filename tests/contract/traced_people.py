"""Steps that change accounts, groups and the organization in a traced town."""

from tests.contract.in_memory_server import Person
from tests.contract.oracle import (
    ADMINISTRATOR,
    GUEST,
    MEMBER,
    MODERATOR,
    OWNER,
    SHOWN_TO,
)
from tests.contract.traced_server import SYSTEM_GROUPS, TracedServer
from tests.contract.traced_steps import does


@does()
async def set_role(at: TracedServer, me: Person) -> None:
    other, role = at.someone(), at.pick((GUEST, MEMBER, MODERATOR, ADMINISTRATOR))
    user = at.user(me)
    if other.owner or other.role == OWNER or role == other.role:
        return
    allowed = at.world.rules(user, other) and at.world.knows(user, other)
    if await at.ask(me, allowed, "PATCH", f"users/{other.id}", role=role):
        other.role = role


@does()
async def close_account(at: TracedServer, me: Person) -> None:
    other, user = at.someone(), at.user(me)
    if other.owner or other.role == OWNER or other.id == me.id or not other.active:
        return
    if await at.ask(me, at.world.rules(user, other), "DELETE", f"users/{other.id}"):
        for one in at.world.users.values():
            if other.id in (one.id, one.owner):
                one.active = False


@does()
async def set_who_may_add(at: TracedServer, me: Person) -> None:
    group = at.pick((ADMINISTRATOR, MODERATOR, MEMBER))
    value = {"new": at.groups[SYSTEM_GROUPS[group]]}
    allowed = at.user(me).is_admin
    if await at.ask(me, allowed, "PATCH", "realm", can_add_subscribers_group=value):
        at.world.may_add_people = group


@does()
async def restrict_guests(at: TracedServer, me: Person) -> None:
    group = at.pick((MEMBER, GUEST))
    if (group == GUEST) == at.world.guests_know_everybody:
        return
    value = {"new": at.groups[SYSTEM_GROUPS[group]]}
    allowed = at.user(me).role == OWNER
    if await at.ask(me, allowed, "PATCH", "realm", can_access_all_users_group=value):
        at.world.guests_know_everybody = group == GUEST


@does()
async def reopen_account(at: TracedServer, me: Person) -> None:
    closed = [one for one in at.world.users.values() if not one.active]
    if not closed:
        return
    other, user = at.pick(closed), at.user(me)
    if await at.ask(me, at.world.rules(user, other), "POST", f"users/{other.id}/reactivate"):
        other.active = True
        if other.owner and not at.world.users[other.owner].active:
            other.owner = me.id
        at.town.give_keys_back()


@does()
async def show_my_address(at: TracedServer, me: Person) -> None:
    user, visibility = at.user(me), at.pick(list(SHOWN_TO))
    allowed = user.owner is None
    if await at.ask(me, allowed, "PATCH", "settings", email_address_visibility=visibility):
        user.visibility = visibility


@does()
async def fill_group(at: TracedServer, me: Person) -> None:
    """Add a user to a group; a member is removed."""
    name, other, user = at.pick(list(at.world.groups)), at.someone(), at.user(me)
    group = at.world.groups[name]
    if not other.active:
        return
    leaves = other.id in group
    allowed = user.role == OWNER or (leaves and other.id == me.id)
    asked = {"delete" if leaves else "add": [other.id]}
    if await at.ask(me, allowed, "POST", f"user_groups/{at.groups[name]}/members", **asked):
        (group.remove if leaves else group.add)(other.id)


@does()
async def open_to_the_web(at: TracedServer, me: Person) -> None:
    """Open the organization to the web, or close it."""
    wanted = not at.world.open_to_web
    allowed = at.user(me).role == OWNER
    if await at.ask(me, allowed, "PATCH", "realm", enable_spectator_access=wanted):
        at.world.open_to_web = wanted
