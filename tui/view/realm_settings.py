"""The organisation's settings in themes, as its administrators and owners change them. Data only, pure."""

from typing import Final

from tui.view.settings import OneOf, Place, Switch, Theme, Who, Words, days, limit, parse_days

FOREVER: Final = -1
"""Days of a message that is never deleted by itself."""

THEMES: Final = (
    Theme(
        name="about",
        label="Name and welcome",
        help="name, description, what new people read first",
        settings=(
            Words(name="name", label="Name", longest=40),
            Words(name="description", label="Description", longest=1000, lines=3),
            Words(
                name="welcome_message_custom_text",
                label="Welcome message",
                longest=8000,
                lines=3,
            ),
            Words(name="default_language", label="Language of new people", hint="en, de, fr…"),
            Place(name="new_stream_announcements_stream_id", label="New channels: told in"),
            Place(name="signup_announcements_stream_id", label="New people: told in"),
            Place(name="moderation_request_channel_id", label="Reports go to"),
            OneOf(
                name="default_avatar_source",
                label="Picture of new people",
                values=(("G", "Gravatar"), ("J", "drawn by the server")),
            ),
        ),
    ),
    Theme(
        name="messages",
        label="Messages",
        help="editing, deleting, moving, how long they are kept",
        settings=(
            Switch(name="allow_message_editing", label="messages can be edited"),
            limit("message_content_edit_limit_seconds", "Own text can be edited"),
            limit("message_content_delete_limit_seconds", "Own messages deleted"),
            limit("move_messages_within_stream_limit_seconds", "Moved to another topic"),
            limit("move_messages_between_streams_limit_seconds", "Moved to other channels"),
            OneOf(
                name="message_edit_history_visibility_policy",
                label="Of edits one sees",
                values=(
                    ("all", "what was said before"),
                    ("moves", "only where it was before"),
                    ("none", "nothing"),
                ),
            ),
            OneOf(
                name="message_retention_days",
                label="Messages are kept",
                values=((FOREVER, "for ever"), (30, "30 days"), (90, "90 days"), (365, "365 days")),
                parse=parse_days,
                says=days,
                owner_only=True,
            ),
            Switch(name="enable_read_receipts", label="people may see who read a message"),
        ),
    ),
    Theme(
        name="topics",
        label="Topics and content",
        help="topics without a name, code, previews, calls",
        settings=(
            OneOf(
                name="topics_policy",
                label="Topics without a name",
                values=(("allow_empty_topic", "allowed"), ("disable_empty_topic", "not allowed")),
            ),
            Words(
                name="default_code_block_language",
                label="Code is, unless it says",
                hint="python",
            ),
            Switch(name="inline_image_preview", label="images are shown in messages"),
            Switch(name="inline_url_embed_preview", label="linked pages are shown in messages"),
            OneOf(
                name="media_preview_size",
                label="Size of previews",
                values=((1, "small"), (2, "medium"), (3, "large")),
            ),
            OneOf(
                name="gif_rating_policy",
                label="GIFs",
                values=(
                    (0, "none"),
                    (1, "for everybody (G)"),
                    (2, "with parents (PG)"),
                    (3, "from 13 on (PG-13)"),
                    (4, "for adults too (R)"),
                ),
            ),
            OneOf(
                name="video_chat_provider",
                label="Video calls",
                values=((0, "none"), (1, "Jitsi Meet")),
            ),
            Words(
                name="jitsi_server_url",
                label="Jitsi server",
                hint="https://…; empty: the server's own choice",
                longest=200,
            ),
            Switch(
                name="send_channel_events_messages", label="changes of a channel are told in it"
            ),
        ),
    ),
    Theme(
        name="joining",
        label="Joining",
        help="invitations, addresses, the waiting period, names",
        settings=(
            Switch(name="invite_required", label="people need an invitation", owner_only=True),
            Switch(
                name="emails_restricted_to_domains",
                label="only addresses of the listed domains",
                owner_only=True,
            ),
            Switch(
                name="disallow_disposable_email_addresses", label="no throw-away e-mail addresses"
            ),
            OneOf(
                name="waiting_period_threshold",
                label="Full member after",
                values=((0, "no time"), (3, "3 days"), (7, "7 days"), (30, "30 days")),
                parse=parse_days,
                says=days,
                owner_only=True,
            ),
            Switch(name="name_changes_disabled", label="only administrators change names"),
            Switch(name="email_changes_disabled", label="only administrators change addresses"),
            Switch(name="avatar_changes_disabled", label="only administrators change pictures"),
            Switch(name="require_unique_names", label="no two people have the same name"),
            Switch(name="send_welcome_emails", label="new people get a welcome e-mail"),
        ),
    ),
    Theme(
        name="privacy",
        label="Privacy",
        help="presence, guests, what leaves by e-mail and push",
        settings=(
            Switch(name="presence_disabled", label="nobody sees who is here"),
            Switch(
                name="enable_guest_user_indicator", label="guests are marked behind their names"
            ),
            Switch(name="enable_guest_user_dm_warning", label="a warning before writing to guests"),
            Switch(
                name="enable_spectator_access",
                label="web-public channels may be made",
                owner_only=True,
            ),
            Switch(
                name="owner_full_content_access",
                label="owners may read every private channel",
                owner_only=True,
            ),
            Switch(
                name="message_content_allowed_in_email_notifications",
                label="e-mails may hold what messages say",
            ),
            Switch(
                name="require_e2ee_push_notifications",
                label="push only where the content is encrypted",
            ),
            Switch(name="digest_emails_enabled", label="a digest by e-mail for who was away"),
            OneOf(
                name="digest_weekday",
                label="The digest comes on",
                values=tuple(
                    enumerate(
                        (
                            "Monday",
                            "Tuesday",
                            "Wednesday",
                            "Thursday",
                            "Friday",
                            "Saturday",
                            "Sunday",
                        )
                    )
                ),
            ),
            Switch(
                name="want_advertise_in_communities_directory",
                label="listed among the open communities",
            ),
        ),
    ),
    Theme(
        name="may-channels",
        label="Who may: channels",
        help="make channels, add people, set their policies",
        settings=(
            Who(name="can_create_public_channel_group", label="Make open channels"),
            Who(name="can_create_private_channel_group", label="Make private channels"),
            Who(name="can_create_web_public_channel_group", label="Make web-public ones"),
            Who(name="can_add_subscribers_group", label="Add people to channels"),
            Who(name="can_set_topics_policy_group", label="Set topic policies"),
            Who(name="can_set_delete_message_policy_group", label="Set who deletes"),
        ),
        words="In any channel; a channel can allow more people.",
    ),
    Theme(
        name="may-messages",
        label="Who may: messages",
        help="move, delete, resolve, mention many, write directly",
        settings=(
            Who(name="can_move_messages_between_topics_group", label="Move to another topic"),
            Who(name="can_move_messages_between_channels_group", label="Move to other channels"),
            Who(name="can_resolve_topics_group", label="Resolve topics"),
            Who(name="can_delete_any_message_group", label="Delete any message"),
            Who(name="can_delete_own_message_group", label="Delete own messages"),
            Who(name="can_mention_many_users_group", label="Mention very many"),
            Who(name="direct_message_permission_group", label="Be in direct messages"),
            Who(name="direct_message_initiator_group", label="Begin direct messages"),
            Who(name="can_summarize_topics_group", label="Have topics summarised"),
        ),
        words="In any channel; a channel can allow more people.",
    ),
    Theme(
        name="may-people",
        label="Who may: people",
        help="invite, manage groups, make bots, add emoji",
        settings=(
            Who(name="can_invite_users_group", label="Invite by e-mail", owner_only=True),
            Who(
                name="create_multiuse_invite_group", label="Make invitation links", owner_only=True
            ),
            Who(name="can_access_all_users_group", label="See everybody", owner_only=True),
            Who(name="can_create_groups", label="Make groups"),
            Who(name="can_manage_all_groups", label="Manage all groups"),
            Who(name="can_create_bots_group", label="Make any bots", owner_only=True),
            Who(
                name="can_create_write_only_bots_group",
                label="Make incoming webhooks",
                owner_only=True,
            ),
            Who(name="can_add_custom_emoji_group", label="Add emoji"),
            Who(name="workplace_users_group", label="Count as working here"),
            Who(name="can_manage_billing_group", label="Manage the plan", owner_only=True),
        ),
    ),
)
"""In the order of the list."""
