"""The table of routes: the whole API on one page. Paths are below /api/v1; functions define parameters."""

import asyncio
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from server_lite.api.params import Document, RequestInfo
from server_lite.api.request import Request, Send
from server_lite.api.routing import Table, route
from server_lite.context import Context
from server_lite.endpoints import (
    alert_words,
    avatars,
    bot_storage,
    bots,
    calls,
    channel_folders,
    channel_settings,
    channels,
    credentials,
    custom_emoji,
    default_channels,
    devices,
    domains,
    drafts,
    exports,
    flags,
    history,
    incoming,
    invites,
    linkifiers,
    message_edits,
    messages,
    muted_users,
    navigation_views,
    playgrounds,
    presence,
    profile_fields,
    queues,
    reactions,
    realm,
    saved_snippets,
    scheduled_messages,
    server,
    settings,
    statuses,
    submessages,
    subscriptions,
    typing,
    uploads,
    user_group_changes,
    user_groups,
    user_topics,
    users,
)
from server_lite.errors import WrongMethod
from server_lite.http.replies import reply
from server_lite.web import api_docs, pages


async def openapi(context: Context) -> Document:  # noqa: ARG001  # part of the contract
    """Get this API description as an OpenAPI document."""
    return await asyncio.to_thread(_document)


@cache
def _document() -> Document:
    from server_lite.api.openapi import document  # with pydantic: 6 MB

    return Document(document(TABLE))


_LONG: Final[Mapping[Callable[..., object], Callable[[Mapping[str, object]], bool]]] = {
    messages.fetch: messages.is_long,
    messages.matches_narrow: lambda _: True,
    history.fetch: lambda _: True,
    users.listing: lambda _: True,
    user_groups.listing: lambda _: True,
    channels.listing: lambda _: True,
    subscriptions.mine: lambda _: True,
    presence.everybody: lambda _: True,
    uploads.listing: lambda _: True,
    drafts.listing: lambda _: True,
    saved_snippets.listing: lambda _: True,
    scheduled_messages.listing: lambda _: True,
}
"""Endpoints that always read in a thread, and for which parameters, so as not to block other requests.

For large texts and long lists. Other reads move to a thread when they prove slow (`store.database`).
"""


def takes_long(function: Callable[..., object], parameters: Mapping[str, object]) -> bool:
    """Whether reading from the endpoint may be slow with these parameters."""
    return function in _LONG and _LONG[function](parameters)


SENDS_TEXT: Final = frozenset[Callable[..., object]](
    (messages.send, scheduled_messages.create, scheduled_messages.edit)
)
"""Endpoints that store a message's `content` in one transaction."""


def address_in_links(function: Callable[..., object], parameters: Mapping[str, object]) -> str:
    """Return the server's address with which one of them renders the text."""
    request = parameters.get("request") if function is messages.send else None
    return request.base_url if isinstance(request, RequestInfo) else ""


