"""Events about users and groups: accounts, presence, status."""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload, emoji_type
from server_lite.ids import UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class UserAdded(Event[None]):
    """Sent when an account was created. `person` is the User object as visible to these users."""

    type = "realm_user"
    op = "add"
    person: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(person=self.person)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserUpdated(Event[None]):
    """Sent when an account was changed. `person` is its `user_id` and the changed value."""

    type = "realm_user"
    op = "update"
    person: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(person=self.person)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportConsentChanged(Event[None]):
    """Sent to administrators when a user allowed or forbade exporting their private data."""

    type = "realm_export_consent"
    user_id: UserId
    consented: bool

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(user_id=self.user_id, consented=self.consented)


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenUserAdded(Event[None]):
    """Sent to old clients when an account invisible to these users was created."""

    type = "realm_user"
    op = "add_hidden"
    placeholder: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        if shape.user_list_incomplete:
            return None
        return {"type": self.type, "op": "add", "person": self.placeholder}


@dataclass(frozen=True, slots=True, kw_only=True)
class UserRemoved(Event[None]):
    """Sent to guests when a user became invisible; old clients keep a placeholder in their list."""

    type = "realm_user"
    op = "remove"
    user_id: UserId
    placeholder: Object

    @property
    def id_count(self) -> int:
        return 2

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | list[Payload]:
        removed = self.base_payload(
            person={"user_id": self.user_id, "full_name": self.placeholder["full_name"]}
        )
        if shape.user_list_incomplete:
            return removed
        return [removed, {"type": self.type, "op": "add", "person": self.placeholder}]


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceChanged(Event[None]):
    """`email` is the address that the API shows for the user; times in UNIX seconds."""

    type = "presence"
    durable = False
    user_id: UserId
    email: str
    server_timestamp: float
    modern: Object
    website: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        if shape.simplified_presence_events:
            return self.base_payload(presences={str(self.user_id): self.modern})
        fields = {
            "user_id": self.user_id,
            "server_timestamp": self.server_timestamp,
            "presence": {"website": self.website},
        }
        return (
            self.base_payload(**fields)
            if shape.slim_presence
            else self.base_payload(**fields, email=self.email)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusChanged(Event[None]):
    """`changed` contains the changed fields: an empty text clears one."""

    type = "user_status"
    user_id: UserId
    changed: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        fields = {**self.changed}
        if "reaction_type" in fields:
            # Clients expect one of three types, even if the emoji was removed and the type is empty.
            kind = fields["reaction_type"] or "unicode_emoji"
            fields["reaction_type"] = emoji_type(kind, zulip_program=shape.zulip_program)
        return self.base_payload(user_id=self.user_id, **fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupAdded(Event[None]):
    """Sent when a group was created, as a UserGroup object."""

    type = "user_group"
    op = "add"
    group: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(group=self.group)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupUpdated(Event[None]):
    """Sent when a group was changed: its changed values; `is_deactivated` is its current state."""

    type = "user_group"
    op = "update"
    group_id: int
    data: Object
    is_deactivated: bool = False

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        if self.is_deactivated and not shape.include_deactivated_groups:
            return None
        return self.base_payload(group_id=self.group_id, data=self.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupDeactivated(Event[None]):
    """Sent when a group was deactivated."""

    type = "user_group"
    op = "remove"
    group_id: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        if shape.include_deactivated_groups:
            data = {"deactivated": True}
            return {"type": self.type, "op": "update", "group_id": self.group_id, "data": data}
        return self.base_payload(group_id=self.group_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupReactivated(Event[None]):
    """Sent when a group was reactivated; `group` is the whole UserGroup object."""

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
    """Sent when members were added to a group."""

    type = "user_group"
    op = "add_members"
    group_id: int
    user_ids: list[UserId]
    is_deactivated: bool = False
    """Whether the group is deactivated: clients without deactivated groups get it when it is reactivated."""

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        if self.is_deactivated and not shape.include_deactivated_groups:
            return None
        return self.base_payload(group_id=self.group_id, user_ids=self.user_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class MembersRemoved(Event[None]):
    """Sent when members were removed from a group."""

    type = "user_group"
    op = "remove_members"
    group_id: int
    user_ids: list[UserId]
    is_deactivated: bool = False

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        if self.is_deactivated and not shape.include_deactivated_groups:
            return None
        return self.base_payload(group_id=self.group_id, user_ids=self.user_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubgroupsAdded(Event[None]):
    """Sent when subgroups were added to a group."""

    type = "user_group"
    op = "add_subgroups"
    group_id: int
    subgroup_ids: list[int]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(group_id=self.group_id, direct_subgroup_ids=self.subgroup_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubgroupsRemoved(Event[None]):
    """Sent when subgroups were removed from a group."""

    type = "user_group"
    op = "remove_subgroups"
    group_id: int
    subgroup_ids: list[int]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(group_id=self.group_id, direct_subgroup_ids=self.subgroup_ids)
