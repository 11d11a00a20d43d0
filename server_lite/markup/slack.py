"""Converts messages for Slack's incoming webhooks to Markdown: text, blocks, attachments. Pure.

The values are untrusted and of any type: those that are not text are skipped. They mention nobody,
because Slack's mentions refer to other people.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final, cast

from server_lite.markup.untrusted_text import without_mentions

MAX_PARTS: Final = 200
"""Limit of blocks, fields and elements."""
MAX_CHARACTERS: Final = 40_000
"""Limit of all texts together: as many as Slack accepts in one, and more than fit in a message here."""
_MAX_VALUES: Final = 10_000
_MAX_DEPTH: Final = 12

_CODE: Final = re.compile(r"(```.*?```|`[^`\n]+`)", re.DOTALL)
# Neither matches past the next `<`: otherwise a text of many would be read to its end from each.
_LINK: Final = re.compile(r"<((?:https?|mailto):[^|<>\s]+)(?:\|([^<>\n]*))?>")
_NAME: Final = re.compile(r"<([@#!])([^|<>\n]*)(?:\|([^<>\n]*))?>")
_STYLES: Final = (
    (re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])"), "**"),
    (re.compile(r"(?<![\w~])~(?=\S)([^~\n]+?)(?<=\S)~(?![\w~])"), "~~"),
)
_ITALIC: Final = re.compile(r"(?<![\w_/])_(?=\S)([^_\n]+?)(?<=\S)_(?![\w_])")


Named = Callable[[str, str, str | None], str]
"""Converts a mention: its sign (`@`, `#` or `!`), its ID or word, and its label, if any."""


def _named(sign: str, name: str, label: str | None) -> str:
    """Return `<@U1|ann>`, `<#C1|tea>`, `<!here>` as plain text."""
    mark = "#" if sign == "#" else "@"
    return f"{mark}{label or name.partition('^')[0]}"


def markdown(text: str, named: Named = _named) -> str:
    """Return text in Slack's format as Markdown; code stays as it is. `named` converts mentions."""
    parts = _CODE.split(text)
    return "".join(
        _unescaped(part) if number % 2 else _styled(part, named)
        for number, part in enumerate(parts)
    )


def _styled(text: str, named: Named) -> str:
    text = _ITALIC.sub(r"*\1*", _marked(text))
    text = _LINK.sub(_link, text)
    text = _NAME.sub(lambda match: named(match[1], match[2], match[3]), text)
    return _unescaped(text)


