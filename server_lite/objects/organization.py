"""Playgrounds, domains, linkifiers, custom emoji and invitations as the API's JSON. Reads only."""

from typing import NotRequired

from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.store import custom_emoji, domains, linkifiers, playgrounds
from server_lite.store.connection import Db
from server_lite.store.custom_emoji import EmojiRow
from server_lite.store.domains import DomainRow
from server_lite.store.invites import InviteRow


class PlaygroundObject(TypedDict):
    """A site that runs code of a language."""

    id: int
    name: str
    pygments_language: str
    url_template: str


class DomainObject(TypedDict):
    """A domain whose addresses may join."""

    domain: str
    allow_subdomains: bool


def playground_objects(db: Db) -> list[PlaygroundObject]:
    """Return all Playground objects."""
    return [
        {
            "id": one.id,
            "name": one.name,
            "pygments_language": one.pygments_language,
            "url_template": one.url_template,
        }
        for one in playgrounds.everything(db)
    ]


def domain_object(row: DomainRow) -> DomainObject:
    """Return the Domain object."""
    return {"domain": row.domain, "allow_subdomains": row.allow_subdomains}


def domain_objects(db: Db) -> list[DomainObject]:
    """Return all domains by name."""
    return [domain_object(row) for row in domains.everything(db)]


class LinkifierObject(TypedDict):
    """A pattern, and the URLs that its matches become."""

    id: int
    pattern: str
    url_template: str
    example_input: str | None
    reverse_template: str | None
    alternative_url_templates: list[str]


def linkifier_objects(db: Db) -> list[LinkifierObject]:
    """Return all linkifiers in their order."""
    return [
        {
            "id": one.id,
            "pattern": one.pattern,
            "url_template": one.url_template,
            "example_input": one.example_input,
            "reverse_template": one.reverse_template,
            "alternative_url_templates": list(one.alternative_url_templates),
        }
        for one in linkifiers.everything(db)
    ]


class EmojiObject(TypedDict):
    """A custom emoji; `author_id` is null if unknown."""

    id: str
    name: str
    source_url: str
    still_url: str | None
    deactivated: bool
    author_id: UserId | None


def image_url(emoji: EmojiRow) -> str:
    """Return the URL of the image on this server."""
    return f"/user_avatars/1/emoji/images/{emoji.id}.{emoji.extension}"


def emoji_object(emoji: EmojiRow) -> EmojiObject:
    """Return the RealmEmoji object. Animated images have no still form."""
    return {
        "id": str(emoji.id),
        "name": emoji.name,
        "source_url": image_url(emoji),
        "still_url": None,
        "deactivated": emoji.deactivated,
        "author_id": emoji.author_id,
    }


def emoji_map(db: Db) -> dict[str, EmojiObject]:
    """Return all emoji by ID, deactivated ones included."""
    return {str(emoji.id): emoji_object(emoji) for emoji in custom_emoji.everything(db)}


class InviteObject(TypedDict):
    """An invitation; times in UNIX seconds. `email` only if it is for one person, else many can use it."""

    id: int
    invited_by_user_id: int
    invited: int
    expiry_date: int | None
    invited_as: int
    notify_referrer_on_join: bool
    is_multiuse: bool
    email: NotRequired[str]
    link_url: NotRequired[str]


def invite_object(invite: InviteRow, link: str | None) -> InviteObject:
    """Return the Invite object; `link` is None where it is not shown."""
    terms = invite.terms
    result: InviteObject = {
        "id": invite.id,
        "invited_by_user_id": invite.inviter_id,
        "invited": int(invite.created),
        "expiry_date": None if terms.expires is None else int(terms.expires),
        "invited_as": terms.role,
        "notify_referrer_on_join": terms.notify_inviter,
        "is_multiuse": invite.is_multiuse,
    }
    if invite.email is not None:
        result["email"] = invite.email
    if link is not None:
        result["link_url"] = link
    return result
