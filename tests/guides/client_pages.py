"""What the commands of the pages for people, bots and scripts need, and do. Ann types them beside a server."""

from typing import Final

from tests.guides.organization import OWNER, PASSWORD, make_organization
from tests.guides.shell import Machine, Step

NEW_ACCOUNT: Final = {
    "Your name: ": "Cleo",
    "Your email address: ": "cleo{n}@example.com",
    "characters): ": PASSWORD,
    "Repeat the password: ": PASSWORD,
}
"""Answers to the questions of `chinwag join`."""


def prepare_ann(machine: Machine) -> None:
    """Sign Ann in to a server that is also here, with an invitation link."""
    newest = make_organization(machine.folder / "team.db")
    machine.serve("chinwag-server serve --db team.db --port 0 --mail-domain chat.example.com")
    assert machine.run("chinwag-server invite --many --db team.db") == 0
    link = machine.output.split()[-1]
    machine.words |= {
        "'https://chat.example.com/join/…'": link,
        "LINK": link,
        "https://chat.example.com": machine.url,
        "SERVER": machine.url,
        "ADDRESS": OWNER,
        **dict.fromkeys(("4711", "ID"), str(newest)),
    }
    sign_in(machine)


def sign_in(machine: Machine) -> None:
    """Sign Ann in."""
    assert machine.run(f"chinwag login {machine.url} --email {OWNER}", f"{PASSWORD}\n") == 0


def says(machine: Machine, words: str, text: str) -> bool:
    """Whether a command of Ann's prints a text."""
    assert machine.run(f"chinwag {words}") == 0, machine.output
    return text in machine.output


def has(name: str, text: str) -> Step:
    """Return a step that writes a file with a text."""
    return Step(does=lambda here: text in (here.folder / name).read_text())


def keep_zuliprc(machine: Machine) -> bool:
    """Write the zuliprc file of the bot that a command created."""
    email, *_, key = machine.output.split()
    file = machine.folder / "news.zuliprc"
    file.touch(0o600)
    file.write_text(f"[api]\nsite = {machine.url}\nemail = {email}\nkey = {key}\n")
    return machine.run("chinwag --zuliprc news.zuliprc api users/me") == 0


def receive(machine: Machine) -> None:
    """Let a mail server hand over an email for #ops; the organization is where the page has it."""
    assert machine.run("chinwag channels ops --email") == 0, machine.output
    machine.words["${original_recipient}"] = machine.output.split()[-1]
    (machine.folder / "srv").mkdir()
    (machine.folder / "srv/chat").symlink_to(machine.folder)


BOTS: Final = {
    "chinwag-server bot create --db team.db --short-name news --name News": Step(does=keep_zuliprc),
    "chinwag --zuliprc news.zuliprc send --to '#ops > backups' 'Done.'": Step(
        does=lambda here: says(here, "tail --narrow channel:ops", "News: Done.")
    ),
    "chinwag --zuliprc news.zuliprc tail -f --json --narrow 'channel:ops'": Step(
        says='"text": "Done."', stopped=True
    ),
}

