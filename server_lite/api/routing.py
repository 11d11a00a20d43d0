"""Maps a path and a verb to their endpoint. The table itself is in `routes`; no HTTP beyond the names."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from server_lite.api.params import EndpointSpec, inspect_endpoint
from server_lite.dataclass import dataclass
from server_lite.errors import NotFound, WrongMethod

PREFIX: Final = "/api/v1/"
"""Start of the paths of the API."""
Endpoint = Callable[..., object]


class Contracts(Mapping[str, EndpointSpec]):
    """The contracts of a path's endpoints by verb: each signature is read when it is first asked for.

    Reading all of them takes a tenth of the server's start. A wrong one raises TypeError, which tests find.
    """

    def __init__(self, pattern: str, functions: Mapping[str, Endpoint]) -> None:
        self._pattern = pattern
        self._functions = functions
        self._known: dict[str, EndpointSpec] = {}

    def __getitem__(self, verb: str) -> EndpointSpec:
        """Return the contract; raises TypeError if it does not fit the path."""
        if (contract := self._known.get(verb)) is None:
            contract = inspect_endpoint(self._functions[verb])
            if len(contract.path) != sum(map(_is_place, self._pattern.split("/"))):
                name = contract.function.__qualname__
                raise TypeError(f"{name} does not fit the path {self._pattern}")
            self._known[verb] = contract
        return contract

    def __contains__(self, verb: object) -> bool:
        """Whether the path has this verb; reads no signature."""
        return verb in self._functions

    def __iter__(self) -> Iterator[str]:
        """Iterate over the verbs."""
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A path below /api/v1 with an endpoint per verb. `{name}` matches one segment."""

    pattern: str
    segments: tuple[str, ...]
    contracts: Mapping[str, EndpointSpec]


def route(
    pattern: str,
    *,
    GET: Endpoint | None = None,
    POST: Endpoint | None = None,
    PATCH: Endpoint | None = None,
    PUT: Endpoint | None = None,
    DELETE: Endpoint | None = None,
) -> Route:
    """Return a row of the table; verbs are keywords, so that a misspelled one is a type error."""
    verbs = {"GET": GET, "POST": POST, "PATCH": PATCH, "PUT": PUT, "DELETE": DELETE}
    contracts = Contracts(pattern, {verb: each for verb, each in verbs.items() if each})
    return Route(pattern=pattern, segments=tuple(pattern.split("/")), contracts=contracts)


def _is_place(segment: str) -> bool:
    return segment.startswith("{")


class Table:
    """All routes; literal segments take precedence over placeholders, and `{name:path}` takes the rest."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self.routes = tuple(routes)
        self._literal = {r.pattern: r for r in self.routes if not any(map(_is_place, r.segments))}
        self._placed = sorted(
            (r for r in self.routes if any(map(_is_place, r.segments))),
            key=lambda r: [_is_place(segment) for segment in r.segments],
        )

    def find(self, verb: str, path: str) -> tuple[EndpointSpec, list[str]]:
        """Return the contract for a verb and path, and the texts of the path's placeholders."""
        literal = self._literal.get(path)
        if literal is not None and verb in literal.contracts:
            return literal.contracts[verb], []
        segments = tuple(path.split("/"))
        matches: list[tuple[Route, list[str]]] = [] if literal is None else [(literal, [])]
        matches += [
            (route, values)
            for route in self._placed
            if (values := _match(route.segments, segments)) is not None
        ]
        if not matches:
            raise NotFound("There is no such endpoint.")
        for candidate, values in matches:
            if verb in candidate.contracts:
                return candidate.contracts[verb], values
        raise WrongMethod(matches[0][0].contracts)  # of the most specific route


def _match(pattern: tuple[str, ...], segments: tuple[str, ...]) -> list[str] | None:
    values: list[str] = []
    for position, part in enumerate(pattern):
        if part.endswith(":path}"):
            rest = "/".join(segments[position:])
            return [*values, rest] if rest else None
        if position >= len(segments):
            return None
        segment = segments[position]
        if _is_place(part):
            if not segment or (part.endswith(":int}") and not segment.isdecimal()):
                return None
            values.append(segment)
        elif part != segment:
            return None
    return values if len(pattern) == len(segments) else None
