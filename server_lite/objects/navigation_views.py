"""Views of the sidebar as the API's JSON. Reads nothing."""

from typing import NotRequired

from typing_extensions import TypedDict

from server_lite.store.navigation_views import ViewRow


class NavigationViewObject(TypedDict):
    """A view of the sidebar; `fragment` is what follows the `#` of its address."""

    fragment: str
    is_pinned: bool
    name: NotRequired[str]


def view_object(row: ViewRow) -> NavigationViewObject:
    """The NavigationView object; built-in views are told without a name."""
    told: NavigationViewObject = {"fragment": row.fragment, "is_pinned": row.is_pinned}
    return told if row.name is None else {**told, "name": row.name}