SCRIPTING: Final = {
    "chinwag send --to '#design > colors' TEXT": Step(
        does=lambda here: says(here, "tail --narrow topic:colors", "Ann: green kettles")
    ),
    "chinwag send --dm ann@example.com,ben@example.com": Step(
        typed="by pipe\n",
        does=lambda here: says(here, "tail --narrow dm:ben@example.com", "by pipe"),
    ),
    "chinwag send --reply-to ID TEXT": Step(
        does=lambda here: says(here, "tail --narrow channel:alerts", "Ann: green kettles")
    ),
    "… --file report.pdf": Step(
        before=lambda here: (here.folder / "report.pdf").write_bytes(b"%PDF-1.4"),
        does=lambda here: says(here, "tail -n 1", "⏎ report.pdf"),
    ),
    "chinwag tail -f [--narrow WORDS]": Step(says="kettle", stopped=True),
    "chinwag search WORDS [-n N]": Step(says="kettle"),
    "chinwag channels": Step(says="#design"),
    "chinwag people": Step(says="ben@example.com"),
    "chinwag channels NAME [--topics]": Step(instead=({"NAME": "design"},)),
    "chinwag people WHO": Step(says="ben@example.com"),
    "chinwag people WHO --channel NAME": Step(instead=({"NAME": "design"},), says="yes"),
    "chinwag status [TEXT] [--emoji NAME] [--clear]": Step(instead=({"NAME": "coffee"},)),
    "chinwag groups NAME": Step(instead=({"NAME": "role:owners"},), says="Ann"),
    "chinwag push [TOKEN] [--apple APP] [--remove]": Step(typed="abcd\n"),
    "chinwag api users/me": Step(says='"email"'),
    "chinwag join LINK [--name NAME] [--email ADDRESS]": Step(
        instead=({"ADDRESS": "dee@example.com", "NAME": "Dee"},),
        prompts=NEW_ACCOUNT,
        says="example.com at http",
    ),
    "chinwag logout [--yes]": Step(before=sign_in, prompts={"Type yes to continue: ": "yes"}),
    "chinwag login SERVER --email ADDRESS": Step(typed=f"{PASSWORD}\n", says=OWNER),
    "chinwag tail -f --json --narrow 'channel:alerts' | jq -r 'select(.text | test(\"disk\")) | .link'": Step(
        before=sign_in, instead=({"jq": "jq --unbuffered"},), says="/#narrow/", stopped=True
    ),
    "chinwag export --narrow 'channel:design topic:\"new logo\"' --format html --out logo.html": has(
        "logo.html", "a kettle, I think"
    ),
    "chinwag export --narrow 'dm:ann@example.com' --out ann.md": has("ann.md", "#"),
    "chinwag send --key \"backup-$(date +%F)\" --to '#ops > backups' TEXT": Step(
        does=lambda here: says(here, "tail --narrow channel:ops", "Ann: green kettles")
    ),
    "chinwag completions fish > ~/.config/fish/completions/chinwag.fish": Step(
        before=lambda here: (here.folder / "home/.config/fish/completions").mkdir(parents=True),
        does=lambda here: (here.folder / "home/.config/fish/completions/chinwag.fish").read_text(),
    ),
}
INSTALL: Final = {
    "chinwag login https://chat.example.com --email ann@example.com": Step(
        typed=f"{PASSWORD}\n", says=OWNER
    ),
    "chinwag join LINK": Step(prompts=NEW_ACCOUNT, says="cleo1@example.com"),
}
FIRST_STEPS: Final = {
    "chinwag-server demo --db demo.db": Step(says="chinwag-server serve --db demo.db"),
    "chinwag join LINK": Step(prompts=NEW_ACCOUNT, says="cleo1@example.com"),
}
ORGANIZATION: Final = {
    "chinwag join 'https://chat.example.com/join/…'": Step(
        prompts=NEW_ACCOUNT, says="cleo1@example.com"
    )
}
EMAIL: Final = {
    "/usr/local/bin/chinwag-server mail --db /srv/chat/team.db ${original_recipient}": Step(
        before=receive,
        typed="From: Zoe <zoe@example.org>\nMessage-ID: <1@example.org>\nSubject: Ordering\n\nTwo kettles.\n",
        does=lambda here: says(here, "tail --narrow 'channel:ops topic:Ordering'", "Two kettles."),
    )
}


def prepare_scripting(machine: Machine) -> None:
    """Give the words of the table a meaning."""
    prepare_ann(machine)
    machine.words |= {
        "TEXT": "'green kettles'", "EMOJI": "tada", "N": "50", "WORDS": "kettle", "FILE": "out.md",
        "WHO": "ben", "TOKEN": "abcd", "APP": "org.x", "VERB": "GET", "PATH": "users/me",
        "NAME=VALUE": "include_custom_profile_fields=true",
    }  # fmt: skip
    machine.beginnings["… --file"] = "chinwag send --to '#design > colors' report --file {}"


def prepare_client(machine: Machine) -> None:
    """Give the word of the page a meaning."""
    machine.words["COMMAND"] = "send"
