"""The page of an invitation is beside the API, and gets what the newcomer says."""

from urllib.parse import parse_qs

from tests.unit.tui.api.wire_tap import WireTap, connection, success
from tui.api.routes import joining


async def test_an_invitation_is_looked_at_and_taken() -> None:
    """Two requests to the page itself; the answer is a key."""
    look = WireTap(success(realm_name="Tea", invited_as=400, email=None))
    said = await joining.look(connection(look), token="abc")
    assert (said.realm_name, said.invited_as, said.email) == ("Tea", 400, None)
    join = WireTap(success(api_key="k", email="zoe@example.com", user_id=7))
    key = await joining.join(
        connection(join), token="abc", full_name="Zoe", email="zoe@example.com", password="p w"
    )
    assert (key.api_key, key.user_id) == ("k", 7)
    for tap in (look, join):
        assert [request.url.path for request in tap.requests] == ["/join/abc"]
    sent = parse_qs(join.requests[0].content.decode())
    assert sent == {"full_name": ["Zoe"], "email": ["zoe@example.com"], "password": ["p w"]}
