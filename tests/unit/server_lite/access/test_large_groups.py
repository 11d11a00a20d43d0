"""Groups in many others, and in the settings of many channels: changes that cost the same with more of them."""

from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from server_lite.access.user_groups import is_in_group_setting, members_of
from server_lite.actions import users as users_actions
from server_lite.actions.channels import NewChannel, create_channel
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.user_groups import create, fill
from server_lite.actions.users import channels_by_audience, create_user, rename, set_role
from server_lite.ids import UserId
from server_lite.store import group_members, user_groups, users
from server_lite.store.database import Database, Tx
from server_lite.store.user_groups import GroupRow, GroupSetting, SystemGroup
from server_lite.store.users import Role, UserRow
from tests.call_counter import calls


class _Undone(Exception):
    """Undoes the changes of an example."""


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


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_kept_members_of_groups_are_those_of_each_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, many: bool
) -> None:
    """They change with each change of a group, a role or an account, and those of an undone change are forgotten."""
    monkeypatch.setattr(group_members, "FEW", 0)
    monkeypatch.setattr(group_members, "MOST_LISTED", 2 if many else 100)
    database, rnd = Database(tmp_path / "x.db"), Random(seed)

    def live(tx: Tx) -> None:
        people = [
            create_user(tx, email=f"p{n}@x.de", full_name=f"P {n}", role=role, password=None)
            for n, role in enumerate([*Role, Role.MEMBER])
        ]
        made = [
            _group(tx, people[0], f"g {n}", [int(rnd.choice([*SystemGroup]))]) for n in range(5)
        ]
        for _ in range(8):
            number = rnd.randrange(5)
            add, remove = (rnd.sample([one.id for one in people], 2) for _ in range(2))
            inner = [one.id for one in rnd.sample(made[:number], number // 2)]
            taken = user_groups.direct_subgroups(tx).get(made[number].id, [])
            fill(
                tx,
                made[number],
                add=sorted({*add} - {*remove}),
                remove=remove,
                add_groups=[one for one in inner if one not in taken],
                remove_groups=[*taken][:1],
            )
            set_role(tx, rnd.choice(people[1:]), rnd.choice([*Role]))
            people = [one for person in people if (one := users.by_id(tx, person.id))]
            asked = [one.id for one in rnd.sample(made, 2)]
            both: GroupSetting = {"direct_members": [people[1].id], "direct_subgroups": asked}
            for value in (asked[0], both):
                held = {one.id for one in people if is_in_group_setting(tx, one, value)}
                assert members_of(tx, value) == held
        raise _Undone

    for _ in range(2):
        with suppress(_Undone):
            database.write_now(live)
    database.close()


def test_who_sees_hundreds_of_channels_gets_one_event_about_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By receivers, the channels of a closed account are those that each of them sees, and no receiver is in two events."""
    database = Database(tmp_path / "x.db")

    def found(tx: Tx) -> UserRow:
        people, _ = _found(tx, 1, 0)
        for n in range(12):
            member = create_user(
                tx, email=f"q{n}@x.de", full_name="Q", role=Role.MEMBER, password=None
            )
            inner.append(_group(tx, people[0], f"h {n}", [one.id for one in inner[-2:]]))
            fill(tx, inner[-1], add=[member.id], remove=[], add_groups=[], remove_groups=[])
            opened = NewChannel(
                invite_only=True, group_settings={"can_subscribe_group": inner[-1].id}
            )
            subscribe(tx, [create_channel(tx, None, name=f"d {n}", options=opened)], [people[2]])
        return people[2]

    def seen(tx: Tx) -> dict[UserId, list[int]]:
        channels_by_user: dict[UserId, list[int]] = {}
        events = 0
        for audience, together in channels_by_audience(tx, user).items():
            for user_id in audience - {user.id}:
                channels_by_user.setdefault(user_id, []).extend(together.ids)
                events += 1
        counts.append(events)
        return {user_id: sorted(ids) for user_id, ids in channels_by_user.items()}

    inner: list[GroupRow] = []
    counts: list[int] = []
    user = database.write_now(found)
    by_audience = database.write_now(seen)
    monkeypatch.setattr(users_actions, "AUDIENCES", 2)
    monkeypatch.setattr(users_actions, "EVENT", 1)
    database.write_now(lambda tx: rename(tx, user, "Other"))  # nothing is kept
    assert database.write_now(seen) == by_audience
    database.close()
    assert counts[1] == len(by_audience) < counts[0]
