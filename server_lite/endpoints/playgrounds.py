"""Code playgrounds, changed by administrators. Thin."""

from typing import Annotated

from typing_extensions import TypedDict

from server_lite.access.playgrounds import check_playground
from server_lite.access.roles import check_admin
from server_lite.actions import playgrounds as actions
from server_lite.api.answers import Done
from server_lite.api.decoding import MaxLength, NotBlank
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


class Created(TypedDict):
    """ID of the created playground."""

    id: int


def create(
    tx: Tx,
    user: UserRow,
    *,
    name: Annotated[str, NotBlank(), MaxLength(40)],
    pygments_language: Annotated[str, NotBlank(), MaxLength(40)],
    url_template: Annotated[str, MaxLength(2048)],
) -> Created:
    """Add a code playground for a language."""
    check_admin(user)
    name, language = name.strip(), pygments_language.strip()
    check_playground(tx, name, language, url_template)
    playground_id = actions.create(
        tx, name=name, pygments_language=language, url_template=url_template
    )
    return {"id": playground_id}


def delete(tx: Tx, user: UserRow, playground_id: int) -> Done:
    """Remove a code playground."""
    check_admin(user)
    actions.delete(tx, playground_id)
    return {}
