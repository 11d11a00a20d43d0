"""Values on the disk that are read back without their schemas: exactly as they were, or not at all."""

import json

import pytest

from tests import eg
from tui.api.id_set import IdSet
from tui.api.model import Message, Role
from tui.api.wire import UNSET
from tui.cache.packed import OtherTypes, Packer, Unpacker


def again(value: object) -> object:
    """The value after a way over the disk."""
    packer = Packer()
    packed = json.loads(json.dumps(packer.pack(value)))
    return Unpacker(json.loads(json.dumps(packer.types))).unpack(packed)


@pytest.mark.parametrize(
    "value",
    [
        None, True, 0, -1, 2**60, 1.5, "", "é\ud800", (), ((),), (1, (2, "3")), [], [[1], []],
        frozenset(), frozenset({1, 2}), frozenset({"read"}), IdSet(), IdSet((eg.ME.user_id,)), {}, {1: "a", "2": (None,)}, UNSET, (UNSET,),
        eg.dm(1, sender=eg.MARY), eg.snapshot(), (eg.ME, {eg.MARY.user_id: [eg.MOE]}),
    ],
)  # fmt: skip
def test_a_value_comes_back_as_it_was(value: object) -> None:
    """With the types of its parts: a tuple is no list, and a key of a dictionary can be a number."""
    loaded = again(value)
    assert loaded == value
    assert type(loaded) is type(value)


def test_an_enumerations_number_is_a_number_as_from_the_server() -> None:
    assert type(again(Role.OWNER)) is int


def test_equal_flags_of_messages_are_one_object() -> None:
    """Thousands of messages have the same."""
    pair = again((frozenset({"read"}), frozenset({"read"})))
    assert isinstance(pair, tuple)
    assert pair[0] is pair[1]


def test_types_that_changed_meanwhile_are_noticed() -> None:
    """A field that came, went or moved would give all others a wrong value."""
    packer = Packer()
    packer.pack(eg.dm(1, sender=eg.MARY))
    (module, name, slots), *others = packer.types
    assert (module, name) == (Message.__module__, "Message")
    with pytest.raises(OtherTypes):
        Unpacker([(module, name, (*slots[1:], slots[0])), *others])
    with pytest.raises(OtherTypes):
        Unpacker([(module, "NoSuchType", slots), *others])
    with pytest.raises(OtherTypes):
        Unpacker([("subprocess", "Popen", ()), *others])
