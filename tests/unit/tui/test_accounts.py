"""Accounts on disk: private, whole or not there, and a key that others could read is refused."""

import os
import stat
from pathlib import Path

import pytest

from tui.accounts import (
    Account,
    add,
    forget,
    known,
    last_used,
    path_for,
    read_zuliprc,
    remember,
    remember_local,
    to_open,
    write_zuliprc,
)
from tui.config import Folders
from tui.errors import ConfigError

ANN = Account(site="http://127.0.0.1:9", email="ann@example.com", key="k%ey")


def test_an_account_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Signing in once is enough; only this person can read the file."""
    path = tmp_path / "accounts" / "ann.zuliprc"
    write_zuliprc(path, ANN)
    assert read_zuliprc(path) == ANN
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_zuliprc(path) == ANN  # as an editor on Windows saves it


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    """A zuliprc with loose rights is told how to be mended."""
    path = tmp_path / "zuliprc"
    write_zuliprc(path, ANN)
    path.chmod(0o644)
    with pytest.raises(ConfigError, match="chmod 600"):
        read_zuliprc(path)


@pytest.mark.parametrize("text", ["", "[api]\nemail=a", "no section", "[api]\nkey=1\nkey=2"])
def test_a_file_that_is_no_zuliprc_is_told(tmp_path: Path, text: str) -> None:
    """A wrong file gets one sentence."""
    path = tmp_path / "zuliprc"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(ConfigError, match="is not a zuliprc"):
        read_zuliprc(path)


def test_a_server_cannot_smuggle_lines_into_the_file(tmp_path: Path) -> None:
    """An address with a line break in it is refused, and nothing is written."""
    evil = Account(site="http://x", email="a@b.c\nkey=stolen", key="k")
    with pytest.raises(ConfigError, match="control characters"):
        write_zuliprc(tmp_path / "zuliprc", evil)
    assert not (tmp_path / "zuliprc").exists()


def test_where_accounts_lie_is_nobody_elses_business(tmp_path: Path) -> None:
    """Whatever the umask is, files are 0600 and the folders that were made for them 0700."""
    above = tmp_path / "share"
    here = Folders(
        config=above / "config",
        data=above / "data",
        state=above / "state" / "chinwag",
        cache=above / "cache",
    )
    umask = os.umask(0o022)
    try:
        path = here.config / "accounts" / "a.zuliprc"
        write_zuliprc(path, ANN)
        remember(here, path)
        add(here, path)
    finally:
        os.umask(umask)
    made = {each: stat.S_IMODE(each.stat().st_mode) for each in (above, *above.rglob("*"))}
    assert {mode for each, mode in made.items() if each.is_dir()} == {0o700}
    assert {mode for each, mode in made.items() if each.is_file()} == {0o600}
    assert here.state / "last-account" in made


def test_the_last_account_opens_next_time(tmp_path: Path) -> None:
    """Chinwag comes up where the person left, as long as the file is there."""
    here = Folders(config=tmp_path, data=tmp_path, state=tmp_path / "state", cache=tmp_path)
    assert last_used(here) is None
    path = tmp_path / "a.zuliprc"
    write_zuliprc(path, ANN)
    remember(here, path)
    assert last_used(here) == path
    path.unlink()
    assert last_used(here) is None


def test_a_key_is_not_shown_where_an_account_is_printed() -> None:
    """Logs and tracebacks that print an account hold no key."""
    assert ANN.key not in repr(ANN)


def test_all_accounts_that_were_added_are_known_until_one_is_left(tmp_path: Path) -> None:
    """In the order in which they came; the key of one that is left is deleted, a file of others not."""
    here = Folders(
        config=tmp_path / "config", data=tmp_path, state=tmp_path / "state", cache=tmp_path
    )
    assert known(here) == []
    assert to_open(here) is None
    mary = Account(site=ANN.site, email="mary@example.com", key="k")
    paths = [path_for(here, ANN), path_for(here, mary), tmp_path / "elsewhere" / "zuliprc"]
    for path, account in zip(paths, (ANN, mary, mary), strict=True):
        write_zuliprc(path, account)
        add(here, path)
    assert to_open(here) == paths[0]
    remember(here, paths[2])
    assert to_open(here) == paths[2]
    remember(here, paths[0])
    assert known(here) == paths
    forget(here, paths[0])
    forget(here, paths[2])
    assert known(here) == [paths[1]]
    assert to_open(here) == paths[1], "one is there: nobody has to sign in again"
    assert (paths[0].exists(), paths[2].exists()) == (False, True)
    assert last_used(here) is None


def test_who_signed_in_before_there_was_a_list_is_known(tmp_path: Path) -> None:
    """An update forgets nobody, this machine's own server included."""
    here = Folders(
        config=tmp_path / "config", data=tmp_path, state=tmp_path / "state", cache=tmp_path
    )
    write_zuliprc(path_for(here, ANN), ANN)
    own = tmp_path / "local.zuliprc"
    write_zuliprc(own, ANN)
    remember_local(here, own)
    assert known(here) == [path_for(here, ANN), own]


def test_a_new_organization_is_numbered_last(tmp_path: Path) -> None:
    """Alt+1 stays what it was when I sign in to a second organization, and after a restart."""
    here = Folders(
        config=tmp_path / "config", data=tmp_path, state=tmp_path / "state", cache=tmp_path
    )
    own = tmp_path / "own.zuliprc"
    write_zuliprc(own, ANN)
    remember_local(here, own)
    remember(here, own)
    add(here, own)
    other = path_for(here, Account(site="http://other", email="a@b.c", key="k"))
    write_zuliprc(other, ANN)
    remember(here, other)
    add(here, other)
    assert known(here) == [own, other]
    remember(here, own)
    assert known(here) == [own, other]


def test_a_directory_in_the_way_is_told(tmp_path: Path) -> None:
    """What cannot be noted is a sentence, and no account is lost by it."""
    here = Folders(config=tmp_path, data=tmp_path, state=tmp_path / "state", cache=tmp_path)
    (here.state / "last-account").mkdir(parents=True)
    with pytest.raises(ConfigError, match="last-account cannot be written: Is a directory"):
        remember(here, tmp_path / "a")
    assert last_used(here) is None
    assert list(here.state.iterdir()) == [here.state / "last-account"]
