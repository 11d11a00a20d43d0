"""Contents of the example organization: people, channels, and messages in order. Data only.

`{you}` in a text mentions the user who tries it out, `{name}` of a key of PEOPLE mentions that
person, `{plan}` and `{picture}` are links to the uploaded files.
"""

from dataclasses import field
from typing import Final

from server_lite.dataclass import dataclass

YOU: Final = "you"

PEOPLE: Final = {
    "vera": ("Vera Lindqvist", "moderator", "On the ferry until noon", "ship"),
    "tom": ("Tom Okafor", "member", "In the lamp room", "bulb"),
    "mei": ("Mei Tanaka", "administrator", "", ""),
    "iris": ("Iris Moreau", "member", "Deep in the logbooks", "eyes"),
    "sam": ("Sam Bright", "guest", "", ""),
}
"""Key -> name, role, status and its emoji. Addresses are made of the keys."""

BOT: Final = ("harbour", "Harbour Bot")
DOMAIN: Final = "lighthouse.example"
NAME: Final = "The Lighthouse"
FOLDER: Final = ("The tower", "Work at the lighthouse itself.")
GROUP: Final = ("keepers", "This month's keyholders.", ("tom", "mei"))
EMOJI: Final = "lighthouse"
"""The custom emoji; its image is drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoChannel:
    """A channel; all except guests are subscribed to a public one, `only` these to a private one."""

    name: str
    description: str
    only: tuple[str, ...] = ()
    in_folder: bool = False


CHANNELS: Final = (
    DemoChannel(name="announcements", description="News for everyone."),
    DemoChannel(name="lamp room", description="The lens, the motor, the light.", in_folder=True),
    DemoChannel(
        name="logbooks", description="Scanning and reading 120 years of them.", in_folder=True
    ),
    DemoChannel(
        name="software",
        description="The tide display, the sensors, [the code](https://git.example).",
    ),
    DemoChannel(name="tea", description="Anything else :tea:"),
    DemoChannel(name="grants", description="Money. **Private.**", only=("vera", "mei", YOU)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoMessage:
    """A message. `to` is a channel and a topic, or people; `after` is minutes after the previous one."""

    by: str
    to: tuple[str, str] | frozenset[str]
    text: str
    after: int = 3
    reactions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Name of an emoji -> keys of reacting people."""
    votes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For a poll: option -> voters. For a to-do list: task -> people who check it off."""
    adds: tuple[tuple[str, str], ...] = ()
    """Options or tasks added later, with the people who add them."""
    edited: str | None = None
    """The text after an edit a minute later."""
    unread: bool = False
    """Whether the message is unread for the user who tries it out."""
    starred: bool = False


def _dm(*people: str) -> frozenset[str]:
    return frozenset((*people, YOU))


LENS = ("lamp room", "the lens is back")
MOTOR = ("lamp room", "✔ motor hums")
SCANS = ("logbooks", "scanning plan")
STORM = ("logbooks", "the storm of 1911")
TIDES = ("software", "tide display")
SENSORS = ("software", "sensor readings")
CAKE = ("tea", "cake on Friday")
SPRING = ("announcements", "opening day")
BUDGET = ("grants", "budget for spring")

SCRIPT: Final = (
    DemoMessage(
        by="mei",
        to=SPRING,
        text="@**all** We open on the first Saturday of May. :tada:\n\n"
        "Until then:\n1. the lens goes back up\n2. the logbooks are scanned, at least to 1920\n"
        "3. the tide display shows *tides*\n\nWho does what: see the topics.",
        reactions={"tada": ("vera", "tom", "iris"), EMOJI: ("tom", YOU)},
        starred=True,
    ),
    DemoMessage(
        by="tom",
        to=MOTOR,
        text="The motor has been humming since this morning, at about 100 Hz. Bearings?",
        after=200,
    ),
    DemoMessage(
        by="vera",
        to=MOTOR,
        text="100 Hz is the mains, not the bearings. Is the cover on?",
        after=14,
    ),
    DemoMessage(
        by="tom",
        to=MOTOR,
        text="> Is the cover on?\n\nIt is *now*. Silence. Thank you, and I will say no more.",
        after=41,
        reactions={"joy": ("vera", "mei", YOU)},
    ),
    DemoMessage(
        by="iris",
        to=SCANS,
        text="Numbers after the first week:\n\n"
        "| Years | Books | Pages | Scanned |\n|:---|---:|---:|:---:|\n"
        "| 1898–1905 | 14 | 4,208 | ✓ |\n| 1906–1913 | 15 | 4,390 | ✓ |\n"
        "| 1914–1920 | 13 | 3,871 | |\n\nAt this rate we are done in twelve days.",
        after=500,
        reactions={"rocket": ("mei",), "clap": ("tom", "vera")},
    ),
    DemoMessage(
        by="iris",
        to=SCANS,
        text="/todo Before the next box\ndust the scanner\nnew cotton gloves: size M\nask the archive about 1907",
        votes={"dust the scanner": ("sam",), "new cotton gloves": ("iris",)},
        adds=(("mei", "back up the scans"),),
    ),
    DemoMessage(
        by="iris",
        to=STORM,
        text="From the book of 1911, in the hand of the second keeper:\n\n"
        "```quote\nNov. 12. Wind W.S.W., force 11. Sea over the gallery rail. The lamp did not fail.\n```\n\n"
        "```spoiler Did the boat get in?\nIt did, at four in the morning, with everybody aboard.\n```",
        after=340,
        reactions={"heart": ("vera", "mei", "tom", "sam"), "anchor": ("tom",)},
        starred=True,
    ),
    DemoMessage(
        by="sam",
        to=STORM,
        text="I read this twice. Can we have it on the wall by the stairs?",
        after=22,
    ),
    DemoMessage(by="mei", to=STORM, text="Yes! @**{iris}** could you choose the page?", after=9),
    DemoMessage(
        by="tom",
        to=TIDES,
        text="The display is an hour late half of the year. Who stores *local* time‽\n\n"
        "```python\ndef next_high_water(now: datetime) -> datetime:\n"
        "    # TODO: summer time\n    return EPOCH + PERIOD * ceil((now - EPOCH) / PERIOD)\n```",
        after=610,
    ),
    DemoMessage(
        by="mei",
        to=TIDES,
        text="We do, apparently. `datetime.now(UTC)` everywhere, then it is one line:\n\n"
        "```diff\n-    now = datetime.now()\n+    now = datetime.now(UTC)\n```",
        after=12,
        edited="We do, apparently. `datetime.now(UTC)` everywhere, then it is one line:\n\n"
        "```diff\n-    now = datetime.now()\n+    now = datetime.now(UTC)\n```\n\nDone, and deployed.",
        reactions={"check": ("tom",), "tea": ("vera",)},
    ),
    DemoMessage(
        by="vera",
        to=TIDES,
        text="For the curious, what it computes: $$h(t) = \\sum_i A_i \\cos(\\omega_i t + \\varphi_i)$$,"
        " with the moon in the first term and the sun in the second.",
        after=33,
    ),
    DemoMessage(
        by="harbour",
        to=SENSORS,
        text="**Lamp room** 14.2 °C · humidity 61 % · door closed\n**Cellar** 9.8 °C · humidity 83 % :warning:",
        after=90,
    ),
    DemoMessage(
        by="tom",
        to=SENSORS,
        text="83 % is too much for paper. I'll move the boxes tonight.",
        after=7,
    ),
    DemoMessage(
        by="harbour",
        to=SENSORS,
        text="**Cellar** humidity 71 %, falling for 6 hours",
        after=600,
        reactions={"thumbs_up": ("tom", "iris")},
    ),
    DemoMessage(
        by="vera",
        to=CAKE,
        text="/poll Which cake on Friday?\nCardamom buns\nLemon\nWhatever Tom bakes",
        after=55,
        votes={"Cardamom buns": ("vera", "iris", "mei"), "Lemon": ("sam",)},
        adds=(("tom", "Anything but what Tom bakes"),),
        unread=True,
    ),
    DemoMessage(
        by="tom",
        to=CAKE,
        text="I feel seen. :cake:",
        reactions={"joy": ("vera", "iris")},
        unread=True,
    ),
    DemoMessage(
        by="vera",
        to=BUDGET,
        text="The foundation asks for three offers for the railing. Two are here; the third comes"
        " <time:2031-05-02T10:00:00+02:00>, they say.",
        after=45,
    ),
    DemoMessage(
        by="mei",
        to=BUDGET,
        text="Here is the sheet as it stands: {plan}. @**{you}** please look at line 3 before we send it.",
        after=16,
        unread=True,
    ),
    DemoMessage(
        by="mei",
        to=_dm("mei"),
        text="Welcome aboard! Ask me anything, here or in the open.",
        after=20,
    ),
    DemoMessage(by=YOU, to=_dm("mei"), text="Thank you :wave: Where do I begin?", after=4),
    DemoMessage(
        by="mei",
        to=_dm("mei"),
        text="With anything unread, I would say. The lens is the exciting one.",
        after=6,
        unread=True,
    ),
    DemoMessage(
        by="tom",
        to=_dm("tom", "vera"),
        text="Ferry at 8:10 tomorrow, three of us in the van? I'll bring the straps.",
        after=30,
        reactions={"thumbs_up": ("vera",)},
        unread=True,
    ),
    DemoMessage(
        by="tom",
        to=LENS,
        text="It is **up**. 2.6 tonnes of glass, not a scratch.\n\n{picture}",
        after=25,
        reactions={EMOJI: ("vera", "mei", "iris"), "tada": ("sam", "iris"), "heart": ("mei",)},
        unread=True,
    ),
    DemoMessage(
        by="vera",
        to=LENS,
        text="* [x] crane\n* [x] lens\n* [ ] alignment\n\n@*keepers* who is there on Thursday to hold the lamp?",
        after=8,
        unread=True,
    ),
    DemoMessage(
        by="mei",
        to=LENS,
        text="Me. @**{you}** come along if you like: it is worth the 164 steps.\n\n"
        "How the light is made is in #**logbooks>the storm of 1911**, by the way.",
        after=5,
        unread=True,
    ),
)
