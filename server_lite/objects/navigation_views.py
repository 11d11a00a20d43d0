"""Views of the sidebar as the API's JSON. Reads nothing."""

from typing import Any

from server_lite.store.navigation_views import ViewRow


def view_object(row: ViewRow) -> dict[str, Any]:
    """The NavigationView object; built-in views are told without a name."""
    told: dict[str, Any] = {"fragment": row.fragment, "is_pinned": row.is_pinned}
    return told if row.name is None else {**told, "name": row.name}