TABLE: Final = Table(
    (
        # Server, authentication
        route("server_settings", GET=server.settings_of),
        route("fetch_api_key", POST=credentials.fetch_api_key),
        route("jwt/fetch_api_key", POST=credentials.jwt_fetch_api_key),
        route("dev_fetch_api_key", POST=credentials.dev_fetch_api_key),
        route("dev_list_users", GET=credentials.dev_list_users),
        route("openapi.json", GET=openapi),
        # Event queues
        route("register", POST=queues.register),
        route("events", GET=queues.fetch, DELETE=queues.delete),
        # Messages
        route("messages", GET=messages.fetch, POST=messages.send),
        route("messages/matches_narrow", GET=messages.matches_narrow),
        route("messages/render", POST=messages.render),
        route("messages/flags", POST=flags.update),
        route("messages/flags/narrow", POST=flags.update_narrow),
        route("mark_all_as_read", POST=flags.mark_all),
        route("mark_stream_as_read", POST=flags.mark_channel),
        route("mark_topic_as_read", POST=flags.mark_topic),
        route(
            "messages/{message_id}",
            GET=messages.get,
            PATCH=message_edits.edit,
            DELETE=message_edits.delete,
        ),
        route("messages/{message_id}/history", GET=history.fetch),
        route("messages/{message_id}/read_receipts", GET=history.read_receipts),
        route("messages/{message_id}/report", POST=message_edits.report),
        route("streams/{stream_id}/delete_topic", POST=message_edits.delete_topic),
        route("messages/{message_id}/reactions", POST=reactions.add, DELETE=reactions.remove),
        route("submessage", POST=submessages.send),
        # Drafts, snippets, scheduled messages
        route("drafts", GET=drafts.listing, POST=drafts.create),
        route("drafts/{draft_id}", PATCH=drafts.edit, DELETE=drafts.delete),
        route("saved_snippets", GET=saved_snippets.listing, POST=saved_snippets.create),
        route(
            "saved_snippets/{saved_snippet_id}",
            PATCH=saved_snippets.edit,
            DELETE=saved_snippets.delete,
        ),
        route("scheduled_messages", GET=scheduled_messages.listing, POST=scheduled_messages.create),
        route(
            "scheduled_messages/{scheduled_message_id}",
            PATCH=scheduled_messages.edit,
            DELETE=scheduled_messages.delete,
        ),
        route("reminders", GET=scheduled_messages.reminders_of, POST=scheduled_messages.remind),
        route("reminders/{reminder_id}", DELETE=scheduled_messages.forget),
        route("navigation_views", GET=navigation_views.listing, POST=navigation_views.create),
        route(
            "navigation_views/{fragment:path}",
            PATCH=navigation_views.edit,
            DELETE=navigation_views.delete,
        ),
        # Channels, subscriptions, topics
        route("streams", GET=channels.listing),
        route(
            "streams/{stream_id}",
            GET=channels.one,
            PATCH=channel_settings.update,
            DELETE=channels.delete,
        ),
        route("streams/{stream_id}/members", GET=channels.members),
        route("streams/{stream_id}/email_address", GET=channels.email_address),
        route("get_stream_id", GET=channels.id_of),
        route("channels/create", POST=channels.create),
        route("default_streams", POST=default_channels.add, DELETE=default_channels.remove),
        route("channel_folders", GET=channel_folders.listing, PATCH=channel_folders.reorder),
        route("channel_folders/create", POST=channel_folders.create),
        route("channel_folders/{channel_folder_id}", PATCH=channel_folders.update),
        route(
            "users/me/subscriptions",
            GET=subscriptions.mine,
            POST=subscriptions.subscribe,
            DELETE=subscriptions.unsubscribe,
        ),
        route("users/me/subscriptions/properties", POST=subscriptions.set_properties),
        route("users/me/subscriptions/muted_topics", PATCH=user_topics.mute),
        route("users/me/subscriptions/{stream_id}", POST=subscriptions.set_property),
        route("users/{user_id}/subscriptions/{stream_id}", GET=subscriptions.status),
        route("users/{user_id}/channels", GET=subscriptions.channels_of),
        route("users/me/{stream_id}/topics", GET=user_topics.topics_of),
        route("user_topics", POST=user_topics.update),
        # Users
        route("users", GET=users.listing, POST=users.create),
        route("users/me", GET=users.myself, DELETE=users.deactivate_me),
        route("users/{user_id:int}", GET=users.one, PATCH=users.update, DELETE=users.deactivate),
        route("users/{email}", GET=users.by_email, PATCH=users.update_by_email),
        route("users/{user_id}/reactivate", POST=users.reactivate),
        route("users/me/avatar", POST=avatars.upload, DELETE=avatars.delete),
        route("users/me/api_key/regenerate", POST=credentials.regenerate),
        route("settings", PATCH=settings.update),
        route("settings/notifications", PATCH=settings.update),
        route("settings/display", PATCH=settings.update),
        route("users/me/presence", POST=presence.report),
        route("users/{user_id_or_email}/presence", GET=presence.of_user),
        route("realm/presence", GET=presence.everybody),
        route("users/me/status", POST=statuses.update),
        route("users/{user_id}/status", GET=statuses.of_user, POST=statuses.update_of),
        route(
            "users/me/muted_users/{muted_user_id}", POST=muted_users.mute, DELETE=muted_users.unmute
        ),
        route(
            "users/me/alert_words",
            GET=alert_words.listing,
            POST=alert_words.add,
            DELETE=alert_words.remove,
        ),
        route("typing", POST=typing.notify),
        route("messages/{message_id}/typing", POST=typing.notify_edit),
        route("register_client_device", POST=devices.register),
        route("remove_client_device", POST=devices.remove),
        route(
            "users/me/android_push_reg_id",
            POST=devices.add_android,
            DELETE=devices.remove_android,
        ),
        route(
            "users/me/android_gcm_reg_id",  # the same under Zulip's name
            POST=devices.add_android,
            DELETE=devices.remove_android,
        ),
        route("mobile_push/register", POST=devices.register_push),
        route("users/me/apns_device_token", POST=devices.add_apple, DELETE=devices.remove_apple),
        # User groups
        route("user_groups", GET=user_groups.listing),
        route("user_groups/create", POST=user_group_changes.create),
        route(
            "user_groups/{user_group_id}",
            PATCH=user_group_changes.update,
            DELETE=user_group_changes.deactivate,
        ),
        route("user_groups/{user_group_id}/deactivate", POST=user_group_changes.deactivate),
        route(
            "user_groups/{user_group_id}/members",
            GET=user_group_changes.members,
            POST=user_group_changes.fill,
        ),
        route("user_groups/{user_group_id}/members/{user_id}", GET=user_group_changes.is_member),
        route(
            "user_groups/{user_group_id}/subgroups",
            GET=user_group_changes.subgroups,
            POST=user_group_changes.fill_subgroups,
        ),
        # Files
        route("user_uploads", POST=uploads.upload),
        route("user_uploads/{realm_id_str}/{filename:path}", GET=uploads.temporary_url),
        route("attachments", GET=uploads.listing),
        route("attachments/{attachment_id}", DELETE=uploads.delete),
        # The organization
        route("realm", PATCH=realm.update),
        route("export/realm", GET=exports.listing, POST=exports.create),
        route("export/realm/{export_id}", DELETE=exports.delete),
        route("export/realm/consents", GET=exports.consents),
        route("realm/user_settings_defaults", PATCH=settings.update_defaults),
        route("realm/linkifiers", GET=linkifiers.listing, PATCH=linkifiers.reorder),
        route("realm/filters", POST=linkifiers.create),
        route("realm/filters/{filter_id}", PATCH=linkifiers.update, DELETE=linkifiers.delete),
        route("realm/emoji", GET=custom_emoji.listing),
        route("realm/emoji/{emoji_name}", POST=custom_emoji.add, DELETE=custom_emoji.deactivate),
        route(
            "realm/profile_fields",
            GET=profile_fields.listing,
            POST=profile_fields.create,
            PATCH=profile_fields.reorder,
        ),
        route(
            "realm/profile_fields/{field_id}",
            PATCH=profile_fields.update,
            DELETE=profile_fields.delete,
        ),
        route("users/me/profile_data", PATCH=profile_fields.fill, DELETE=profile_fields.clear),
        route("realm/playgrounds", POST=playgrounds.create),
        route("realm/playgrounds/{playground_id}", DELETE=playgrounds.delete),
        route("realm/domains", GET=domains.listing, POST=domains.create),
        route("realm/domains/{domain}", PATCH=domains.update, DELETE=domains.delete),
        # Video calls
        route("calls/{video_provider}/create", POST=calls.create),
        # Invitations
        route("invites", GET=invites.listing, POST=invites.invite),
        route("invites/multiuse", POST=invites.create_link),
        route("invites/multiuse/{invite_id}", DELETE=invites.revoke_link),
        route("invites/{invite_id}", DELETE=invites.revoke),
        route("invites/{invite_id}/resend", POST=invites.resend),
        # Bots
        route("bots", GET=bots.listing, POST=bots.create),
        route("bots/{bot_id}", PATCH=bots.update, DELETE=bots.deactivate),
        route("external/slack_incoming", POST=incoming.slack),
        route("external/{integration}", POST=incoming.post),
        route("bots/{bot_id}/api_key", GET=bots.api_key),
        route("bots/{bot_id}/api_key/regenerate", POST=bots.regenerate),
        route(
            "bot_storage",
            GET=bot_storage.fetch,
            PUT=bot_storage.store,
            DELETE=bot_storage.remove,
        ),
    )
)


async def serve_page(context: Context, request: Request, send: Send) -> None:
    """Answer a request for a path outside the API: the API description, or one of the pages."""
    if request.path not in ("/api", "/api/"):
        await pages.serve(context, request, send)
    elif request.verb != "GET":
        raise WrongMethod(["GET"])
    else:
        page = await asyncio.to_thread(_page)
        policy = (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'")
        await reply(request.headers, send, 200, "text/html; charset=utf-8", page, policy)


@cache
def _page() -> bytes:
    return api_docs.page(_document()).encode()
