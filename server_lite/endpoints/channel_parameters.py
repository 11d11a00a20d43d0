"""Parameters shared by creating, subscribing to and updating channels. No SQL, no permissions of users."""

from dataclasses import fields
from typing import Annotated, ClassVar

from server_lite.access.channel_permissions import checked_setting
from server_lite.access.channel_settings import (
    TopicsPolicy,
    check_may_create,
    check_may_set,
    check_privacy,
    checked_folder,
    checked_retention,
)
from server_lite.access.user_groups import canonical
from server_lite.actions.channels import NewChannel
from server_lite.api.decoding import BareOrJson
from server_lite.dataclass import dataclass
from server_lite.errors import Conflict, Insufficient
from server_lite.ids import UserId
from server_lite.store.channel_permissions import PERMISSIONS
from server_lite.store.channels import GroupSetting
from server_lite.store.connection import Db
from server_lite.store.users import UserRow


@dataclass(frozen=True, slots=True)
class Members:
    """A group-setting value with its own members instead of a named group."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    direct_members: list[UserId]
    direct_subgroups: list[int]


Given = int | Members


@dataclass(frozen=True, slots=True)
class Change:
    """A new group-setting value, and the old value that the client expects."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    new: Given
    old: Given | None = None


def plain(given: Given) -> GroupSetting:
    """Return the value as stored and sent, not yet in its shortest form."""
    if isinstance(given, int):
        return given
    return {"direct_members": [*given.direct_members], "direct_subgroups": given.direct_subgroups}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelParameters:
    """The options of a channel to be created."""

    invite_only: bool = False
    is_web_public: bool = False
    is_default_stream: bool = False
    history_public_to_subscribers: bool | None = None
    message_retention_days: Annotated[int | str | None, BareOrJson()] = None
    topics_policy: TopicsPolicy = "inherit"
    folder_id: int | None = None
    can_add_subscribers_group: Given | None = None
    can_administer_channel_group: Given | None = None
    can_create_topic_group: Given | None = None
    can_delete_any_message_group: Given | None = None
    can_delete_own_message_group: Given | None = None
    can_move_messages_out_of_channel_group: Given | None = None
    can_move_messages_within_channel_group: Given | None = None
    can_remove_subscribers_group: Given | None = None
    can_resolve_topics_group: Given | None = None
    can_send_message_group: Given | None = None
    can_subscribe_group: Given | None = None

    def checked(self, db: Db, user: UserRow) -> NewChannel:
        """Return the options for `create_channel`; raises ApiError for options the user may not choose."""
        check_may_create(db, user, invite_only=self.invite_only, is_web_public=self.is_web_public)
        check_privacy(
            invite_only=self.invite_only,
            is_web_public=self.is_web_public,
            is_default=self.is_default_stream,
        )
        if self.is_default_stream and not user.is_admin:
            raise Insufficient("Insufficient permission")
        settings = self._settings(db)
        check_may_set(db, user, settings)
        if self.topics_policy != "inherit":
            check_may_set(db, user, ["topics_policy"])
        return NewChannel(
            invite_only=self.invite_only,
            is_web_public=self.is_web_public,
            history_public_to_subscribers=self.history_public_to_subscribers,
            is_default=self.is_default_stream,
            message_retention_days=checked_retention(user, self.message_retention_days),
            topics_policy=self.topics_policy,
            folder_id=checked_folder(db, self.folder_id),
            group_settings=settings,
        )

    def _settings(self, db: Db) -> dict[str, GroupSetting]:
        given = {name: getattr(self, name) for name in PERMISSIONS}
        return {
            name: checked_setting(db, name, plain(value))
            for name, value in given.items()
            if value is not None
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionChanges:
    """Changes of a channel's permissions."""

    can_add_subscribers_group: Change | None = None
    can_administer_channel_group: Change | None = None
    can_create_topic_group: Change | None = None
    can_delete_any_message_group: Change | None = None
    can_delete_own_message_group: Change | None = None
    can_move_messages_out_of_channel_group: Change | None = None
    can_move_messages_within_channel_group: Change | None = None
    can_remove_subscribers_group: Change | None = None
    can_resolve_topics_group: Change | None = None
    can_send_message_group: Change | None = None
    can_subscribe_group: Change | None = None

    def checked(self, db: Db, current: dict[str, GroupSetting]) -> dict[str, GroupSetting]:
        """Return the new values; raises Conflict if the client's old value is stale."""
        news: dict[str, GroupSetting] = {}
        for field in fields(self):
            change: Change | None = getattr(self, field.name)
            if change is None:
                continue
            if change.old is not None and canonical(plain(change.old)) != current[field.name]:
                raise Conflict("'old' value does not match the expected value.")
            new = checked_setting(db, field.name, plain(change.new))
            if new != current[field.name]:
                news[field.name] = new
        return news
