"""What the commands of the pages for whoever runs a server need, and do: hosting, moving."""

import json
import shutil
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.guides.organization import PASSWORD, add_person, make_organization
from tests.guides.pages import commands
from tests.guides.shell import Machine, Step
from tests.unit.server_lite.data_import import test_mattermost, test_mbox, test_slack

PEM: Final = Path(__file__).parents[1] / "e2e" / "self_signed.pem"
BACKUP: Final = "team-20250615T040000Z.db"
KEY: Final = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBNJSFB8O6yoQ3c9hVg6EYuTnBusEYhFu9gh+JUzyChG ann@example.com"
FINGERPRINT: Final = "SHA256:QLqwQ3O1S4cD6Ln0lwCAp2zSAcbhfrO8/U3fbgMnxwQ"
INIT: Final = (
    "chinwag-server init --db team.db --realm-name Tea --owner-email ann@example.com"
    " --owner-name Ann --owner-password-stdin"
)


def lose(machine: Machine) -> None:
    """Stop the server and lose its file with all that is beside it."""
    machine.stop()
    for path in machine.folder.glob("team.db*"):
        path.unlink()


def copy(machine: Machine, to: str) -> None:
    """Copy the organization, with its key."""
    machine.stop()
    target = machine.folder / to
    target.parent.mkdir(parents=True, exist_ok=True)
    for suffix in ("", ".key"):
        shutil.copy(machine.folder / f"team.db{suffix}", f"{target}{suffix}")


def backups(machine: Machine, folder: str = "backups") -> int:
    """Count the backups in a folder, and let the last be the one that the pages name."""
    made = sorted((machine.folder / folder).glob("team-*.db"))
    machine.words[BACKUP] = made[-1].name
    return len(made)


def note_bot(machine: Machine) -> bool:
    """Note the address of the bot that a command created, and whether it also printed a key."""
    address, *_, key = machine.output.split()
    machine.words["ADDRESS-OF-BOT"] = address
    return "@" in address and len(key) == 32


def accounts(machine: Machine, db: str = "team.db") -> str:
    """Return what `user list` prints."""
    assert machine.run(f"chinwag-server user list --db {db}") == 0, machine.output
    return machine.output


def certificate(machine: Machine) -> None:
    """Put a certificate where the page says that it is."""
    folder = machine.folder / "etc/letsencrypt/live/chat.example.com"
    folder.mkdir(parents=True)
    for name in ("fullchain.pem", "privkey.pem"):
        (folder / name).touch(0o600)
        (folder / name).write_text(PEM.read_text())


def shows_metrics(machine: Machine) -> bool:
    """Whether the key of the page opens the figures."""
    file = machine.folder / "metrics.key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    bearer = {"Authorization": f"Bearer {file.read_text().strip()}"}
    return "chinwag_database_writable" in machine.get("/metrics", bearer)


def lines(machine: Machine, name: str) -> set[str]:
    """Return the email addresses of the people in an export."""
    records = map(json.loads, (machine.folder / name).read_text().splitlines())
    return {each["email"] for each in records if each["type"] == "person" and each.get("email")}


