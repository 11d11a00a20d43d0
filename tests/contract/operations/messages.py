"""Operations on messages: send, edit, move, delete, flags, reactions."""

from typing import Final

import orjson

from tests.contract.in_memory_server import Person
from tests.contract.operations.base import Details, operation

EMOJI: Final = ("wave", "+1", "octopus", "nothing_like_that")


@operation
async def say_in_channel(me: Person, details: Details) -> object:
    return await me.post(
        "messages",
        type="stream",
        to=details.channel(),
        topic=details.topic(),
        content=details.words(),
        read_by_sender=details.maybe(details.yes()),
    )


@operation
async def say_more_in_channel(me: Person, details: Details) -> object:
    """Repeat `say_in_channel`, since users do it most."""
    return await say_in_channel(me, details)


@operation
async def say_directly(me: Person, details: Details) -> object:
    to = details.users(3) or [me.id]
    return await me.post("messages", type="direct", to=to, content=details.words())


@operation
async def edit(me: Person, details: Details) -> object:
    return await me.patch(f"messages/{details.message()}", content=details.words())


@operation
async def move_to_topic(me: Person, details: Details) -> object:
    return await me.patch(
        f"messages/{details.message()}",
        topic=details.topic(),
        propagate_mode=details.of(("change_all", "change_later", "change_one")),
        content=details.words() if details.below(4) == 0 else None,
        send_notification_to_old_thread=details.yes(),
        send_notification_to_new_thread=details.yes(),
    )


@operation
async def move_to_channel(me: Person, details: Details) -> object:
    return await me.patch(
        f"messages/{details.message()}",
        stream_id=details.channel(),
        topic=details.maybe(details.topic()),
        propagate_mode=details.of(("change_all", "change_later", "change_one")),
        send_notification_to_old_thread=details.yes(),
        send_notification_to_new_thread=details.yes(),
    )


@operation
async def resolve(me: Person, details: Details) -> object:
    message_id = details.message()
    answer = await me.get(f"messages/{message_id}")
    if answer["status"] != 200 or not answer["message"]["subject"]:
        return answer
    topic = answer["message"]["subject"]
    changed = topic.removeprefix("✔ ") if topic.startswith("✔ ") else f"✔ {topic}"
    return await me.patch(f"messages/{message_id}", topic=changed, propagate_mode="change_all")


@operation
async def delete_message(me: Person, details: Details) -> object:
    return await me.delete(f"messages/{details.message()}")


@operation
async def delete_topic(me: Person, details: Details) -> object:
    return await me.post(f"streams/{details.channel()}/delete_topic", topic_name=details.topic())


@operation
async def react(me: Person, details: Details) -> object:
    return await me.post(f"messages/{details.message()}/reactions", emoji_name=details.of(EMOJI))


@operation
async def react_with_custom_emoji(me: Person, details: Details) -> object:
    return await me.post(
        f"messages/{details.message()}/reactions", emoji_name=details.of(("party", "parrot"))
    )


@operation
async def take_reaction_back(me: Person, details: Details) -> object:
    mine = f"FROM reaction WHERE user_id = {me.id} ORDER BY message_id DESC, emoji_code"
    number = details.below(3)
    message_id = me.town.one(f"SELECT message_id {mine}", number) or details.message()
    name = me.town.one(f"SELECT emoji_name {mine}", number) or "wave"
    return await me.delete(f"messages/{message_id}/reactions", emoji_name=str(name))


@operation
async def flag(me: Person, details: Details) -> object:
    return await me.post(
        "messages/flags",
        messages=details.messages(),
        op=details.of(("add", "remove")),
        flag=details.of(("starred", "read", "collapsed")),
    )


@operation
async def mark_unread(me: Person, details: Details) -> object:
    return await me.post("messages/flags", messages=details.messages(), op="remove", flag="read")


@operation
async def flag_narrow(me: Person, details: Details) -> object:
    narrow = details.of(
        (
            [],
            [{"operator": "channel", "operand": details.channel()}],
            [{"operator": "is", "operand": "dm"}],
        )
    )
    return await me.post(
        "messages/flags/narrow",
        anchor=details.of(("newest", "oldest", "first_unread")),
        num_before=details.below(6),
        num_after=details.below(6),
        narrow=narrow,
        op=details.of(("add", "remove")),
        flag=details.of(("read", "starred")),
    )


@operation
async def mark_all_as_read(me: Person, details: Details) -> object:
    return await me.post("mark_all_as_read")


@operation
async def mark_channel_as_read(me: Person, details: Details) -> object:
    return await me.post("mark_stream_as_read", stream_id=details.channel())


@operation
async def mark_topic_as_read(me: Person, details: Details) -> object:
    return await me.post(
        "mark_topic_as_read", stream_id=details.channel(), topic_name=details.topic()
    )


@operation
async def vote(me: Person, details: Details) -> object:
    content = details.of(
        ({"type": "vote", "key": "canned,0", "vote": 1}, {"type": "new_option", "idx": 5})
    )
    poll = me.town.one("SELECT id FROM message WHERE content LIKE '/poll%'", details.below(4))
    return await me.post(
        "submessage",
        message_id=poll or details.message(),
        msg_type="widget",
        content=orjson.dumps(content).decode(),
    )


@operation
async def report_message(me: Person, details: Details) -> object:
    return await me.post(
        f"messages/{details.message()}/report", report_type="spam", description="too much"
    )


@operation
async def type_something(me: Person, details: Details) -> object:
    op = details.of(("start", "stop"))
    if details.yes():
        return await me.post("typing", op=op, type="direct", to=details.users() or [me.id])
    return await me.post(
        "typing", op=op, type="stream", stream_id=details.channel(), topic=details.topic()
    )


@operation
async def type_an_edit(me: Person, details: Details) -> object:
    op = details.of(("start", "stop"))
    return await me.post(f"messages/{details.message()}/typing", op=op)


@operation
async def upload_a_file(me: Person, details: Details) -> object:
    answer = await me.upload("user_uploads", f"{details.name()}.png", b"\x89PNG nothing")
    if answer["status"] != 200:
        return answer
    return await me.post(
        "messages",
        type="stream",
        to=details.channel(),
        topic=details.topic(),
        content=f"[file]({answer.get('url', answer.get('uri'))})",
    )


@operation
async def delete_a_file(me: Person, details: Details) -> object:
    listed = await me.get("attachments")
    if listed["status"] != 200 or not listed["attachments"]:
        return listed
    return await me.delete(f"attachments/{details.of(listed['attachments'])['id']}")
