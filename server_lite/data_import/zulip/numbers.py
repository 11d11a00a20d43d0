"""Maps IDs of accounts, groups and recipients in an export to those here. Reads only."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from server_lite.data_import.zulip import rows
from server_lite.data_import.zulip.dump import Dump
from server_lite.dataclass import dataclass
from server_lite.errors import StartError
from server_lite.ids import ChannelId
from server_lite.store.user_groups import NAMES, GroupSetting
from server_lite.store.users import NOTIFICATION_BOT

PROFILES: Final = ("zerver_userprofile", "zerver_userprofile_mirrordummy")
FIRST_GROUP: Final = 100
"""Lower IDs are those of the system groups."""


@dataclass(frozen=True, slots=True)
class Destination:
    """The destination of a message: a channel, or these people and its sender."""

    channel: ChannelId | None = None
    people: Sequence[int] = ()


class Numbers:
    """IDs in the export -> IDs here, unchanged where possible."""

    def __init__(self, dump: Dump) -> None:
        self._dump = dump
        self._people = self._of_people()
        self._accounts = {
            here: there for there, here in self._people.items() if here != NOTIFICATION_BOT
        }
        self._groups, self._anonymous = self._of_groups()
        self._places = self._of_recipients()

    # People

    def _of_people(self) -> dict[int, int]:
        numbers = [row.id for table in PROFILES for row in self._dump.rows(table, rows.Profile)]
        free = max(numbers, default=1) + 1
        ids: dict[int, int] = {}
        for bot in self._dump.rows("zerver_userprofile_crossrealm", rows.SystemBot):
            ids[bot.id] = NOTIFICATION_BOT
        for number in numbers:
            ids[number] = number
            if number <= NOTIFICATION_BOT:
                ids[number] = free
                free += 1
        return ids

    def person(self, number: int, where: str) -> int:
        """Return an account's ID; raises StartError if it does not exist."""
        person_id = self._people.get(number)
        if person_id is None:
            raise StartError(f"{where} names an unknown person, {number}.")
        return person_id

    def perhaps(self, number: int | None) -> int | None:
        """Return an account's ID; None if unknown, or the server's own bot."""
        person_id = None if number is None else self._people.get(number)
        return None if person_id == NOTIFICATION_BOT else person_id

    def account(self, person: int) -> int:
        """Return the ID in the export of an account that is not a system bot."""
        return self._accounts.get(person, person)

    # Groups

    def _of_groups(self) -> tuple[dict[int, int], dict[int, dict[str, list[int]]]]:
        names: dict[int, str] = {}
        anonymous: dict[int, dict[str, list[int]]] = {}
        for named in self._dump.rows("zerver_namedusergroup", rows.NamedGroup):
            names[named.usergroup_ptr] = named.name
        for group in self._dump.rows("zerver_usergroup", rows.Group):
            if group.name is not None:
                names[group.id] = group.name
            elif group.id not in names:
                anonymous[group.id] = {"direct_members": [], "direct_subgroups": []}
        named_ids = [number for number, name in names.items() if name not in NAMES]
        more = FIRST_GROUP if any(number < FIRST_GROUP for number in named_ids) else 0
        ids = {number: int(NAMES[name]) for number, name in names.items() if name in NAMES}
        ids |= {number: number + more for number in named_ids}
        for one in self._dump.rows("zerver_usergroupmembership", rows.GroupMember):
            if one.user_group in anonymous and one.user_profile in self._people:
                anonymous[one.user_group]["direct_members"].append(self._people[one.user_profile])
        for pair in self._dump.rows("zerver_groupgroupmembership", rows.GroupInGroup):
            if pair.supergroup in anonymous and pair.subgroup in ids:
                anonymous[pair.supergroup]["direct_subgroups"].append(ids[pair.subgroup])
        return ids, anonymous

    def group(self, number: int) -> int | None:
        """Return the ID of a named group."""
        return self._groups.get(number)

    def holders(self, number: object) -> GroupSetting | None:
        """Return the holders of a permission, by the ID in a column; None if that is no group."""
        if not isinstance(number, int):
            return None
        return self._groups.get(number) or self._anonymous.get(number)

    # Recipients

    def _of_recipients(self) -> dict[int, Destination]:
        places: dict[int, Destination] = {}
        groups = set[int]()
        for where, row in self._dump.table("zerver_recipient", rows.Recipient):
            if row.type == 1:
                places[row.id] = Destination(people=[self.person(row.type_id, where)])
            elif row.type == 2:
                places[row.id] = Destination(channel=ChannelId(row.type_id))
            else:
                groups.add(row.id)
        members: dict[int, list[int]] = defaultdict(list)
        for where, one in self._dump.table("zerver_subscription", rows.Subscription):
            if one.recipient in groups:
                members[one.recipient].append(self.person(one.user_profile, where))
        for number in groups:
            places[number] = Destination(people=sorted(set(members[number])))
        for bot in self._dump.rows("zerver_userprofile_crossrealm", rows.SystemBot):
            if bot.recipient_id is not None:
                places.setdefault(bot.recipient_id, Destination(people=[NOTIFICATION_BOT]))
        return places

    def place(self, recipient: int, where: str) -> Destination:
        """Return the destination of messages to a recipient; raises StartError if it does not exist."""
        place = self._places.get(recipient)
        if place is None:
            raise StartError(f"{where} names an unknown recipient, {recipient}.")
        return place

    def people_of(self, place: Destination, sender: int) -> list[int]:
        """Return the participants of a direct message, the sender included."""
        return sorted({sender, *place.people})
