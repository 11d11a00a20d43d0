"""Describes a type of the API by a JSON schema of its own, in the API's description. Pure."""

from collections.abc import Mapping

from server_lite.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """Annotates a type with its schema."""

    schema: Mapping[str, object]

    def __hash__(self) -> int:
        return id(self)  # a schema has no hash

    def __get_pydantic_json_schema__(self, _core: object, _handler: object) -> dict[str, object]:
        """Return the schema: pydantic asks when the API is described."""
        return dict(self.schema)
