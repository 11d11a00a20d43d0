"""Changes a user's alert words. Checks no permissions: users change only their own."""

from functools import partial

from server_lite.events.personal import AlertWordsChanged
from server_lite.store import alert_words
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


def add(tx: Tx, user: UserRow, words: list[str]) -> list[str]:
    """Add alert words; returns all words of the user."""
    changed = alert_words.insert(tx, user.id, words)
    keys = [word.casefold() for word in words]
    # Again when they are on disk: an earlier change of the same commit may have removed the last use of one.
    tx.after_commit(partial(alert_words.note, alert_words.words_by_run(tx), keys))
    return _emit_alert_words(tx, user, changed=changed)


def remove(tx: Tx, user: UserRow, words: list[str]) -> list[str]:
    """Remove alert words; returns the remaining words of the user."""
    keys = [word.casefold() for word in words]  # once: of a long one it takes 10 microseconds
    in_memory = alert_words.words_by_run(tx)  # before the rows go, which a rollback would restore
    changed = alert_words.delete(tx, user.id, keys)
    unused = alert_words.unused(tx, keys)
    tx.after_commit(partial(alert_words.drop, in_memory, unused))
    return _emit_alert_words(tx, user, changed=changed)


def _emit_alert_words(tx: Tx, user: UserRow, *, changed: int) -> list[str]:
    words = alert_words.of(tx, user.id)
    if changed:
        tx.emit(AlertWordsChanged(alert_words=words), to=[user.id])
    return words
