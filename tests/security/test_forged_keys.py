"""Somebody offers another's public key over SSH and goes on as somebody else: the offer is worth nothing."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import asyncssh

from tests.e2e.team import team
from tests.forged_ssh import FAILURE, MORE, SUCCESS, Wire, forged
from tests.live import live
from tests.ssh_service import QUICK, Key, ssh_service

Script: TypeAlias = Callable[[Wire], Awaitable[None]]


async def _as_guest(wire: Wire) -> None:
    wire.ask()
    assert await wire.heard() == MORE
    wire.answer("")
    assert await wire.heard() == SUCCESS


def _attacks(ann: Key, noted: Key, ben: Key, recorded: tuple[bytes, bytes]) -> Sequence[Script]:
    """Ways to be taken for Ann without the private half of her keys; each ends as a guest, or as Ben."""

    async def offer(wire: Wire) -> None:
        for key in (ann, noted, ben, noted, ann):
            wire.offer(key)
            assert await wire.heard() == MORE
        await _as_guest(wire)

    async def offer_while_asked(wire: Wire) -> None:
        wire.ask()
        assert await wire.heard() == MORE
        wire.offer(ann)
        assert await wire.heard() == MORE
        await _as_guest(wire)

    async def wrong_signatures(wire: Wire) -> None:
        session, signature = recorded
        for forged_one in (
            wire.signature(ann, ben),
            wire.signature(ben, ben),
            wire.signature(ann, ben, session=session),
            signature,  # Ann's own, of another connection
            b"",
        ):
            wire.sign(ann, forged_one)
            assert await wire.heard() == FAILURE
        wire.sign(noted, wire.signature(noted, ben))
        assert await wire.heard() == FAILURE
        await _as_guest(wire)

    async def other_names(wire: Wire) -> None:
        wire.offer(ann, user="ann")
        assert await wire.heard() == MORE
        for signed, sent in (("anybody", "ann"), ("ann", "anybody")):
            wire.sign(ben, wire.signature(ben, ben, user=signed), user=sent)
            assert await wire.heard() == FAILURE
        wire.sign(ann, wire.signature(ann, ben, user="ann"), user="ann")
        assert await wire.heard() == FAILURE
        await _as_guest(wire)

    async def certified(wire: Wire) -> None:
        certificate = ben.private.generate_user_certificate(ann.private, "ann", principals=["ann"])
        name, data = certificate.algorithm, certificate.public_data
        for algorithm in (name, ann.private.algorithm):
            wire.send("publickey", asyncssh.packet.Boolean(False), *map(asyncssh.packet.String, (algorithm, data)))  # fmt: skip
            assert await wire.heard() == FAILURE
        await _as_guest(wire)

    async def in_one_breath(wire: Wire) -> None:
        wire.ask()
        wire.offer(noted)
        wire.answer("")  # to what is no question any more
        wire.ask()
        wire.offer(ann)
        wire.ask()
        wire.answer("")
        while await wire.heard() != SUCCESS:
            pass

    async def as_ben(wire: Wire) -> None:
        wire.offer(ann)
        wire.sign(ben, wire.signature(ben, ben))
        wire.offer(ann)
        wire.sign(ann, wire.signature(ann, ben))
        while await wire.heard() != SUCCESS:
            pass

    return (
        offer,
        offer_while_asked,
        wrong_signatures,
        other_names,
        certified,
        in_one_breath,
        as_ben,
    )


async def test_the_key_of_another_opens_and_binds_nothing(tmp_path: Path) -> None:
    """Whatever was offered before: who comes in is a guest, or who signed, and Ann's keys are as they were."""
    async with live(tmp_path) as server, ssh_service(server, tmp_path, QUICK) as there:
        ann, ben, _ = await team(server)
        keys = there.let_in(ann), there.let_in(ann, is_bound=False), there.let_in(ben)
        recorded: list[tuple[bytes, bytes]] = []

        async def herself(wire: Wire) -> None:
            recorded.append((wire.session, wire.signature(keys[0], keys[0])))
            wire.sign(keys[0], recorded[0][1])
            assert await wire.heard() == SUCCESS

        async with forged(there, herself) as connection:
            assert keys[1].digest in str((await connection.run("keys")).stdout)
        before = [there.service.keys.get(each.digest) for each in keys[:2]]
        there.log.truncate(0)
        for attack in _attacks(*keys, recorded[0]):
            async with forged(there, attack) as connection:
                done = await connection.run("keys", check=False)
            if attack.__name__ == "as_ben":
                assert (done.exit_status, keys[2].digest in str(done.stdout)) == (0, True)
            else:
                assert (done.exit_status, done.stdout) == (1, ""), attack.__name__
            assert not any(each.digest in str(done.stdout) for each in keys[:2]), attack.__name__
        assert [there.service.keys.get(each.digest) for each in keys[:2]] == before
        log = there.log.getvalue()
        assert not any(each.digest in log for each in keys[:2])


async def test_a_key_that_is_noted_while_its_owner_is_asked_is_not_bound(tmp_path: Path) -> None:
    """The answer is about the account that was named, and about no other; what was offered ends with its connection."""
    async with live(tmp_path) as server, ssh_service(server, tmp_path) as there:
        ann, ben, _ = await team(server)
        key = there.let_in(ann, is_bound=False)

        async def offers(wire: Wire) -> None:
            wire.offer(key)
            assert await wire.heard() == MORE
            await _as_guest(wire)

        far = {"local_addr": ("127.0.0.2", 0)} if sys.platform == "linux" else {}
        async with (
            forged(there, offers, **far) as guest,
            guest.create_process(term_type="xterm") as process,
        ):
            await process.stdout.read(1)
            (visit,) = there.service._visits
            assert list(visit.offered) == [key.digest]
            signed_in = {"do": "signed_in", "user_id": str(ben.id), "email": ben.email}
            there.service._answer(visit, signed_in)
            async with (
                there.connection(key) as owner,
                owner.create_process(term_type="xterm") as asked,
                asyncio.timeout(20),
            ):
                assert ann.email in await asked.stdout.readuntil("[y/N]")
                there.service._answer(visit, {"do": "note", "digest": key.digest})
                asked.stdin.write("y")
                assert "noted for another account" in await asked.stdout.read()
        known = there.service.keys.get(key.digest)
        assert known is not None
        assert (known.person.email, known.is_bound) == (ben.email, False)
        async with (
            forged(there, _as_guest) as guest,
            guest.create_process(term_type="xterm") as process,
        ):
            await process.stdout.read(1)
            assert [each.offered for each in there.service._visits - {visit}] == [{}]
