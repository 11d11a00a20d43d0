"""Events: user groups are made, changed, closed, and filled. No I/O.

Clients without `include_deactivated_groups` know no closed groups: they see one go, and come back.
"""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload
from server_lite.ids import UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupAdded(Event[None]):
    """There is a new group, as a UserGroup object."""

    type = "user_group"
    op = "add"
    group: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(group=self.group)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupUpdated(Event[None]):
    """What changed of a group; `is_deactivated` is its state now."""

    type = "user_group"
    op = "update"
    group_id: int
    data: Object
    is_deactivated: bool = False

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        if self.is_deactivated and not shape.include_deactivated_groups:
            return None
        return self.told(group_id=self.group_id, data=self.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupDeactivated(Event[None]):
    """A group was closed."""

    type = "user_group"
    op = "remove"
    group_id: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        if shape.include_deactivated_groups:
            data = {"deactivated": True}
            return {"type": self.type, "op": "update", "group_id": self.group_id, "data": data}
        return self.told(group_id=self.group_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupReactivated(Event[None]):
    """A closed group was opened again; `group` is the whole UserGroup object."""

    type = "user_group"
    op = "reactivate"
    group: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        if shape.include_deactivated_groups:
            data = {"deactivated": False}
            group_id = self.group["id"]
            return {"type": self.type, "op": "update", "group_id": group_id, "data": data}
        return {"type": self.type, "op": "add", "group": self.group}


@dataclass(frozen=True, slots=True, kw_only=True)
class MembersAdded(Event[None]):
    """People are listed by a group from now on."""

    type = "user_group"
    op = "add_members"
    group_id: int
    user_ids: list[UserId]
    is_deactivated: bool = False
    """The group is closed: who does not know closed groups is told when it is opened."""

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        if self.is_deactivated and not shape.include_deactivated_groups:
            return None
        return self.told(group_id=self.group_id, user_ids=self.user_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class MembersRemoved(Event[None]):
    """People are listed by a group no longer."""

    type = "user_group"
    op = "remove_members"
    group_id: int
    user_ids: list[UserId]
    is_deactivated: bool = False

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        if self.is_deactivated and not shape.include_deactivated_groups:
            return None
        return self.told(group_id=self.group_id, user_ids=self.user_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubgroupsAdded(Event[None]):
    """A group contains others from now on."""

    type = "user_group"
    op = "add_subgroups"
    group_id: int
    subgroup_ids: list[int]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(group_id=self.group_id, direct_subgroup_ids=self.subgroup_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubgroupsRemoved(Event[None]):
    """A group contains others no longer."""

    type = "user_group"
    op = "remove_subgroups"
    group_id: int
    subgroup_ids: list[int]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(group_id=self.group_id, direct_subgroup_ids=self.subgroup_ids)
