"""A bulk export of Mattermost as a source of records, in the order of the plain form. Reads only."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from server_lite.access.emoji import extension_of, is_emoji_name
from server_lite.access.uploads import PLAIN_TYPE, REALM, safe_name
from server_lite.data_import.checked import checked
from server_lite.data_import.digest import digest_of
from server_lite.data_import.emoji import code_of
from server_lite.data_import.mattermost import rows
from server_lite.data_import.mattermost.lines import Lines
from server_lite.data_import.mattermost.people import People
from server_lite.data_import.mattermost.text import markdown
from server_lite.data_import.names import ChannelNames
from server_lite.data_import.source import FileKeys, Named, Placed, walk
from server_lite.data_import.threads import Threads
from server_lite.errors import ApiError
from server_lite.export import format as form
from server_lite.export.paths import is_inside
from server_lite.ids import ChannelId, MessageId
from server_lite.markup.emoji import canonical_name
from server_lite.store.backups import Tell

TOPIC: Final = "imported from Mattermost"
"""Topic of channel messages outside of threads."""
LONGEST: Final = 20_000
LARGEST_EMOJI: Final = 1024 * 1024
_SAY_NOTHING: Final = {"version", "direct_channel", "role", "scheme"}
Where = tuple[str, str]
"""A channel: its team's name and its own."""


