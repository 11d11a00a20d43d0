"""A user with a new role gets events about what they see now, or registers again if it is much."""

from pathlib import Path

import pytest

from server_lite.actions import users
from server_lite.actions.settings import set_personal
from server_lite.actions.users import create_user, set_role
from server_lite.events.users import UserUpdated
from server_lite.ids import UserId
from server_lite.store.database import Database, Tx
from server_lite.store.personal_settings import Visibility
from server_lite.store.users import Role


@pytest.mark.parametrize(("most", "told", "ended"), [(3, 3, 0), (2, 0, 1)])
def test_a_new_administrator_sees_addresses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, told: int, ended: int
) -> None:
    """Where all 5,000 users hid their addresses, a new role held all others for 120 ms."""
    monkeypatch.setattr(users, "ADDRESSES", most)
    database = Database(tmp_path / "x.db")

    def promote(tx: Tx) -> tuple[set[object], set[UserId]]:
        people = [
            create_user(tx, email=f"p{n}@x.de", full_name=f"P {n}", role=Role.MEMBER, password=None)
            for n in range(5)
        ]
        hiding = {"email_address_visibility": int(Visibility.ADMINISTRATORS)}
        hidden = [set_personal(tx, person, hiding).id for person in people[:3]]
        tx.entries.clear()
        set_role(tx, people[4], Role.ADMINISTRATOR)
        persons = [one.event.person for one in tx.entries if isinstance(one.event, UserUpdated)]
        seen: set[object] = {one["user_id"] for one in persons if "delivery_email" in one}
        assert seen <= {*hidden}
        return seen, set(tx.ended_queues)

    seen, queues = database.write_now(promote)
    database.close()
    assert (len(seen), len(queues)) == (told, ended)