HOSTING: Final = {
    INIT: Step(typed=f"{PASSWORD}\n", says="Tea is ready"),
    "chinwag-server serve --db team.db --host 127.0.0.1 --port 9991": Step(
        does=lambda here: "Tea" in here.get("/api/v1/server_settings")
    ),
    "chinwag-server demo --db demo.db": Step(says="chinwag-server serve --db demo.db"),
    "user add --email E --name N [--role member] --password-stdin": Step(
        typed=f"{PASSWORD}\n",
        instead=({"E": "ben@example.com", "N": "Ben"}, {"E": "cleo@example.com", "N": "Cleo"}),
    ),
    "user list [--json]": Step(says="cleo@example.com"),
    "user set-password --email E --password-stdin": Step(typed="another password\n"),
    "user set-role --email E --role owner": Step(
        does=lambda here: accounts(here).count("owner") == 2
    ),
    "channel add --name N": Step(instead=({"N": "design"},)),
    "channel list [--json]": Step(says="design"),
    "invite [--email E] [--many] [--days 10]": Step(
        says="/join/", instead=({"E": "dee@example.com"},)
    ),
    "invite --list": Step(says="dee@example.com"),
    "bot create --short-name news --name News": Step(does=note_bot),
    "bot key --email E [--new]": Step(instead=({"E": "ADDRESS-OF-BOT"},)),
    "chinwag-server backup --db team.db /backups/ --keep 14": Step(
        says="verified", does=lambda here: backups(here) == 1
    ),
    f"chinwag-server restore /backups/{BACKUP} --db team.db": Step(
        before=lose, does=lambda here: "ben@example.com" in accounts(here)
    ),
    "chinwag-server serve --db team.db --host 0.0.0.0 --port 443 --name chat.example.com"
    " --tls-cert /etc/letsencrypt/live/chat.example.com/fullchain.pem"
    " --tls-key /etc/letsencrypt/live/chat.example.com/privkey.pem": Step(
        before=certificate, does=lambda here: here.url.startswith("https://")
    ),
    "/opt/chinwag/bin/chinwag-server serve --db /var/lib/chinwag/team.db"
    " --name chat.example.com": Step(before=lambda here: copy(here, "var/lib/chinwag/team.db")),
    "/opt/chinwag/bin/chinwag-server backup --db /var/lib/chinwag/team.db"
    " /var/lib/chinwag-backups --keep 14": Step(
        before=lambda here: (here.folder / "var/lib/chinwag-backups").mkdir(),
        does=lambda here: backups(here, "var/lib/chinwag-backups") == 1,
    ),
    "podman run --rm --interactive --volume team:/data chinwag init --db /data/team.db"
    " --realm-name Tea --owner-email ann@example.com --owner-name Ann"
    " --owner-password-stdin": Step(typed=f"{PASSWORD}\n", says="Tea is ready"),
    "podman exec team chinwag-server backup --db /data/team.db /data/backups/ --keep 14": Step(
        does=lambda here: backups(here, "data/backups") == 1
    ),
    "chinwag-server serve --db team.db --metrics-key-file metrics.key --log-format json"
    " --log-level info": Step(does=shows_metrics),
    "chinwag-server backup --db recovered.db recovered-copy.db": Step(
        before=lambda here: copy(here, "recovered.db"), says="verified"
    ),
    "chinwag-server restore recovered-copy.db --db team.db --force": Step(
        does=lambda here: len(list(here.folder.glob("team.db.before-*"))) >= 1
    ),
    "chinwag-server export --db team.db --out team.jsonl": Step(
        does=lambda here: "ben@example.com" in lines(here, "team.jsonl")
    ),
    "chinwag-server import team.jsonl --db new.db": Step(
        does=lambda here: accounts(here, "new.db") == accounts(here)
    ),
}


README: Final = {INIT: Step(typed=f"{PASSWORD}\n", says="Tea is ready")}
SSH: Final = {
    "chinwag ssh-keys fingerprint --state DIR": Step(says="SHA256:"),
    "chinwag ssh-keys import --state DIR": Step(typed=f"{KEY}\n"),
    "chinwag ssh-keys import ann@example.com --state DIR": Step(typed=f"{KEY}\n"),
    "chinwag ssh-keys revoke KEY --state DIR": Step(
        instead=({"KEY": FINGERPRINT},),
        does=lambda here: here.run("chinwag ssh-keys list --state DIR") == 0 and not here.output,
    ),
}


def prepare_hosting(machine: Machine) -> None:
    """Give the page's words a meaning."""
    machine.words |= {"E": "ben@example.com", "NUMBER": "1"}
    # A container runs the same programs; what is left out separates it from the machine.
    for beginning in ("podman run --rm ", "podman run --detach "):
        (command,) = (
            each for each in commands("docs/guide/hosting.md") if each.startswith(beginning)
        )
        before, _, _ = command.partition(" chinwag ")
        machine.beginnings[f"{before} chinwag "] = "chinwag-server {}"
    machine.beginnings["podman exec team "] = "{}"
    for group in ("user", "channel", "bot", "invite"):  # “Each takes --db team.db”
        machine.beginnings[f"{group} "] = f"chinwag-server {group} {{}} --db team.db"


