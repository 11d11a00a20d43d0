"""Events about people and groups: accounts, presence, status."""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload, emoji_type
from server_lite.ids import UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class UserAdded(Event[None]):
    """There is a new account. `person` is the User object as these readers may see it."""

    type = "realm_user"
    op = "add"
    person: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(person=self.person)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserUpdated(Event[None]):
    """One thing about an account changed. `person` is its `user_id` and what is new."""

    type = "realm_user"
    op = "update"
    person: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(person=self.person)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportConsentChanged(Event[None]):
    """Somebody allowed or forbade an export of what only they can see. Sent to administrators."""

    type = "realm_export_consent"
    user_id: UserId
    consented: bool

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(user_id=self.user_id, consented=self.consented)


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenUserAdded(Event[None]):
    """There is a new account of which these readers may not know: only old clients are told."""

    type = "realm_user"
    op = "add_hidden"
    placeholder: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        if shape.user_list_incomplete:
            return None
        return {"type": self.type, "op": "add", "person": self.placeholder}


@dataclass(frozen=True, slots=True, kw_only=True)
class UserRemoved(Event[None]):
    """A guest may no longer know of somebody; old clients keep a place in the list for them."""

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
    """`email` is the address by which the API knows the person; times in UNIX seconds."""

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
    """`changed` holds the fields that are new: an empty text takes one back."""

    type = "user_status"
    user_id: UserId
    changed: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        fields = {**self.changed}
        if "reaction_type" in fields:
            # Empty where the emoji was taken away, and no such kind: clients expect one of three.
            kind = fields["reaction_type"] or "unicode_emoji"
            fields["reaction_type"] = emoji_type(kind, zulip_program=shape.zulip_program)
        return self.base_payload(user_id=self.user_id, **fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupAdded(Event[None]):
    """There is a new group, as a UserGroup object."""

    type = "user_group"
    op = "add"
    group: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(group=self.group)


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
        return self.base_payload(group_id=self.group_id, data=self.data)


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
        return self.base_payload(group_id=self.group_id)


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
    """People were added to a group."""

    type = "user_group"
    op = "add_members"
    group_id: int
    user_ids: list[UserId]
    is_deactivated: bool = False
    """The group is closed: who does not know closed groups is told when it is opened."""

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        if self.is_deactivated and not shape.include_deactivated_groups:
            return None
        return self.base_payload(group_id=self.group_id, user_ids=self.user_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class MembersRemoved(Event[None]):
    """People were removed from a group."""

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
    """Groups were added to a group."""

    type = "user_group"
    op = "add_subgroups"
    group_id: int
    subgroup_ids: list[int]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(group_id=self.group_id, direct_subgroup_ids=self.subgroup_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubgroupsRemoved(Event[None]):
    """Groups were removed from a group."""

    type = "user_group"
    op = "remove_subgroups"
    group_id: int
    subgroup_ids: list[int]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(group_id=self.group_id, direct_subgroup_ids=self.subgroup_ids)
