"""What can be said about one message: when, by whom, who reacted. Lines of text; pure."""

from tui.api.model import Message, Reaction
from tui.content.sanitise import sanitise_line
from tui.narrow import conversation_of
from tui.store import Store
from tui.view import names
from tui.view.reactions import emoji_text
from tui.view.times import Times


def details(store: Store, message: Message, times: Times) -> list[tuple[str, str]]:
    """Pairs of what it is and what it says."""
    sender = names.person(store, message.sender_id, message.sender_full_name)
    found = [
        ("Written", f"{times.moment(message.timestamp)} by {sender}"),
        ("In", names.conversation(store, conversation_of(message))),
        ("With", sanitise_line(message.client)),
    ]
    if message.last_edit_timestamp is not None:
        found.append(("Edited", times.moment(message.last_edit_timestamp)))
    if message.last_moved_timestamp is not None:
        found.append(("Moved", times.moment(message.last_moved_timestamp)))
    groups: dict[tuple[str, str], list[Reaction]] = {}
    for reaction in message.reactions:
        groups.setdefault((reaction.reaction_type, reaction.emoji_code), []).append(reaction)
    for group in groups.values():
        emoji = emoji_text(group[0].reaction_type, group[0].emoji_code, group[0].emoji_name)
        people = ", ".join(names.person(store, each.user_id) for each in group)
        found.append((emoji, people))
    return [(label, text) for label, text in found if text]