def arrive(machine: Machine) -> bool:
    """Copy the backup with its key, as on another machine; there is no organization yet."""
    lose(machine)
    for file in (machine.folder / "backups").glob("team-*.db*"):
        shutil.copy(file, machine.folder)
    return backups(machine) == 1


def from_zulip(machine: Machine) -> None:
    """Lose the organization; an export is there."""
    lose(machine)
    shutil.copy(machine.folder / "team.tar.gz", machine.folder / "export.tar.gz")


def from_slack(machine: Machine) -> None:
    """Lose the organization; an export of Slack is there."""
    lose(machine)
    files = test_slack.LISTS | test_slack.DAYS
    test_slack.packed(machine.folder / "Team Slack export.zip", files)


def from_mattermost(machine: Machine) -> None:
    """Lose the organization; an export of Mattermost is there."""
    lose(machine)
    lines = test_mattermost.written(machine.folder / "import.jsonl", test_mattermost.LINES)
    with zipfile.ZipFile(machine.folder / "export.zip", "w") as out:
        out.write(lines, "import.jsonl")


def from_mailing_list(machine: Machine) -> None:
    """Lose the organization; the archive of a mailing list is there."""
    lose(machine)
    mailbox = test_mbox.MAILBOX.replace(b"@x.org", b"@example.com")
    (machine.folder / "tea.mbox").write_bytes(mailbox)


def import_again(machine: Machine) -> None:
    """Go back to the organization of the first import; meanwhile Cleo has joined where it came from."""
    there = machine.folder / "there.db"
    (old,) = (machine.folder / "backups").glob("team-*.db")
    shutil.copy(old, there)
    add_person(there, "cleo@example.com")
    from_zulip(machine)
    for line in (
        "chinwag-server export --db there.db --format zulip --zulip 11 --out later.tar.gz",
        "chinwag-server import export.tar.gz --db team.db",
    ):
        assert machine.run(line) == 0, machine.output


def nothing_is_there(machine: Machine) -> bool:
    """Whether `--dry-run` created nothing."""
    return not (machine.folder / "team.db").exists()


def is_there(*emails: str) -> Callable[[Machine], bool]:
    """Return whether these people have accounts."""
    return lambda machine: all(email in accounts(machine) for email in emails)


MOVING: Final = {
    "chinwag-server backup --db team.db /backups/": Step(
        before=lambda here: make_organization(here.folder / "team.db"),
        says="verified",
        does=lambda here: backups(here) == 1,
    ),
    f"chinwag-server restore {BACKUP} --db team.db": Step(
        before=arrive, does=is_there("ann@example.com", "ben@example.com")
    ),
    "tar xzf team.tar.gz": Step(does=lambda here: (here.folder / "team/realm.json").exists()),
    "chinwag-server import export.tar.gz --db team.db --dry-run": Step(
        before=from_zulip, says="2 accounts", does=nothing_is_there
    ),
    "chinwag-server import export.tar.gz --db team.db": Step(
        does=is_there("ann@example.com", "ben@example.com")
    ),
    'chinwag-server import "Team Slack export.zip" --db team.db --dry-run': Step(
        before=from_slack, does=nothing_is_there
    ),
    'chinwag-server import "Team Slack export.zip" --db team.db': Step(does=is_there("ann@x.org")),
    "chinwag-server import export.zip --db team.db --dry-run": Step(
        before=from_mattermost, does=nothing_is_there
    ),
    "chinwag-server import export.zip --db team.db": Step(does=is_there("ann@")),
    "chinwag-server import tea.mbox --db team.db": Step(
        before=from_mailing_list, does=is_there("ann@example.com")
    ),
    "chinwag-server user set-role --db team.db --email ann@example.com --role owner": Step(
        does=is_there("owner")
    ),
    "chinwag-server user set-password --db team.db --email ann@example.com": Step(
        prompts={"New password: ": PASSWORD, "Repeat password: ": PASSWORD}
    ),
    "chinwag-server import later.tar.gz --db team.db --dry-run": Step(before=import_again),
    "chinwag-server import later.tar.gz --db team.db": Step(
        does=is_there("ben@example.com", "cleo@example.com")
    ),
}
