"""What the routes of devices, domains, playgrounds, exports and older servers send. No sockets."""

import pytest

from tests.unit.tui.api.routes.cases import CHANNEL, MARY, Case, case, check
from tui.api.model import DeviceId, PlaygroundId
from tui.api.organization import RealmDomain
from tui.api.routes import (
    calls,
    credentials,
    devices,
    domains,
    playgrounds,
    settings,
    statuses,
    user_topics,
)

DOMAIN = RealmDomain(domain="x.org", allow_subdomains=True)

CASES = [
    case(lambda c: devices.register(c), "POST /register_client_device", {}, {"device_id": 3}, 3),
    case(
        lambda c: devices.remove(c, device_id=DeviceId(3)),
        "POST /remove_client_device",
        {"device_id": "3"},
    ),
    case(
        lambda c: devices.add_android_token(c, token="t"),
        "POST /users/me/android_push_reg_id",
        {"token": "t"},
    ),
    case(
        lambda c: devices.remove_android_token(c, token="t"),
        "DELETE /users/me/android_push_reg_id",
        {"token": "t"},
    ),
    case(
        lambda c: devices.add_apple_token(c, token="ab", app_id="org.x"),
        "POST /users/me/apns_device_token",
        {"token": "ab", "appid": "org.x"},
    ),
    case(
        lambda c: devices.remove_apple_token(c, token="ab"),
        "DELETE /users/me/apns_device_token",
        {"token": "ab"},
    ),
    case(
        lambda c: credentials.list_dev_users(c),
        "GET /dev_list_users",
        {},
        {
            "direct_admins": [{"email": "a@x", "realm_url": "https://x"}],
            "direct_users": [{"email": "b@x"}],
        },
        (
            credentials.DevUser(email="a@x", realm_url="https://x"),
            credentials.DevUser(email="b@x", realm_url=None),
        ),
    ),
    # The organization
    case(
        lambda c: domains.fetch(c),
        "GET /realm/domains",
        {},
        {"domains": [{"domain": "x.org", "allow_subdomains": True}]},
        (DOMAIN,),
    ),
    case(
        lambda c: domains.add(c, domain=DOMAIN),
        "POST /realm/domains",
        {"domain": "x.org", "allow_subdomains": "true"},
        {"new_domain": {"domain": "x.org", "allow_subdomains": True}},
        DOMAIN,
    ),
    case(
        lambda c: domains.update(c, domain=DOMAIN),
        "PATCH /realm/domains/x.org",
        {"allow_subdomains": "true"},
    ),
    case(lambda c: domains.remove(c, name="x.org"), "DELETE /realm/domains/x.org"),
    case(
        lambda c: playgrounds.create(
            c, name="n", pygments_language="Rust", url_template="https://x/{code}"
        ),
        "POST /realm/playgrounds",
        {"name": "n", "pygments_language": "Rust", "url_template": "https://x/{code}"},
        {"id": 4},
        4,
    ),
    case(
        lambda c: playgrounds.delete(c, playground_id=PlaygroundId(4)),
        "DELETE /realm/playgrounds/4",
    ),
    case(
        lambda c: settings.update_defaults(c, changes={"enter_sends": True}),
        "PATCH /realm/user_settings_defaults",
        {"enter_sends": "true"},
    ),
    case(
        lambda c: statuses.update_for(
            c,
            user_id=MARY,
            status_text="away",
            emoji_name="zulip",
            emoji_code="zulip",
            reaction_type="service_extra_emoji",
        ),
        "POST /users/2/status",
        {"status_text": "away", "emoji_name": "zulip"},
    ),
    # Other servers
    case(
        lambda c: user_topics.set_muted(c, channel_id=CHANNEL, topic="tea", muted=False),
        "PATCH /users/me/subscriptions/muted_topics",
        {"stream_id": "9", "topic": "tea", "op": "remove"},
    ),
    case(
        lambda c: calls.create_big_blue_button(c, meeting_name="tea", voice_only=True),
        "GET /calls/bigbluebutton/create",
        {"meeting_name": "tea", "voice_only": "true"},
        {"url": "/calls/1"},
        "/calls/1",
    ),
]


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.sends)
async def test_device_and_organization_routes(example: Case) -> None:
    """What is decided at the client is what the server is told."""
    await check(example)
