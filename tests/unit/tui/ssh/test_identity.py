"""Who somebody is: only what completed, whatever was offered before."""

from hypothesis import given
from hypothesis import strategies as st

from tui.ssh.identity import MOST_OFFERED, Identity, OfferedKey, Proof

VICTIM, OWN, UNKNOWN = (OfferedKey(each, each) for each in ("victim", "own", "unknown"))
KNOWN = {VICTIM.digest, OWN.digest}
STEPS = st.lists(st.sampled_from(["victim", "own", "unknown", "question", "name"]), max_size=12)


@given(STEPS, st.sampled_from(["own", "question"]))
def test_an_offer_proves_nothing(steps: list[str], last: str) -> None:
    """However keys are offered and methods changed, what completes last is who somebody is."""
    identity = Identity(KNOWN.__contains__)
    for step in (*steps, last):
        match step:
            case "victim":
                assert identity.offer(VICTIM)
            case "own":
                assert identity.offer(OWN)
            case "unknown":
                assert not identity.offer(UNKNOWN)
            case "question":
                identity.answer("guest")
            case "name":
                identity.begin()
        assert identity.proof is None
    assert identity.complete() == (Proof(key="own") if last == "own" else Proof(answer="guest"))


@given(STEPS)
def test_nothing_completes_without_a_proof(steps: list[str]) -> None:
    """An unknown key or another name at the end: nobody."""
    identity = Identity(KNOWN.__contains__)
    for step in steps:
        if step in KNOWN:
            identity.offer(OfferedKey(step, ""))
    identity.offer(UNKNOWN)
    try:
        identity.complete()
    except RuntimeError:
        assert identity.proof is None
    else:
        raise AssertionError("nobody signed")


def test_keys_of_one_connection_are_counted() -> None:
    """An agent with many keys is told to choose; memory has an end."""
    identity = Identity(KNOWN.__contains__)
    for number in range(100):
        identity.offer(OfferedKey(str(number), ""))
    assert identity.has_too_many_keys
    assert len(identity.offered) == MOST_OFFERED
