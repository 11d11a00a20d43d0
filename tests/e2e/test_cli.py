"""The client in a pipe: what scripts send, list and follow, against a real server."""

import asyncio
import io
import json
import os
import sys
from pathlib import Path

import pytest

from tests import eg
from tests.e2e.endpoints import uses
from tests.e2e.shell import Shell
from tests.e2e.team import KETTLE
from tests.real_terminal import CHINWAG, real_terminal
from tui.accounts import Account, write_zuliprc
from tui.cli.main import main
from tui.cli.tail import listening_to
from tui.store import Store
from tui.view.initial_narrow import asked_for


def typed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Standard input holds these bytes."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


async def test_text_is_sent_and_its_id_printed(shell: Shell) -> None:
    """To a topic of a channel, however the place is written."""
    out = await shell.says("send", "--to", "#design > tea", "yes, *now*")
    assert int(out) > 0
    record = json.loads(await shell.says("send", "--to", "design›tea", "--json", "and milk"))
    assert record["id"] > int(out)
    assert await shell.said() == [KETTLE, "yes, *now*", "and milk"]


async def test_standard_input_and_files_are_sent(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A report from a pipe, with a file beside it, is one message."""
    typed(monkeypatch, "dürr\nund grün\n".encode())
    report = tmp_path / "report.txt"
    report.write_text("42")
    await shell.says("send", "--to", "design > tea", "--file", str(report))
    text, link = (await shell.said())[-1].rsplit("\n", 1)
    assert text == "dürr\nund grün"
    assert link.startswith("[report.txt](/user_uploads/")


async def test_direct_messages_go_to_addresses_and_names(shell: Shell) -> None:
    """Several people, one of them by name, are one conversation."""
    await shell.says("send", "--dm", "ben@example.com", "psst")
    (line,) = (await shell.says("tail", "-n", "1")).splitlines()
    assert line.endswith("  Ben  Ann: psst")


async def test_the_same_key_says_nothing_twice(shell: Shell) -> None:
    """A script that does not know whether it got through sends again, with the same key."""
    words = ("send", "--to", "design > tea", "--key", "nightly-1", "done")
    assert await shell.says(*words) == await shell.says(*words)
    assert (await shell.said()).count("done") == 1


async def test_what_cannot_be_sent_is_told_in_one_sentence(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code 1, nothing on standard output, and nothing was said to anybody."""
    assert "no channel “nowhere” here" in await shell.refuses("send", "--to", "nowhere > x", "hi")
    assert "Did you mean “design”?" in await shell.refuses("send", "--to", "#desing > x", "hi")
    assert "use --dm" in await shell.refuses("send", "--to", "ben", "hi")
    assert "no person matches “zoe”" in await shell.refuses("send", "--dm", "zoe", "hi")
    assert "Did you mean “Ben”?" in await shell.refuses("send", "--dm", "bne", "hi")
    assert "nothing to send" in await shell.refuses("send", "--dm", "me", " ")
    assert "10000 are allowed" in await shell.refuses("send", "--dm", "me", "x" * 10_001)
    missing = await shell.refuses("send", "--dm", "me", "--file", "a/no.txt", "hi")
    assert "a/no.txt is not a file" in missing
    typed(monkeypatch, b"\xff\xfe")
    assert "not valid UTF-8" in await shell.refuses("send", "--dm", "me")
    assert await shell.said() == [KETTLE]


async def test_messages_are_lines_that_cannot_harm(shell: Shell) -> None:
    """A message is one line whatever is in it; as JSON nothing of it is lost."""
    text = "one\ntwo \x1b]0;owned\x07"
    await shell.ben.post("messages", type="stream", to="design", topic="tea", content=text)
    (line,) = (await shell.says("search", "-n", "1", "topic:tea")).splitlines()
    assert line[16:].startswith("  #design > tea  Ben: one ⏎ two ")
    assert "\x1b" not in line
    assert "\x07" not in line
    (json_line,) = (await shell.says("search", "--json", "-n", "1", "topic:tea")).splitlines()
    record = json.loads(json_line)
    assert json_line.isascii()
    assert record["text"].splitlines()[0] == "one"
    assert (record["channel"], record["topic"], record["sender"]) == ("design", "tea", "Ben")
    assert record["link"].startswith(f"{shell.server.url}/#narrow/")


@uses("DELETE /events")
async def test_a_search_finds_words(shell: Shell) -> None:
    """In the search language, over the whole history; nothing found is no failure."""
    await shell.says("send", "--to", "design > tea", "the pot is hot")
    assert (await shell.says("search", "sender:ben@example.com", "kettle")).endswith(f"{KETTLE}\n")
    assert await shell.says("search", "nothingness") == ""
    assert "needs a value" in await shell.refuses("search", "channel:")


async def test_people_are_found_by_a_part_of_their_name(shell: Shell) -> None:
    """Everywhere on the command line; of several nothing is done, and they are named."""
    await shell.server.person("Vera Lindt")
    await shell.server.person("Bela Lindt")
    assert int(await shell.says("send", "--dm", "vera", "hello")) > 0
    assert "Vera Lindt" in await shell.says("people", "vera")
    assert "hello" in await shell.says("tail", "--narrow", "dm:vera")
    assert "2 people match “lindt”: Bela Lindt" in await shell.refuses("people", "lindt")
    assert "2 people match “lindt”" in await shell.refuses("send", "--dm", "lindt", "hello")
    assert "No person matches “zoe”" in await shell.refuses("search", "sender:zoe")


async def test_words_are_excluded_and_operators_that_are_none_are_refused(shell: Shell) -> None:
    """`-cups` is no option, and `foo:bar` finds nothing by a slip."""
    await shell.ben.post(
        "messages", type="stream", to="design", topic="tea", content="kettle, cups"
    )
    assert KETTLE in await shell.says("search", "kettle", "-cups")
    assert "cups" not in await shell.says("search", "kettle", "-cups")
    assert "“foo:” is not a search operator" in await shell.refuses("search", "foo:bar")


async def test_the_messages_around_one_are_shown(shell: Shell) -> None:
    """`near:` with the ID of a link shows that message and those around it; where it cannot, it is refused."""
    ids = [
        int(await shell.says("send", "--to", "design > tea", f"cup {number}"))
        for number in range(9)
    ]
    for words in (("tail", "--narrow", f"near:{ids[4]}"), ("search", f"near:{ids[4]}", "cup")):
        shown = await shell.says(*words, "-n", "3")
        assert [line.rpartition(": ")[2] for line in shown.splitlines()] == [
            "cup 3",
            "cup 4",
            "cup 5",
        ]
        assert (await shell.says(*words, "-n", "1")).endswith("cup 4\n")
    assert "Leave out one." in await shell.refuses("tail", "-f", "--narrow", "near:1")
    assert "Leave out “near:”." in await shell.refuses(
        "export", "--narrow", "channel:design near:1"
    )
    assert "cannot be excluded" in await shell.refuses("search", "-near:1")


@uses("POST /messages/{message_id}/reactions", "DELETE /messages/{message_id}/reactions")
async def test_a_script_answers_a_message_by_its_id(shell: Shell) -> None:
    """`tail --ids` tells the IDs that `send --reply-to` and `react` take."""
    (line,) = (await shell.says("tail", "--ids")).splitlines()
    message_id, _, rest = line.partition("  ")
    assert rest.endswith(KETTLE)
    assert (await shell.says("search", "--ids", "kettle")) == f"{line}\n"
    await shell.says("send", "--reply-to", message_id, "it is")
    assert await shell.said() == [KETTLE, "it is"]
    for _ in range(2):
        assert await shell.says("react", message_id, ":coffee:") == ""
    fetched = await shell.ann.get(f"messages/{message_id}")
    assert [each["emoji_name"] for each in fetched["message"]["reactions"]] == ["coffee"]
    await shell.says("react", message_id, "coffee", "--remove")
    assert "does not exist" in await shell.refuses("react", message_id, "no_such_emoji")
    assert "The message does not exist" in await shell.refuses("react", "999999", "coffee")
    fetched = await shell.ann.get(f"messages/{message_id}")
    assert fetched["message"]["reactions"] == []


async def test_unread_conversations_are_counted(shell: Shell) -> None:
    """Each with a place for people and words that open it."""
    await shell.ben.post("messages", type="direct", to=[shell.ann.id], content="hi")
    direct, channel = (await shell.says("unread")).splitlines()
    assert direct.split("\t")[:2] == ["1", "Ben"]
    assert channel.split("\t") == ["1", "#design > tea", "channel:design topic:tea"]
    record = json.loads((await shell.says("unread", "--json")).splitlines()[1])
    assert (record["count"], record["channel"], record["topic"]) == (1, "design", "tea")
    (line,) = (await shell.says("tail", "--narrow", direct.split("\t")[2])).splitlines()
    assert line.endswith("Ben: hi")


@uses("POST /users/me/status")
async def test_a_status_is_set_shown_and_cleared(shell: Shell) -> None:
    """What one says of oneself, from a script."""
    assert await shell.says("status") == ""
    await shell.says("status", "on the train", "--emoji", ":train:")
    assert await shell.says("status") == ":train: on the train\n"
    assert json.loads(await shell.says("status", "--json")) == {
        "text": "on the train",
        "emoji": "train",
    }
    await shell.says("status", "--clear")
    assert await shell.says("status") == ""
    assert "oct" in await shell.refuses("status", "--emoji", "octopuss")


@uses("GET /realm/presence")
async def test_channels_and_people_are_listed(shell: Shell) -> None:
    """A line for each, with tabs, or JSON."""
    lines = (await shell.says("channels")).splitlines()
    assert ["#design", "joined"] in [line.split("\t")[:2] for line in lines]
    await shell.ben.post("users/me/presence", status="active")
    people = [json.loads(line) for line in (await shell.says("people", "--json")).splitlines()]
    seen = {each["name"]: each["last_seen"] for each in people}
    assert seen["Ben"].endswith("+00:00")
    assert {"Ann", "Ben"} <= {each["name"] for each in people}
    assert [each["email"] for each in people if each["name"] == "Ben"] == ["ben@example.com"]


@uses(
    "GET /users",
    "GET /users/{email}",
    "GET /users/{user_id}",
    "GET /users/{user_id}/status",
    "GET /users/{user_id_or_email}/presence",
    "GET /users/{user_id}/subscriptions/{stream_id}",
    "GET /user_groups",
    "GET /user_groups/{user_group_id}/members",
    "GET /user_groups/{user_group_id}/members/{user_id}",
)
async def test_one_person_is_looked_up_by_name_address_or_number(shell: Shell) -> None:
    """Who they are, whether they are there, what they say, and whether they belong somewhere."""
    ben = shell.ben
    await ben.post("users/me/presence", status="active", new_user_input=True)
    await ben.post("users/me/status", status_text="at \x1b[31mlunch", emoji_name="coffee")
    await shell.ann.post("realm/profile_fields", name="Team", field_type=1)
    (field,) = (await ben.get("realm/profile_fields"))["custom_fields"]
    await ben.patch("users/me/profile_data", data=[{"id": field["id"], "value": "Kettles"}])
    told = [line.split("\t") for line in (await shell.says("people", "ben")).splitlines()]
    assert ["Team", "Kettles"] in told
    assert ["status", ":coffee: at ␛[31mlunch"] in told
    for who in (str(ben.id), ben.email):
        record = json.loads(await shell.says("people", who, "--json"))
        assert (record["name"], record["presence"], record["role"]) == ("Ben", "active", "member")
        assert record["profile"] == {"Team": "Kettles"}
    assert await shell.says("people", "Ben", "--channel", "#design") == "yes\n"
    assert await shell.says("people", "Ben", "--group", "role:owners") == "no\n"
    assert "no person matches “zoe”" in await shell.refuses("people", "zoe")
    assert "no group matches “x”" in await shell.refuses("people", "ben", "--group", "x")
    assert "Ann\tann@example.com" in await shell.says("groups", "role:owners")
    groups = [json.loads(line) for line in (await shell.says("groups", "--json")).splitlines()]
    assert "role:owners" in {each["name"] for each in groups}
    counts = [line.split("\t")[:2] for line in (await shell.says("groups")).splitlines()]
    assert ["role:members", "2"] in counts  # Ann is in a group that is in it


@uses(
    "GET /get_stream_id",
    "GET /streams/{stream_id}",
    "GET /streams/{stream_id}/members",
    "GET /streams/{stream_id}/email_address",
    "GET /users/me/{stream_id}/topics",
)
async def test_one_channel_is_looked_up_by_its_name(shell: Shell) -> None:
    """What it is, its topics, who is in it, and where mail for it goes."""
    assert (await shell.says("channels", "design")).startswith("design\tpublic\t")
    assert await shell.says("channels", "#design", "--topics") == "tea\n"
    people = await shell.says("channels", "design", "--people")
    assert people.splitlines() == ["Ann\tann@example.com", "Ben\tben@example.com"]
    assert "@" in json.loads(await shell.says("channels", "design", "--email", "--json"))["email"]
    assert "no channel matches “zoo”" in await shell.refuses("channels", "zoo")


@uses(
    "GET /drafts",
    "GET /scheduled_messages",
    "GET /reminders",
    "GET /saved_snippets",
    "GET /navigation_views",
)
async def test_what_one_keeps_can_be_taken_along(shell: Shell) -> None:
    """Drafts, what waits, reminders, snippets and views: lines for a file."""
    draft = {"type": "", "to": [], "topic": "", "content": "buy\nmilk"}
    await shell.ann.post("drafts", drafts=[draft])
    await shell.ann.post("saved_snippets", title="hi", content="Good morning!")
    await shell.ann.post("navigation_views", fragment="narrow/has/link", is_pinned=True, name="l")
    (line,) = (await shell.says("kept", "drafts")).splitlines()
    assert line.endswith("\t\tbuy milk")
    assert json.loads(await shell.says("kept", "drafts", "--json"))["content"] == "buy\nmilk"
    assert await shell.says("kept", "snippets") == "hi\tGood morning!\n"
    assert await shell.says("kept", "views") == "l\tnarrow/has/link\n"
    assert await shell.says("kept", "scheduled") == await shell.says("kept", "reminders") == ""


async def test_without_an_account_or_a_server_that_is_said(
    shell: Shell, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence each; the account used last needs no name."""
    assert await asyncio.to_thread(main, ["unread"]) == 1
    assert "no account yet" in capsys.readouterr().err
    state = tmp_path / "home" / "state"
    state.mkdir(parents=True)
    (state / "last-account").write_text(str(shell.zuliprc))
    assert await asyncio.to_thread(main, ["unread"]) == 0
    assert "#design > tea" in capsys.readouterr().out
    account = Account(site="http://127.0.0.1:9", email="a@x.org", key="k")
    write_zuliprc(shell.zuliprc, account)
    assert "Is the server running?" in await shell.refuses("unread")


async def test_tail_follows_what_is_said(shell: Shell) -> None:
    """As a process: what was said, then what is being said there, at once; Ctrl+C ends it."""
    words = ("tail", "-f", "--json", "--narrow", "channel:design topic:tea")
    process = await shell.start(*words)
    assert process.stdout is not None
    try:
        assert json.loads(await process.stdout.readline())["text"] == KETTLE
        await shell.ben.post("messages", type="direct", to=[shell.ann.id], content="not here")
        await shell.ben.post("messages", type="stream", to="design", topic="tea", content="here")
        assert json.loads(await process.stdout.readline())["text"] == "here"
    finally:
        process.send_signal(2)
        out, err = await process.communicate()
    assert (process.returncode, out, err) == (130, b"", b"")


async def test_tail_follows_a_channel_that_one_has_not_joined(shell: Shell) -> None:
    """Alerts of a public channel are read along by a script whose account is not in it."""
    await shell.ben.post("users/me/subscriptions", subscriptions=[{"name": "alerts"}])
    place = {"type": "stream", "to": "alerts", "topic": "disk"}
    await shell.ben.post("messages", **place, content="90 %")
    process = await shell.start("tail", "-f", "-n", "1", "--json", "--narrow", "channel:alerts")
    assert process.stdout is not None
    try:
        assert json.loads(await process.stdout.readline())["text"] == "90 %"
        await shell.ben.post("messages", type="stream", to="design", topic="tea", content="no")
        await shell.ben.post("messages", **place, content="95 %")
        assert json.loads(await process.stdout.readline())["text"] == "95 %"
    finally:
        process.send_signal(2)
        await process.communicate()


def test_a_queue_is_told_of_as_little_as_the_narrow_allows() -> None:
    """A script that follows one topic of a large organization is not sent all the others."""
    design, web = eg.subscription(9, "design"), eg.channel(10, "web")
    store = Store.from_snapshot(eg.snapshot(channels=[design, web]))

    def told(text: str) -> tuple[tuple[tuple[str, str], ...], bool]:
        queue_filter = listening_to(store, asked_for(store, text)[0])
        return queue_filter.narrow, queue_filter.all_public_channels

    assert told("channel:design topic:tea") == ((("stream", "design"), ("topic", "tea")), False)
    assert told("channel:web") == ((("stream", "web"),), True)
    assert told("sender:2 kettle -is:dm") == ((("sender", eg.MARY.email),), False)
    assert told("is:dm") == ((("is", "private"),), False)
    assert told("channels:public") == ((), True)


async def test_a_reader_who_leaves_is_no_failure(shell: Shell) -> None:
    """`chinwag search | head -1` ends without a word."""
    reading, writing = os.pipe()
    os.close(reading)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tui", "tail", "--zuliprc", str(shell.zuliprc)),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=writing,
        stderr=asyncio.subprocess.PIPE,
    )
    os.close(writing)
    _, err = await process.communicate()
    assert (process.returncode, err) == (0, b"")


async def test_a_follower_ends_with_its_reader(shell: Shell) -> None:
    """`chinwag tail -f | head -1` ends, though nothing more is said."""
    process = await shell.start("tail", "-f", "--narrow", "channel:design topic:tea")
    assert process.stdout is not None
    assert KETTLE.encode() in await process.stdout.readline()
    process.stdout._transport.close()  # type: ignore[attr-defined]  # the reader's end of the pipe
    async with asyncio.timeout(5):
        assert await process.wait() == 0


async def test_a_follower_ends_with_its_terminal(shell: Shell) -> None:
    """Nobody has to tell it that the window was closed."""
    command = [CHINWAG, "tail", "-f", "--zuliprc", str(shell.zuliprc)]
    async with real_terminal(
        ["/bin/sh", "-c", f"trap '' HUP; exec {' '.join(command)}"], {}
    ) as seen:
        await seen.shows(KETTLE)
        seen.hang_up()
        assert await seen.exits(seconds=5) in (0, 129)


async def test_ctrl_c_at_a_question_leaves_quietly(shell: Shell, tmp_path: Path) -> None:
    """No traceback, and the shell's prompt is on a line of its own."""
    command = [CHINWAG, "login", shell.server.url, "--email", "ann@example.com", "--http"]
    async with real_terminal(command, {"CHINWAG_HOME": str(tmp_path)}) as seen:
        await seen.shows("assword:")
        seen.press("ctrl+c")
        assert await seen.exits() == 130
        assert [line for line in seen.lines if line][1:] in ([], ["^C"])
    async with real_terminal(command, {"CHINWAG_HOME": str(tmp_path)}) as seen:
        await seen.shows("assword:")
        seen.press("ctrl+d")
        assert await seen.exits() == 130
        assert b"Traceback" not in seen.written
