"""Stories that need features missing in some full servers: they are skipped below that feature level.

The client explains missing features, or replaces them: `test_full_servers.py` and
`tests/full_server` test that.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from tests.full_server.levels import levels

CHINWAG: Final = 1_000_000
"""Above every level, for features of no full server."""

NEEDS: Final[Mapping[str, tuple[int, str]]] = {
    "test_the_same_key_says_nothing_twice": (CHINWAG, "keys against sending twice"),
    "test_the_command_that_is_passed_on_makes_an_account_and_signs_it_in": (
        CHINWAG,
        "joining without a browser",
    ),
    "test_what_is_refused_is_asked_for_again": (CHINWAG, "joining without a browser"),
    # Full servers start with Jitsi and leave its rooms to clients: no request, no organization without calls.
    # `test_full_servers.py` tests the client's behavior there.
    "test_a_link_to_a_call_goes_into_what_one_writes": (CHINWAG, "rooms for Jitsi calls"),
    "test_profile_fields_are_written_and_put_in_order": (296, "fields that only some may edit"),
    "test_an_administrator_edits_archives_and_brings_back_a_channel": (
        388,
        "channels that come back, and permissions to post",
    ),
    "test_an_owner_changes_limits_and_permissions": (392, "policies of topics"),
    "test_an_administrator_is_not_offered_what_owners_decide": (246, "unique names"),
    "test_the_address_of_an_issue_gets_short_and_undo_brings_it_back": (471, "reverse templates"),
    "test_a_linkifier_is_tried_while_it_is_typed": (471, "reverse templates"),
    "test_a_group_is_closed_after_a_question_and_opened_again": (386, "groups that come back"),
    "test_a_group_gets_another_name_and_permissions": (324, "permissions of groups"),
    "test_a_member_joins_and_leaves_where_they_may": (308, "groups that members leave"),
    "test_a_bot_gets_another_name_and_owner_and_is_closed": (463, "keys of other people's bots"),
    "test_people_are_invited_by_address": (416, "welcome messages of invitations"),
    "test_a_senders_card_leads_to_a_direct_message": (440, "the list of a person's channels"),
}
"""Levels that a story needs besides its endpoints, by its name, with the reason."""


def missing(story: str, endpoints: Iterable[str], level: int | None) -> str:
    """Return why a story cannot run against a full server of a level; "" if it can."""
    if level is None:
        return ""
    table = levels()
    lacking = [each for each in endpoints if not table.has(each, level)]
    since, what = NEEDS.get(story, (0, ""))
    if since > level:
        lacking.append(what)
    return f"a full server of level {level} has no {', '.join(lacking)}" if lacking else ""