class MattermostExport:
    """`Source` for a file with lines; `folder` contains the files that they refer to, if any."""

    def __init__(self, path: Path, lines: Path, folder: Path | None) -> None:
        self.path = path
        self.numbers_stay = False
        self.left_out: Counter[str] = Counter()
        self._lines = Lines(lines)
        self._digested = lines if folder is None else folder
        self._folder = folder
        self._people = People()
        self._teams: list[rows.Team] = []
        self._channels: dict[Where, rows.Channel] = {}
        self._rooms: dict[Where, form.Channel] = {}
        self._members: dict[Where, dict[int, bool]] = defaultdict(dict)
        self._emoji: dict[str, form.Emoji] = {}
        self._files: dict[str, form.File] = {}
        self._file_keys = FileKeys()
        self._paths: dict[tuple[str, int], Path] = {}
        self._threads = Threads(TOPIC)

    def records(self, tell: Tell) -> Iterator[Placed]:
        """Yield all records. A first pass over the lines reads everything but the messages."""
        for where, kind, content in self._lines.small(walk(tell, 0, 30)):
            self._meet(where, kind, content)
        self._name_channels()
        yield str(self.path), form.Organization(settings={"name": self._name()})
        yield from self._people.records()
        for place, channel in self._rooms.items():
            yield f"The channel {place[1]}", channel
        for name, emoji in self._emoji.items():
            yield f"The emoji {name}", emoji
        for name, file in self._files.items():
            yield f"The file {name}", file
        number, second = 0, walk(tell, 30, 100)
        for where, post, entry in self._lines.posts():
            record = self._message(number + 1, post, entry)
            if record is not None:
                number += 1
                yield where, record
            second(number, len(self._lines))
        if self._people.names.made_up:
            self.left_out["email addresses that the export does not have"] = (
                self._people.names.made_up
            )

    def find(self, kind: Literal["uploads", "emoji", "avatars"], number: int) -> Path:
        """Return the path of an uploaded file or an emoji."""
        return self._paths[kind, number]

    def digest(self) -> str:
        """Return the digest of the lines and their files."""
        return digest_of(self._digested)

    def origin(self) -> str:
        """Identify the organization by the name of its first team, as the export has no IDs."""
        return f"mattermost {self._teams[0].name}" if self._teams else ""

    def key(self, record: Named) -> str:
        """Return the username, team or short channel name, which stay the same when display names change."""
        if isinstance(record, form.Person):
            return self._people.user_name(record.id)
        if isinstance(record, form.Channel):
            return next(
                "/".join(place) for place, one in self._rooms.items() if one.id == record.id
            )
        return self._file_keys.of(record)

    # First pass

    def _meet(self, where: str, kind: str, content: object) -> None:
        match kind:
            case "team":
                self._teams.append(checked(rows.Team, content, where))
            case "channel":
                channel = checked(rows.Channel, content, where)
                self._channels[channel.team, channel.name] = channel
            case "user":
                self._meet_user(checked(rows.User, content, where))
            case "bot":
                self._people.add_bot(checked(rows.Bot, content, where), joined=0.0)
            case "emoji":
                self._meet_emoji(checked(rows.Emoji, content, where))
            case "post":
                post = checked(rows.Post, content, where)
                for entry in (post, *(post.replies or ())):
                    self._meet_said(entry)
            case "direct_post":
                direct = checked(rows.DirectPost, content, where)
                for name in direct.channel_members:
                    self._people.number(name)
                for entry in (direct, *(direct.replies or ())):
                    self._meet_said(entry)
            case _ if kind not in _SAY_NOTHING:
                self.left_out[f"lines of the type {kind[:50]!r}"] += 1

    def _meet_user(self, user: rows.User) -> None:
        self._people.add(user, joined=0.0)
        number = self._people.number(user.username)
        for team in user.teams or ():
            for channel in team.channels or ():
                self._members[team.name, channel.name][number] = channel.favorite

    def _meet_said(self, entry: rows.Reply) -> None:
        owner = self._people.number(entry.user)
        for name in (*(one.user for one in entry.reactions or ()), *(entry.flagged_by or ())):
            self._people.number(name)
        for attachment in entry.attachments or ():
            path = self._inside(attachment.path)
            if path is None or attachment.path in self._files:
                self.left_out["files that are missing"] += path is None
                continue
            number = len(self._files) + 1
            self._paths["uploads", number] = path
            self._files[attachment.path] = form.File(
                id=number,
                path=f"{REALM}/mattermost/{number}/{safe_name(path.name)}",
                name=path.name,
                content_type=PLAIN_TYPE,
                person=owner,
                created=entry.create_at / 1000,
            )
            self._file_keys.add(self._files[attachment.path])

    def _meet_emoji(self, row: rows.Emoji) -> None:
        path = self._inside(row.image)
        if path is None or not is_emoji_name(row.name) or not _is_shown(path):
            self.left_out["custom emoji without an image that can be shown"] += 1
        elif row.name not in self._emoji:
            number = len(self._emoji) + 1
            self._paths["emoji", number] = path
            self._emoji[row.name] = form.Emoji(id=number, name=row.name)

    def _inside(self, name: str) -> Path | None:
        """Return a file beside the lines, or in the folder `data`."""
        if self._folder is None or not is_inside(name):
            return None
        for path in (self._folder / name, self._folder / "data" / name):
            if path.is_file() and path.resolve().is_relative_to(self._folder.resolve()):
                return path
        return None

    # Channels

    def _name(self) -> str:
        given = self._teams[0].display_name or self._teams[0].name if self._teams else ""
        kept = "".join(c for c in given if c.isprintable()).strip()
        return kept[:40] or "Mattermost"

    def _name_channels(self) -> None:
        """Name the channels. With several teams, all become private, so that nobody sees more than before."""
        names = ChannelNames()
        many = len({place[0] for place in self._channels}) > 1
        for place, row in self._channels.items():
            is_private = row.type != "O"
            if many and not is_private:
                self.left_out[
                    "public channels, which are private because there are several teams"
                ] += 1
                is_private = True
            number = ChannelId(len(self._rooms) + 1)
            name = row.display_name or row.name
            self._rooms[place] = form.Channel(
                id=number,
                name=names.name(f"{name} ({row.team})" if many else name),
                description=(row.purpose or row.header)[:1024],
                created=0.0,
                is_private=is_private,
                is_archived=bool(row.deleted_at),
                is_default=row.name == "town-square",
                people=[
                    form.Membership(
                        person=person, color="#a6c7e5", is_pinned=favorite, periods=[(0, None)]
                    )
                    for person, favorite in sorted(self._members[place].items())
                ],
            )

    # Messages

    def _message(
        self, number: int, post: rows.Post | rows.DirectPost, entry: rows.Reply
    ) -> form.Message | None:
        if (entry.type or "").startswith("system_"):
            self.left_out["notes of Mattermost itself (joins, renames)"] += 1
            return None
        place = (post.team, post.channel) if isinstance(post, rows.Post) else None
        room = None if place is None else self._rooms.get(place)
        if place is not None and room is None:
            self.left_out["messages of channels that are not in the export"] += 1
            return None
        content = self._content(entry, place)
        if not content:
            self.left_out["messages without a text"] += 1
            return None
        sender = self._people.number(entry.user)
        people: list[int] = []
        if isinstance(post, rows.DirectPost):
            members = {self._people.number(name) for name in post.channel_members}
            people = sorted({sender, *members})
        return form.Message(
            id=MessageId(number),
            sender=sender,
            channel=None if room is None else ChannelId(room.id),
            topic="" if room is None else self._topic(room, post, entry),
            people=people,
            content=content,
            time=max(entry.create_at, post.create_at) / 1000,
            client="Mattermost",
            edited=entry.edit_at / 1000 if entry.edit_at else None,
            reactions=self._reactions(entry),
            flags=self._flags(entry),
        )

    def _topic(
        self, room: form.Channel, post: rows.Post | rows.DirectPost, entry: rows.Reply
    ) -> str:
        if not post.replies:
            return TOPIC
        thread = f"{post.user} {post.create_at}"
        first = entry.message if entry is post else ""
        return self._threads.topic(str(room.id), thread, first, post.create_at / 1000)

    def _content(self, entry: rows.Reply, place: Where | None) -> str:
        def channel(name: str) -> str | None:
            room = None if place is None else self._rooms.get((place[0], name))
            return None if room is None else f"#**{room.name}**"

        text = markdown(entry.message.replace("\0", ""), self._people.mention, channel).strip()
        if entry.type == "me":
            text = f"/me {text.strip('*')}"
        links = [
            f"[{file.name}](/user_uploads/{file.path})"
            for attachment in entry.attachments or ()
            if (file := self._files.get(attachment.path)) is not None
        ]
        content = "\n".join(part for part in (text, *links) if part)
        if len(content) > LONGEST:
            self.left_out["ends of messages that are too long"] += 1
            content = content[: LONGEST - 20] + "\n[message cut]"
        return content

    def _reactions(self, entry: rows.Reply) -> list[form.Reaction]:
        reactions: dict[tuple[int, str], form.Reaction] = {}
        for one in entry.reactions or ():
            own, code = self._emoji.get(one.emoji_name), code_of(one.emoji_name)
            person = self._people.number(one.user)
            if own is not None:
                code = str(own.id)
                reaction = form.Reaction(
                    person=person, name=own.name, kind="realm_emoji", code=code
                )
            elif code is not None:
                name = canonical_name(code)
                reaction = form.Reaction(person=person, name=name, kind="unicode_emoji", code=code)
            else:
                self.left_out["reactions with emoji that are not known here"] += 1
                continue
            reactions[person, f"{reaction.kind} {code}"] = reaction
        return list(reactions.values())

    def _flags(self, entry: rows.Reply) -> dict[str, list[int]]:
        starred = sorted({self._people.number(name) for name in entry.flagged_by or ()})
        return {"starred": starred} if starred else {}


def _is_shown(image: Path) -> bool:
    try:
        extension_of(image.read_bytes() if image.stat().st_size <= LARGEST_EMOJI else b"")
    except ApiError:
        return False
    return True