def _unescaped(text: str) -> str:
    """Return the text with the three characters unescaped that Slack escapes."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _marked(text: str) -> str:
    for pattern, mark in _STYLES:
        text = pattern.sub(rf"{mark}\1{mark}", text)
    return text


def _link(match: re.Match[str]) -> str:
    text = (match[2] or "").strip()
    return f"[{text}]({match[1]})" if text else match[1]


def message_of(payload: Mapping[str, object]) -> str:
    """Return the whole message: its blocks, or else its text, then its attachments; empty if none.

    Nothing is read beyond `MAX_CHARACTERS`: a megabyte costs no more than a long message.
    """
    fields = {name: payload.get(name) for name in ("blocks", "text", "attachments")}
    read = cast(dict[str, object], _Room().trimmed(fields))
    blocks = [part for block in _dicts(read["blocks"]) for part in _block(block)]
    parts = blocks or [markdown(_text(read["text"]))]
    for attachment in _dicts(read["attachments"]):
        parts += _attachment(attachment)
    # At the end, covering all parts: an invisible character breaks up every mention.
    return without_mentions("\n\n".join(part for part in parts if part.strip()))


class _Room:
    """Remaining limits while a payload is traversed."""

    def __init__(self) -> None:
        self.characters = MAX_CHARACTERS
        self.values = _MAX_VALUES

    def trimmed(self, value: object, depth: int = 0) -> object:
        """Return the value within the limits: texts are truncated, values nested too deeply are None."""
        self.values -= 1
        if isinstance(value, str):
            value = value[: self.characters]
            self.characters -= len(value)
            return value
        if depth == _MAX_DEPTH or not isinstance(value, dict | list):
            return None
        if isinstance(value, list):
            return [
                self.trimmed(one, depth + 1) for one in value[: max(0, min(MAX_PARTS, self.values))]
            ]
        names = islice(value, max(0, min(MAX_PARTS, self.values)))
        return {name: self.trimmed(value[name], depth + 1) for name in names}


def _block(block: Mapping[str, object]) -> Iterator[str]:
    kind = block.get("type")
    if kind == "header":
        yield f"## {_text(block.get('text'))}"
    elif kind == "section":
        yield _mrkdwn(block.get("text"))
        yield "\n".join(f"* {_mrkdwn(one)}" for one in _dicts(block.get("fields")))
        yield _element(block.get("accessory"))
    elif kind in ("context", "actions"):
        yield " ".join(_element(one) for one in _dicts(block.get("elements")))
    elif kind == "image":
        yield _element(block)
    elif kind == "divider":
        yield "----"
    elif kind == "rich_text":
        yield "\n".join(_rich(one) for one in _dicts(block.get("elements")))


def _element(element: object) -> str:
    """Return an image, a link button, or text."""
    if not isinstance(element, dict):
        return ""
    if element.get("type") == "image":
        text = _text(element.get("alt_text")) or "image"
        return _address(text, element.get("image_url"))
    if element.get("type") == "button":
        return _address(_text(element.get("text")), element.get("url"))
    return _mrkdwn(element)


def _rich(element: Mapping[str, object], depth: int = 0) -> str:
    """Return rich text, with a limited depth of nested elements."""
    kind = element.get("type")
    if kind == "link":
        return _address(_text(element.get("text")), element.get("url"))
    if kind == "emoji":
        return f":{_text(element.get('name'))}:"
    if kind in ("user", "usergroup", "broadcast", "channel"):
        return f"@{_text(element.get('range')) or kind}"
    if depth > 4 or "elements" not in element:
        return _text(element.get("text"))
    inner = [_rich(one, depth + 1) for one in _dicts(element["elements"])]
    if kind == "rich_text_preformatted":
        return "```\n{}\n```".format("".join(inner))
    if kind == "rich_text_list":
        return "\n".join(f"* {one}" for one in inner)
    if kind == "rich_text_quote":
        return "> " + "".join(inner).replace("\n", "\n> ")
    return "".join(inner)


def _attachment(attachment: Mapping[str, object]) -> Iterator[str]:
    parts = [markdown(_text(attachment.get("pretext")))]
    if title := _text(attachment.get("title")):
        parts.append(f"## {_address(title, attachment.get('title_link'))}")
    parts.append(markdown(_text(attachment.get("text"))))
    for block in _dicts(attachment.get("blocks")):
        parts += _block(block)
    parts.append(
        "\n".join(
            f"* **{_text(field.get('title'))}**: {markdown(_text(field.get('value')))}"
            for field in _dicts(attachment.get("fields"))
        )
    )
    if url := _text(attachment.get("image_url")):
        parts.append(_address("image", url))
    if footer := _text(attachment.get("footer")):
        parts.append(f"*{footer}*")
    if not any(part.strip() for part in parts):
        parts = [markdown(_text(attachment.get("fallback")))]
    yield from parts


def _mrkdwn(value: object) -> str:
    """Return the text of a text object as Markdown; plain text is shown as it is."""
    if isinstance(value, dict) and value.get("type") == "plain_text":
        return _text(value)
    return markdown(_text(value))


def _address(text: str, url: object) -> str:
    if not isinstance(url, str) or not url.startswith(("https://", "http://")) or " " in url:
        return text
    return f"[{text or url}]({url})"


def _text(value: object) -> str:
    """Return the text, or that of a text object."""
    if isinstance(value, dict):
        value = value.get("text")
    return value if isinstance(value, str) else ""


def _dicts(value: object) -> list[dict[str, object]]:
    given = value[:MAX_PARTS] if isinstance(value, list) else []
    return [one for one in given if isinstance(one, dict)]
