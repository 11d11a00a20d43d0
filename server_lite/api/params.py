"""Derives an endpoint's contract from its function's signature, at its first call. Answers no request.

    def edit(tx: Tx, user: UserRow, message_id: MessageId, *, content: str | None = None) -> Done

- The first parameter decides the kind of endpoint: `tx` writes in a transaction, `db` reads one
  snapshot, `context` may wait: in an `async def`, or in what a plain function returns (`Later`).
- `user: UserRow` requires authentication; `user: UserRow | None` also accepts requests without; an
  endpoint without `user` does not authenticate.
- Further positional parameters come from the path, keyword-only ones from query or form. A parameter with a
  default is optional. Clients cannot set those of type `RequestInfo`, `Upload`, `Picture` and `Body`.
- The return type is the answer: see `answers`.
- A dataclass marked `ParameterGroup` stands for its fields, so that endpoints can share parameters. A
  dict marked `Fields` contains those that were sent, out of a table of names and types.
- The type decides the decoding: scalars have a strict grammar of their own, everything else is JSON
  checked by pydantic. `Annotated` adds aliases and limits (`Alias`, `MaxLength`, `BareOrJson`).

A parameter type without a decoder raises TypeError, naming the function; tests read all signatures.
"""

import hashlib
import inspect
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from typing import (
    Annotated,
    Final,
    Literal,
    get_args,
    get_origin,
    get_type_hints,
)

from server_lite.api.answers import Later, Lines
from server_lite.api.decoding import decoder
from server_lite.dataclass import dataclass
from server_lite.errors import MissingParameter
from server_lite.store.users import UserRow


class Document(dict[str, object]):
    """An answer that is sent as it is, without `result` and `msg`."""


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name under which clients send the parameter."""

    name: str


@dataclass(frozen=True, slots=True)
class LargeBody:
    """Marks a long parameter or body: requests up to `limit` bytes are read."""

    limit: int


@dataclass(frozen=True, slots=True)
class ParameterGroup:
    """Marks a dataclass parameter whose fields are the client's parameters, shared by endpoints."""


@dataclass(frozen=True, slots=True)
class Fields:
    """Marks a dict parameter of the fields that were sent, from a table: name -> type, as annotated."""

    hints: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resend:
    """A request's Idempotency-Key, and a digest of the request."""

    key: str
    request: bytes

    def with_file(self, name: str, content_type: str, digest: bytes) -> "Resend":
        """Return the same for a request whose file the endpoint read; `digest` is of its bytes."""
        request_bytes = repr((self.request, name, content_type, digest)).encode()
        return Resend(key=self.key, request=hashlib.blake2b(request_bytes, digest_size=16).digest())


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestInfo:
    """Data about the request beside its parameters."""

    client: str
    """Name of the client, from its User-Agent."""
    address: str
    base_url: str
    """Scheme, host and port by which the client reached this server."""
    accepts_lines: bool = False
    """Whether an answer may come in parts: not for HEAD, and not in HTTP/1.0."""

    @property
    def zulip_program(self) -> bool:
        """Whether the client identifies itself as one of Zulip's, as its apps and libraries do."""
        return self.client.startswith("Zulip")


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file part of a multipart request. It is streamed once and never held in memory as a whole."""

    name: str
    content_type: str
    most: int
    """Maximum size in bytes, from the size of the request."""
    rest: AsyncIterator[bytes]
    """The file's bytes, as they arrive; raises ApiError if the request is malformed."""
    later: Mapping[str, str]
    """Fields of the request; those after the file appear once it was read."""

    async def slices(self, size: int) -> AsyncIterator[bytes]:
        """Yield the file's bytes in slices of `size`; only the last one may be shorter."""
        held = bytearray()
        async for part in self.rest:
            held += part
            while len(held) >= size:
                yield bytes(held[:size])
                del held[:size]
        if held:
            yield bytes(held)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A small file part of a multipart request, already read."""

    name: str
    content_type: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter sent by the client."""

    name: str
    aliases: tuple[str, ...]
    """Other names under which it may be sent."""
    hint: object
    required: bool
    default: object
    in_path: bool
    decode: Callable[[str, str], object]
    """(name, text) -> value; raises BadParameter."""
    spread: str | None = None
    """The function's parameter of which this is a field."""
    notes: tuple[object, ...] = ()
    """Annotations beside its type."""

    @property
    def body_bytes(self) -> int:
        """Request size that this parameter allows, in bytes."""
        return max((note.limit for note in self.notes if isinstance(note, LargeBody)), default=0)


