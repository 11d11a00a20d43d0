"""Nox sessions: what `make check` and `make test` do, on every Python that is supported. `nox` runs those that are installed."""

import tomllib
from pathlib import Path

import nox

PROJECT = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
PYTHONS = [
    name.rpartition(" ")[2]
    for name in PROJECT["classifiers"]
    if name.startswith("Programming Language :: Python :: 3.")
]
nox.options.sessions = ["tests"]
nox.options.error_on_missing_interpreters = False


def install(session: nox.Session) -> None:
    """Exactly the pinned packages; nothing else is fetched for the project itself."""
    session.install("--require-hashes", "-r", "constraints.txt")
    session.install("--no-index", "--no-deps", "--no-build-isolation", "-e", ".")


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """The suite; arguments after `--` replace the folders."""
    install(session)
    session.env["PYTHONDONTWRITEBYTECODE"] = ""  # each of hundreds of processes would compile
    pytest = ("pytest", "-q", "--dist", "worksteal", "-m", "not soak")
    if session.posargs:
        session.run(*pytest, "-n", "2", *session.posargs)
        return
    session.run(*pytest, "-n", "2", "--ignore", "tests/e2e")
    session.run(*pytest, "-n", "5", "tests/e2e")


@nox.session(python=PYTHONS)
def types(session: nox.Session) -> None:
    """mypy, as each version sees the code."""
    install(session)
    session.run("mypy", "--python-version", str(session.python))
