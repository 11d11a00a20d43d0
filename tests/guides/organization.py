"""The organization that pages take for granted: Ann and Ben, and the channels they name."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from server_lite.access.recipients import ChannelRecipient
from server_lite.actions.channels import NewChannel, create_channel
from server_lite.actions.credentials import hash_password
from server_lite.actions.messages import send_message
from server_lite.actions.organization import NewOrganization
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user
from server_lite.config import PasswordCost
from server_lite.maintenance.files import create_organization
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role, UserRow

PASSWORD: Final = "kettle and cup"
OWNER: Final = "ann@example.com"
CONVERSATIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "design": {"colors": "is the kettle red?", "new logo": "a kettle, I think"},
    "ops": {"backups": "none yet"},
    "alerts": {"disk": "the disk is full"},
}


def make_organization(db: Path) -> int:
    """Write a database and its key, with Ann (the owner) and Ben; return the ID of the newest message."""
    newest = 0

    def fill(tx: Tx, ann: UserRow) -> None:
        nonlocal newest
        ben = create_user(
            tx, email="ben@example.com", full_name="Ben", role=Role.MEMBER, password=None
        )
        for name, topics in CONVERSATIONS.items():
            channel = create_channel(tx, ann, name=name, description="", options=NewChannel())
            subscribe(tx, [channel], [ann, ben])
            for topic, text in topics.items():
                to = ChannelRecipient(channel, topic)
                newest = send_message(tx, ben, to, text, client="x").id

    password = hash_password(PasswordCost(time_cost=1, memory_kib=8), PASSWORD)
    owner = NewOrganization(name="Tea", owner_email=OWNER, owner_name="Ann", password=password)
    create_organization(db, owner, fill)
    return newest


def add_person(db: Path, email: str) -> None:
    """Add an account to an organization that no server uses."""
    database = Database(db)
    try:
        database.write_now(
            lambda tx: create_user(
                tx, email=email, full_name="Cleo", role=Role.MEMBER, password=None
            )
        )
    finally:
        database.close()
