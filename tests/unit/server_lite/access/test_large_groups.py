"""Groups in many others, and in the settings of many channels: changes that cost the same with more of them."""

from pathlib import Path

import pytest

from server_lite.actions.channels import NewChannel, create_channel
from server_lite.actions.user_groups import create, fill
from server_lite.actions.users import create_user
from server_lite.ids import UserId
from server_lite.store.database import Database, Tx
from server_lite.store.user_groups import GroupRow
from server_lite.store.users import Role, UserRow
from tests.call_counter import calls


def _group(tx: Tx, owner: UserRow, name: str, subgroups: list[int]) -> GroupRow:
    return create(
        tx, owner, name=name, description="", members=[], subgroups=subgroups, group_settings={}
    )


def _found(tx: Tx, groups: int, channels: int) -> tuple[list[UserRow], GroupRow]:
    """Return two administrators, a member and a guest, and one of the groups of which all channels may be joined."""
    people = [
        create_user(tx, email=f"p{n}@x.de", full_name=f"P {n}", role=role, password=None)
        for n, role in enumerate((Role.OWNER, Role.ADMINISTRATOR, Role.MEMBER, Role.GUEST))
    ]
    inner = [_group(tx, people[0], f"inner {n}", []) for n in range(groups)]
    top = _group(tx, people[0], "top", [one.id for one in inner])
    opened = NewChannel(invite_only=True, group_settings={"can_subscribe_group": top.id})
    for n in range(channels):
        create_channel(tx, people[0], name=f"c {n}", options=opened)
    return people, inner[0]


def _add(tx: Tx, group: GroupRow, people: list[UserRow]) -> frozenset[UserId]:
    ids = [one.id for one in people]
    fill(tx, group, add=ids, remove=[], add_groups=[], remove_groups=[])
    return frozenset(tx.ended_queues)


def test_a_channel_more_that_a_group_opens_is_not_asked_who_sees_it(tmp_path: Path) -> None:
    """With 5,000 groups in the settings of 480 channels, one new member held all others for 23 seconds."""

    def count(channels: int) -> int:
        database = Database(tmp_path / f"{channels}.db")
        people, group = database.write_now(lambda tx: _found(tx, 3, channels))
        number = calls(lambda: database.write_now(lambda tx: _add(tx, group, people)))
        database.close()
        return number

    assert count(32) - count(23) < 9 * 25  # its row is read


@pytest.mark.parametrize(("channels", "ends"), [(3, False), (21, True)])
def test_who_gains_many_channels_by_a_group_registers_again(
    tmp_path: Path, channels: int, ends: bool
) -> None:
    """Administrators see all channels before, and guests see none after."""
    database = Database(tmp_path / "x.db")
    people, group = database.write_now(lambda tx: _found(tx, 1, channels))
    ended = database.write_now(lambda tx: _add(tx, group, people))
    database.close()
    assert ended == ({people[2].id} if ends else set())
