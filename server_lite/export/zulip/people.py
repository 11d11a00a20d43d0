"""Users and bots, their settings, avatars, statuses and mutes, as rows. Reads only."""

from server_lite.export.paths import private
from server_lite.export.zulip import layout
from server_lite.export.zulip.draft import Draft
from server_lite.export.zulip.organization import as_columns
from server_lite.objects.users import api_email
from server_lite.store import (
    alert_words,
    avatars,
    bots,
    muted_users,
    presence,
    realm,
    saved_snippets,
    statuses,
    users,
)
from server_lite.store.personal_settings import with_defaults
from server_lite.store.users import UserRow

_RIGHTS = ("is_superuser", "is_staff", "can_forge_sender", "can_create_users")


def add_people(draft: Draft) -> None:
    """Write all accounts, deactivated ones included, and the server's own bot."""
    domain = realm.domain(draft.db)
    for user in sorted(users.everyone(draft.db), key=lambda user: user.id):
        recipient = draft.people[user.id] = draft.add_recipient(layout.PERSON, user.id)
        if user.is_system_bot:
            draft.realm.add(
                "zerver_userprofile_crossrealm",
                id=user.id,
                email=layout.NOTIFICATION_BOT,
                recipient_id=recipient,
            )
            continue
        _account(draft, user, api_email(user, domain))
        draft.add_own_subscription(user.id, recipient)
        _picture(draft, user)
    _what_people_chose(draft)


def _account(draft: Draft, user: UserRow, email: str) -> None:
    own = with_defaults(user.settings)
    bot = bots.by_id(draft.db, user.id) if user.is_bot else None
    if bot is not None:
        draft.leave_out("addresses of outgoing webhooks", int(bot.payload_url is not None))
        draft.leave_out("configurations of bots", int(bool(bot.config_data or bot.webhook_secret)))
    rights = dict.fromkeys(_RIGHTS, False)
    if draft.version >= 10:
        rights["can_change_user_emails"] = False
    draft.realm.add(
        "zerver_userprofile_mirrordummy" if user.is_imported_stub else "zerver_userprofile",
        id=user.id,
        realm=layout.REALM_ID,
        delivery_email=user.email,
        email=email,
        full_name=user.full_name,
        date_joined=user.date_joined,
        last_login=user.first_sign_in,
        last_reminder=None,
        is_active=user.is_active and not user.is_imported_stub,
        is_mirror_dummy=user.is_imported_stub,
        role=user.role,
        is_bot=user.is_bot,
        bot_type=user.bot_type,
        bot_owner=user.bot_owner_id,
        default_sending_stream=None if bot is None else bot.sending_channel_id,
        default_events_register_stream=None if bot is None else bot.events_channel_id,
        default_all_public_streams=bot is not None and bot.all_public_streams,
        last_active_message_id=None,
        user_permissions=[],
        groups=[],
        timezone=user.timezone,
        avatar_source="G" if user.avatar is None else "U",
        avatar_version=user.avatar_version,
        **as_columns({name: own[name] for name in layout.PERSONAL_SETTINGS}),
        **rights,
    )
    left = len(user.settings.keys() - layout.PERSONAL_SETTINGS)
    draft.leave_out("personal settings that are newer than the layout", left)


def _picture(draft: Draft, user: UserRow) -> None:
    picture = None if user.avatar is None else avatars.by_path(draft.db, user.avatar)
    if picture is None:
        return
    path = f"{layout.REALM_ID}/{user.id}.original"
    with private(draft.folder / "avatars" / path) as out:
        for number in avatars.slices_of(picture):
            out.write(avatars.read_slice(draft.db, picture.id, number))
    draft.files.add(
        "avatars",
        realm_id=layout.REALM_ID,
        user_profile_id=user.id,
        path=path,
        s3_path=path,
        size=picture.size,
        last_modified=user.date_joined,
        content_type=picture.content_type,
        avatar_version=user.avatar_version,
    )


def _what_people_chose(draft: Draft) -> None:
    db, client_id = draft.db, draft.client(layout.CLIENT)
    statuses_by_user = statuses.every(db)
    for user in users.everyone(db):
        if user.is_system_bot:
            continue
        for word in alert_words.of(db, user.id):
            draft.realm.add(
                "zerver_alertword", realm=layout.REALM_ID, user_profile=user.id, word=word
            )
        for muted, at in muted_users.of(db, user.id):
            draft.realm.add(
                "zerver_muteduser", user_profile=user.id, muted_user=muted, date_muted=at
            )
        seen = presence.of(db, user.id)
        if seen is not None:
            draft.realm.add(
                "zerver_userpresence",
                user_profile=user.id,
                realm=layout.REALM_ID,
                last_connected_time=seen.last_connected,
                last_active_time=seen.last_active,
            )
        status = statuses_by_user.get(user.id)
        if status is not None:
            draft.realm.add(
                "zerver_userstatus",
                user_profile=user.id,
                timestamp=user.date_joined,
                client=client_id,
                status_text=status.status_text,
                emoji_name=status.emoji_name,
                emoji_code=status.emoji_code,
                reaction_type=layout.reaction_type(status.reaction_type or "unicode_emoji"),
            )
        _snippets(draft, user)


def _snippets(draft: Draft, user: UserRow) -> None:
    snippets = saved_snippets.of_user(draft.db, user.id)
    if not layout.has_newer_tables(draft.version):
        draft.leave_out("saved snippets", len(snippets))
        return
    for snippet in snippets:
        draft.realm.add(
            "zerver_savedsnippet",
            realm=layout.REALM_ID,
            user_profile=user.id,
            title=snippet.title,
            content=snippet.content,
            date_created=snippet.date_created,
        )
