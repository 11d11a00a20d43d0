"""Stories that also run against full servers, in soak near too: the core of daily use."""

from typing import Final

EVERYWHERE: Final = frozenset(
    (
        "test_what_one_writes_the_other_sees_at_once",
        "test_unread_counts_fall_when_what_is_new_was_on_screen",
        "test_a_conversation_opens_at_what_is_new",
        "test_a_reaction_is_added_and_taken_back_by_key",
        "test_an_edit_and_a_deletion_reach_everybody",
        "test_a_draft_survives_the_app_and_comes_back_where_it_was",
        "test_a_name_is_completed_while_it_is_typed",
        "test_catching_up_from_the_inbox",
        "test_recent_conversations_are_listed_read_or_not",
        "test_a_topic_is_muted_and_followed_and_that_is_taken_back",
        "test_what_was_marked_read_by_mistake_is_unread_again",
        "test_a_message_is_moved_with_those_after_it",
        "test_a_message_is_looked_at_from_all_sides",
        "test_a_search_is_completed_and_its_hits_are_marked",
        "test_a_file_is_attached_and_saved_by_the_other",
        "test_people_vote_in_a_poll_and_add_to_it",
        "test_what_was_written_without_a_server_is_sent_when_it_is_back",
        "test_a_message_is_sent_later_and_then_now",
        "test_what_was_seen_is_read_and_found_offline",
        "test_accounts_of_one_server_keep_apart",
    )
)
"""Names of stories."""
EVERYWHERE_WAYS: Final = ("far", "218", "371")
"""Ways for these stories; the names are those of `tests.far.WAYS`. `make soak` also takes them near."""
SOAK_WAYS: Final = ("near", "reordered")
"""Ways for every story in `make soak`, besides far."""
