"""What is pasted: what of it is fit for a message, what it seems to be, and its code block."""

import pytest

from tui.content.pasted import code_block, count_lines, fit, kind_of


def test_a_message_gets_the_lines_and_no_controls() -> None:
    """However a terminal ends lines; what it would obey, or what turns a line around, is left out."""
    assert fit("a\r\nb\rc\u2028d") == ("a\nb\nc\nd", 0)
    assert fit("\x1b]0;x\x07\ttab\x9b") == ("]0;x\ttab", 3)
    assert fit("a\u202eb\u2066\ud800\U000e0041") == ("ab", 4)
    assert fit("שלום 👩🏽\u200d🔬 é\u200f") == ("שלום 👩🏽\u200d🔬 é\u200f", 0)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ('{"a": [1, 2]}\n', "json"),
        ("{ not json", ""),
        ("import os\nfrom a.b import c\n", "python"),
        ("#!/bin/sh\nls\n", "bash"),
        ("#!/usr/bin/env python3\nls\n", "python"),
        ("diff --git a/x b/x\n", "diff"),
        ("oops\nTraceback (most recent call last):\n", "pytb"),
        ("<!doctype html><p>", "html"),
        ("SELECT * FROM cup;", "sql"),
        ("Dear all,\n\nwe class this as tea. Import no milk.\n", ""),
        ("[" * 100_000, ""),
    ],
)
def test_a_kind_is_told_by_the_beginning(text: str, language: str) -> None:
    """Prose is no program."""
    assert kind_of(text).language == language


def test_a_fence_holds_whatever_is_in_it() -> None:
    """Its fence is longer than those within, and begins a line."""
    assert code_block("a\n", "go", before="") == "```go\na\n```\n"
    assert code_block("````\nx\n````", "", before="see") == "\n`````\n````\nx\n````\n`````\n"


def test_lines_are_counted_as_they_are_seen() -> None:
    """Empty ones at the end are none."""
    assert [count_lines(each) for each in ("", "a", "a\n", "a\n\nb\n\n")] == [1, 1, 1, 3]
