"""The installed program in each kind of terminal, by the bytes that the terminal sends."""

from pathlib import Path

import pytest

from tests.e2e.team import KETTLE, contents, team
from tests.keyboards import Keyboard
from tests.live import Live, Person, until
from tests.real_terminal import real_client
from tui.narrow import TopicNarrow

TEA = "channel:design topic:tea"
KEYBOARDS: tuple[Keyboard, ...] = ("legacy", "tmux", "kitty", "modify_other_keys")
EXACT = ("kitty", "modify_other_keys")
"""Those that tell all keys apart."""


async def _says(person: Person, place: TopicNarrow, *texts: str) -> None:
    async def there() -> bool:
        return await contents(person, place.channel_id, place.topic) == list(texts)

    await until(there)


@pytest.mark.parametrize("keyboard", KEYBOARDS)
async def test_writing(server: Live, tmp_path: Path, keyboard: Keyboard) -> None:
    """Capitals and signs are what I typed; Alt+Enter and Ctrl+J make lines and never send; Enter sends.

    Esc and a letter as fast as can be are these two keys, and nothing typed is lost.
    """
    ann, _, tea = await team(server)
    async with real_client(server, ann, tmp_path, narrow=TEA, keyboard=keyboard) as terminal:
        await terminal.shows(KETTLE)
        terminal.type("cIs THIS 50% ok?")
        hint = "Alt+Enter New line" if keyboard in EXACT else "Ctrl+J New line"
        await terminal.shows("Is THIS 50% ok?", hint)
        terminal.press("alt+enter")
        terminal.type("{yes} >no<")
        terminal.press("ctrl+j")
        terminal.send(terminal.bytes_of("escape") + terminal.bytes_of("c"))
        terminal.type("three")
        await terminal.shows("{yes} >no<", "three")
        assert "Settings" not in terminal.text
        terminal.press("enter")
        await _says(ann, tea, KETTLE, "Is THIS 50% ok?\n{yes} >no<\nthree")


FIELDS: dict[str, tuple[str, ...]] = {
    "search": ("slash",),
    "chooser": ("ctrl+k",),
    "commands": ("ctrl+p",),
    "a question": ("g", "d"),
    "a dialog": ("ctrl+t",),
    "a form": ("m",),
    "emoji": ("plus",),
    "the sidebar": ("shift+tab", "slash"),
}
"""Where text is typed beside the composer, and the keys that lead there."""


async def test_escape_and_a_quick_letter_in_every_field(server: Live, tmp_path: Path) -> None:
    """In one burst they close the field and begin a message, as if I had waited between them."""
    ann, _, _ = await team(server)
    async with real_client(server, ann, tmp_path, narrow=TEA, keyboard="legacy") as terminal:
        await terminal.shows(KETTLE)
        for number, (field, way) in enumerate(FIELDS.items()):
            terminal.press(*way)
            terminal.type(f"z{number}z")
            await terminal.shows(f"z{number}z")
            terminal.send(terminal.bytes_of("escape") + terminal.bytes_of("c"))
            terminal.type(f"w{number} ")
            await terminal.shows(f"w{number}")
            assert "Alt with letters" not in terminal.text, field
            terminal.press("escape")
        await terminal.shows(" ".join(f"w{number}" for number in range(len(FIELDS))))


@pytest.mark.parametrize("keyboard", ["legacy", "kitty"])
async def test_with_enter_for_lines_another_key_sends(
    server: Live, tmp_path: Path, keyboard: Keyboard
) -> None:
    """Enter and Alt+Enter make lines where I chose that, and the hint names the key that sends."""
    ann, _, tea = await team(server)
    async with real_client(
        server, ann, tmp_path, narrow=TEA, keyboard=keyboard, config="enter_sends = false\n"
    ) as terminal:
        await terminal.shows(KETTLE)
        terminal.type("cone\ntwo")
        terminal.press("alt+enter")
        terminal.type("three")
        await terminal.shows("Ctrl+S Send", "three")
        terminal.press("ctrl+s")
        await _says(ann, tea, KETTLE, "one\ntwo\nthree")


@pytest.mark.parametrize("keyboard", ["tmux", "modify_other_keys"])
async def test_what_has_alt_has_the_leader_as_well(
    server: Live, tmp_path: Path, keyboard: Keyboard
) -> None:
    """While I write, Ctrl+G lists what can follow, and c after it is what Alt+C is."""
    ann, _, _ = await team(server)
    async with real_client(server, ann, tmp_path, narrow=TEA, keyboard=keyboard) as terminal:
        await terminal.shows(KETTLE)
        terminal.type("chalf")
        await terminal.shows("half")
        terminal.press("ctrl+g")
        await terminal.shows("c Settings", "u Attach", "e Editor", "Esc Close")
        terminal.press("escape")
        await terminal.hides("c Settings")
        terminal.send(terminal.bytes_of("ctrl+g") + terminal.bytes_of("c"))
        await terminal.shows("Settings on this machine", "Density")
        terminal.press("escape")
        terminal.type(" a thought")
        await terminal.shows("half a thought")
        if keyboard in EXACT:
            terminal.press("alt+c")
            await terminal.shows("Settings on this machine")


async def test_commands_while_the_keyboard_is_russian(server: Live, tmp_path: Path) -> None:
    """A Kitty names the letter that the layout has; Ctrl with the key is what is printed on it, as in others."""
    ann, _, tea = await team(server)
    async with real_client(server, ann, tmp_path, narrow=TEA, keyboard="kitty") as terminal:
        await terminal.shows(KETTLE)
        terminal.press("ctrl+л")
        await terminal.shows("Enter Choose")
        terminal.press("escape")
        terminal.type("cчай кипит")
        await terminal.shows("чай кипит")
        terminal.press("ctrl+ц")
        terminal.type("да\n")
        await _says(ann, tea, KETTLE, "чай да")


@pytest.mark.parametrize("keyboard", KEYBOARDS)
async def test_shift_held_too_long(server: Live, tmp_path: Path, keyboard: Keyboard) -> None:
    """With a blank it is a blank, and with Backspace it deletes, also where terminals tell them apart."""
    ann, _, tea = await team(server)
    async with real_client(server, ann, tmp_path, narrow=TEA, keyboard=keyboard) as terminal:
        await terminal.shows(KETTLE)
        terminal.type("cIT ISX")
        terminal.press("shift+backspace", "shift+space")
        terminal.type("SO\n")
        await _says(ann, tea, KETTLE, "IT IS SO")


async def test_a_click_and_a_paste(server: Live, tmp_path: Path) -> None:
    """A click into the composer takes me there, and pasted lines are written, not sent."""
    ann, _, _ = await team(server)
    async with real_client(server, ann, tmp_path, narrow=TEA) as terminal:
        await terminal.shows(KETTLE, "Write to #design")
        terminal.click_on("Write to #design")
        await terminal.shows(" Send ")
        terminal.paste("one\ntwo")
        await terminal.shows("one", "two")
        assert terminal.lines[-1].lstrip().startswith("Enter Send")


async def test_what_a_terminal_answers_late_is_not_typed(server: Live, tmp_path: Path) -> None:
    """Its color comes while I write, cut in two by the network: my sentence stays what I typed."""
    ann, _, tea = await team(server)
    async with real_client(server, ann, tmp_path, narrow=TEA, keyboard="legacy") as terminal:
        await terminal.shows(KETTLE)
        terminal.type("c")
        terminal.send(b"milk\x1b]11;rgb:1e")
        await terminal.shows("milk")
        terminal.send(b"1e/1e1e\x07 now\r")
        await _says(ann, tea, KETTLE, "milk now")
