"""GET /server_settings: public settings of the server, for clients before they sign in."""

from server_lite import Versions, server_versions
from server_lite.access.anonymous import is_open
from server_lite.api.params import RequestInfo
from server_lite.context import Context
from server_lite.store import settings


class ServerSettings(Versions):
    """Authentication methods and versions; URLs use the host that the client connected to."""

    authentication_methods: dict[str, bool]
    external_authentication_methods: list[dict[str, object]]
    push_notifications_enabled: bool
    is_incompatible: bool
    email_auth_enabled: bool
    require_email_format_usernames: bool
    realm_uri: str
    realm_url: str
    realm_name: str
    realm_icon: str
    realm_description: str
    realm_web_public_access_enabled: bool


async def settings_of(context: Context, *, request: RequestInfo) -> ServerSettings:
    """Get the organization's name and the server's authentication methods."""
    methods = dict.fromkeys(
        ("ldap", "remoteuser", "github", "azuread", "gitlab", "apple", "google", "saml"), False
    )
    name = context.read(lambda db: settings.value(db, "name", "Chinwag"))
    description = context.read(lambda db: settings.value(db, "description", ""))
    return {
        **server_versions(),
        "authentication_methods": {
            "password": True,
            "email": True,
            "dev": context.settings.dev,
            "openid connect": False,
            **methods,
        },
        "external_authentication_methods": [],
        "push_notifications_enabled": False,
        "is_incompatible": False,
        "email_auth_enabled": True,
        "require_email_format_usernames": True,
        "realm_uri": request.base_url,
        "realm_url": request.base_url,
        "realm_name": name,
        "realm_icon": f"{request.base_url}/static/icon.png",
        "realm_description": description,
        "realm_web_public_access_enabled": context.read(is_open),
    }
