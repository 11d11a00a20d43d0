"""Extracts an email's own text: without the quoted email, and without the signature. Pure."""

import re
from collections.abc import Sequence
from typing import Final

_SIGNATURE: Final = re.compile(r"-- ?")
_SAYS: Final = re.compile(
    r"-{2,}\s?(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Message d'origine)\s?-{2,}",
    re.IGNORECASE,
)
_INTRODUCES: Final = re.compile(
    r"(?:On|Am|Le|El|Il|Op|Em|Den) .{4,300}(?:wrote|schrieb.{0,80}|écrit|escribió|scritto|schreef.{0,80}|escreveu|skrev.{0,80})\s?:"
)
_HEADER: Final = re.compile(r"(?:From|Von|De|Da|Van):\s.{1,300}")
_OTHER_HEADER: Final = re.compile(
    r"(?:Sent|Date|To|Subject|Gesendet|Datum|An|Betreff|Envoyé|À|Objet|Enviado|Para|Asunto):\s.{0,300}"
)
_INTRODUCTION_LINES: Final = 3
"""Programs wrap the line that introduces a quote."""


def written(text: str) -> str:
    """Return the text without signature and trailing quotes; all of it if nothing else is left."""
    lines = text.split("\n")
    lines = lines[: _first_quoted(lines)]
    while lines and (not lines[-1].strip() or lines[-1].startswith(">")):
        lines.pop()
    lines = _without_introduction(lines)
    lines = lines[: _signature(lines)]
    return "\n".join(lines).strip() or text.strip()


def _first_quoted(lines: Sequence[str]) -> int:
    """Return where an email starts that is quoted without marks."""
    for number, line in enumerate(lines):
        stripped = line.strip()
        if _SAYS.fullmatch(stripped):
            return number
        if _HEADER.fullmatch(stripped) and number + 1 < len(lines):
            following = [each.strip() for each in lines[number + 1 : number + 4]]
            if sum(bool(_OTHER_HEADER.fullmatch(each)) for each in following) >= 2:
                return number - 1 if number and set(lines[number - 1].strip()) == {"_"} else number
    return len(lines)


def _without_introduction(lines: list[str]) -> list[str]:
    """Return the lines without a trailing "On Monday, Ann wrote:"."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    for count in range(1, min(_INTRODUCTION_LINES, end) + 1):
        if _INTRODUCES.fullmatch(" ".join(line.strip() for line in lines[end - count : end])):
            return lines[: end - count]
    return lines[:end]


def _signature(lines: Sequence[str]) -> int:
    """Return where the signature starts: at the last line of two dashes and a space."""
    for number in range(len(lines) - 1, -1, -1):
        if _SIGNATURE.fullmatch(lines[number]):
            return number
    return len(lines)