@dataclass(frozen=True, slots=True)
class KeyInQuery:
    """Allows authentication by `api_key` in the URL, for services that cannot send headers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A body in a foreign format: its type, its bytes, its fields if it is a form, and the headers."""

    kind: str
    data: bytes
    fields: Mapping[str, str]
    headers: Mapping[str, str]
    """The request's headers, with names in lower case."""


Mode = Literal["write", "read", "wait", "later"]
Auth = Literal["required", "optional", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointSpec:
    """The contract that a function's signature describes."""

    function: Callable[..., object]
    mode: Mode
    auth: Auth
    path: tuple[Parameter, ...]
    form: tuple[Parameter, ...]
    wants_request: str | None
    wants_upload: str | None
    wants_picture: str | None
    wants_body: str | None
    """Other parameters are then in the query, or fields beside foreign ones."""
    takes_file: bool
    """Whether a file may accompany the fields."""
    key_in_query: bool
    spread: Mapping[str, Callable[..., object]]
    """Dataclass parameters that are made of several of the client's."""
    answer: object
    """The return type."""
    may_stream: bool
    """Whether the answer may come as lines instead."""

    names: frozenset[str]
    """All names that the client may send, aliases included."""
    body_bytes: int
    """Request size that the endpoint allows in bytes, if larger than the usual limit."""

    def arguments(
        self, path: Sequence[str], form: Mapping[str, str]
    ) -> tuple[list[object], dict[str, object], list[str]]:
        """Return (positional, keyword, unknown names); raises on the first invalid one."""
        positional: list[object] = []
        for parameter, text in zip(self.path, path, strict=True):
            positional.append(parameter.decode(parameter.name, text))
        keyword: dict[str, object] = {}
        fields: dict[str, dict[str, object]] = {}
        for name in self.spread:
            fields[name] = {}
        for parameter in self.form:
            name = parameter.name
            sent = form.get(name)
            if sent is None and parameter.aliases:
                sent = next((form[alias] for alias in parameter.aliases if alias in form), None)
            if sent is not None:
                into = keyword if parameter.spread is None else fields[parameter.spread]
                into[name] = parameter.decode(name, sent)
            elif parameter.required:
                raise MissingParameter(name)
        for name, made_of in self.spread.items():
            keyword[name] = made_of(**fields[name])
        if form.keys() <= self.names:  # as most are
            return positional, keyword, []
        return positional, keyword, [name for name in form if name not in self.names]


def inspect_endpoint(function: Callable[..., object]) -> EndpointSpec:
    """Read the signature; raises TypeError, naming the function, if it is not a valid contract."""
    hints = get_type_hints(function, include_extras=True)
    parameters = list(inspect.signature(function).parameters.values())
    if not parameters or parameters[0].name not in _MODES:
        raise TypeError(f"{function.__qualname__}: the first parameter must be tx, db or context")
    mode = _MODES[parameters[0].name]
    if mode == "wait" and not inspect.iscoroutinefunction(function):
        mode = "later"
    if mode != "wait" and inspect.iscoroutinefunction(function):
        raise TypeError(f"{function.__qualname__}: an `async def` gets the context")
    path: list[Parameter] = []
    form: list[Parameter] = []
    spread: dict[str, Callable[..., object]] = {}
    auth: Auth = "none"
    wants_request = wants_upload = wants_picture = wants_body = None
    key_in_query = False
    largest = 0
    for parameter in parameters[1:]:
        hint = hints[parameter.name]
        if parameter.name == "user":
            key_in_query = get_origin(hint) is Annotated and KeyInQuery() in get_args(hint)
            auth = "required" if hint is UserRow or key_in_query else "optional"
        elif hint is Body or (get_origin(hint) is Annotated and get_args(hint)[0] is Body):
            wants_body = parameter.name
            notes = get_args(hint)[1:]
            largest = max((note.limit for note in notes if isinstance(note, LargeBody)), default=0)
        elif hint is RequestInfo:
            wants_request = parameter.name
        elif hint is Upload or hint == Upload | None:
            wants_upload = parameter.name
        elif hint == Picture | None:
            wants_picture = parameter.name
        elif get_origin(hint) is Annotated and ParameterGroup() in get_args(hint):
            spread[parameter.name] = get_args(hint)[0]
            form += _fields(function, parameter.name, get_args(hint)[0])
        elif (table := _table(hint)) is not None:
            spread[parameter.name] = dict
            form += _listed(function, parameter.name, table)
        elif parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            form.append(_parameter(function, parameter, hint, in_path=False))
        else:
            path.append(_parameter(function, parameter, hint, in_path=True))
    answer, may_stream = hints["return"], False
    if Lines in get_args(answer):  # `Answer | Lines`
        (answer, _), may_stream = get_args(answer), True
    if (get_origin(answer) is Later) != (mode == "later"):
        raise TypeError(f"{function.__qualname__}: a plain function of the context answers later")
    if mode == "later":
        (answer,) = get_args(answer)
    return EndpointSpec(
        function=function,
        mode=mode,
        auth=auth,
        path=tuple(path),
        form=tuple(form),
        wants_request=wants_request,
        wants_upload=wants_upload,
        wants_picture=wants_picture,
        wants_body=wants_body,
        takes_file=wants_upload is not None or wants_picture is not None,
        key_in_query=key_in_query,
        spread=spread,
        answer=answer,
        may_stream=may_stream,
        names=frozenset(name for each in form for name in (each.name, *each.aliases)),
        body_bytes=max([largest, *(parameter.body_bytes for parameter in form)]),
    )


def _fields(
    function: Callable[..., object], name: str, made_of: Callable[..., object]
) -> list[Parameter]:
    hints = get_type_hints(made_of, include_extras=True)
    return [
        replace(_parameter(function, field, hints[field.name], in_path=False), spread=name)
        for field in inspect.signature(made_of).parameters.values()
    ]


def _table(hint: object) -> Fields | None:
    if get_origin(hint) is not Annotated:
        return None
    return next((note for note in get_args(hint)[1:] if isinstance(note, Fields)), None)


def _listed(function: Callable[..., object], name: str, table: Fields) -> list[Parameter]:
    optional = inspect.Parameter.KEYWORD_ONLY
    return [
        replace(
            _parameter(
                function, inspect.Parameter(field, optional, default=None), hint, in_path=False
            ),
            spread=name,
        )
        for field, hint in table.hints.items()
    ]


_MODES: Final[Mapping[str, Mode]] = {"tx": "write", "db": "read", "context": "wait"}


def _parameter(
    function: Callable[..., object], parameter: inspect.Parameter, hint: object, *, in_path: bool
) -> Parameter:
    notes: tuple[object, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *rest = get_args(hint)
        notes = tuple(rest)
    required = parameter.default is inspect.Parameter.empty
    try:
        decode = decoder(hint, notes)
    except TypeError as error:
        raise TypeError(f"{function.__qualname__}: {parameter.name}: {error}") from error
    return Parameter(
        name=parameter.name,
        aliases=tuple(note.name for note in notes if isinstance(note, Alias)),
        hint=hint,
        required=required,
        default=None if required else parameter.default,
        in_path=in_path,
        decode=decode,
        notes=notes,
    )
