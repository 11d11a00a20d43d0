"""A person's shell while they follow a page: one folder that stands for their machine, and what runs in it."""

import contextlib
import os
import re
import select
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx

from tests.guides.elsewhere import ELSEWHERE, NOT_EVERYWHERE
from tests.guides.pages import commands, usages
from tests.shape.sources import ROOT

SECONDS: Final = 40.0
"""A command that takes longer fails the test."""
_ABSOLUTE: Final = re.compile(r"(?<![\w.:/-])/(backups|etc|data|opt|usr/local|srv|var)(?=/)")


@dataclass(frozen=True, slots=True)
class Step:
    """What a command needs before it, and what shows that it did what its page says."""

    before: Callable[["Machine"], object] | None = None
    typed: str = ""
    """Standard input."""
    prompts: Mapping[str, str] | None = None
    """Questions and their answers, at a terminal; `{n}` is a number that is new each time."""
    instead: Sequence[Mapping[str, str]] = ()
    """Like `Machine.words`, for one command: for each of its usages, or for all."""
    says: str = ""
    """Part of the output."""
    does: Callable[["Machine"], object] | None = None
    """What is true afterwards."""
    stopped: bool = False
    """It runs until Ctrl+C, which comes after `says`."""
    code: int = 0


def _missing(command: str) -> bool:
    """Whether a command needs a program that is not on this machine."""
    return any(
        re.search(rf"\b{program}\b", command) and shutil.which(program) is None
        for program in NOT_EVERYWHERE
    )


@dataclass(slots=True)
class Machine:
    """A folder with a home, `/backups`, `/etc`…, and the programs on its PATH."""

    folder: Path
    programs: Path
    words: dict[str, str] = field(default_factory=dict)
    """Words of the page that stand for others, and what is typed."""
    beginnings: dict[str, str] = field(default_factory=dict)
    """The same at the beginning of a command; `{}` is its rest."""
    url: str = ""
    """Where the server listens."""
    output: str = ""
    """Of the last command."""
    _server: subprocess.Popen[bytes] | None = None
    _answers: int = 0

    def __post_init__(self) -> None:
        for name in ("home", "backups", "data"):
            (self.folder / name).mkdir()
        for name in ("opt/chinwag", "usr/local"):
            (self.folder / name).mkdir(parents=True)
            (self.folder / name / "bin").symlink_to(self.programs)

    @property
    def environment(self) -> dict[str, str]:
        """Variables of the shell: none of the tests' own."""
        return {
            "PATH": f"{self.programs}:{os.environ['PATH']}",
            "HOME": str(self.folder / "home"),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
        }

    def follow(self, page: str, steps: Mapping[str, Step]) -> None:
        """Type each command of a page, in order. A step that the page does not have any more fails."""
        written = commands(page)
        assert [command for command in steps if command not in written] == []
        for command in written:
            if command not in ELSEWHERE and not _missing(command):
                step = steps.get(command, Step())
                for number, line in enumerate(usages(command)):
                    instead = step.instead[number : number + 1] or step.instead[-1:] or ({},)
                    if step.before:
                        step.before(self)
                    self.do(self._here(line, instead[0]), step)

    def do(self, line: str, step: Step) -> None:
        """Run a command as a step of a page, and check what it did."""
        if line.startswith("make "):
            code = self.run(f"make -n -C {ROOT} {line[5:]}")
        elif line.endswith("--port 0"):
            self.serve(line)
            code = 0
        elif step.prompts:
            code = self.answer(line, step.prompts)
        elif step.stopped:
            code = self.stop_after(line, step.says)
        else:
            code = self.run(line, step.typed)
        assert (code, step.says in self.output) == (step.code, True), f"{line}\n{self.output}"
        if step.does:
            assert step.does(self), f"{line}\n{self.output}"

    def run(self, line: str, typed: str = "") -> int:
        """Return the exit code of a line of shell; its output is in `output`."""
        done = subprocess.run(
            self._shell(line),
            cwd=self.folder,
            env=self.environment,
            input=typed.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=SECONDS,
            check=False,
        )
        self.output = done.stdout.decode()
        return done.returncode

    def serve(self, line: str) -> None:
        """Start a server in place of the one that runs, at a port of the system's choice."""
        self.stop()
        self._server = self._start(line)
        self.output = self._read(self._server, until="listening on ")
        self.url = self.output.rpartition("listening on ")[2].split()[0]

    def stop(self) -> None:
        """Stop the server as its page says, if one runs."""
        if self._server is not None:
            self._end(self._server, signal.SIGTERM)
            self._server = None

    def stop_after(self, line: str, text: str) -> int:
        """Run a line until it has printed a text, then press Ctrl+C; return 0 for the exit code of that."""
        process = self._start(line)
        try:
            self.output = self._read(process, until=text)
        finally:
            code = self._end(process, signal.SIGINT)
        return 0 if code in (130, -signal.SIGINT) else code

    def answer(self, line: str, prompts: Mapping[str, str]) -> int:
        """Run a line at a terminal, with its output in a pipe: nothing opens when it is done."""
        ours, theirs = os.openpty()
        process = self._start(line, stdin=theirs, stderr=theirs)
        os.close(theirs)
        self._answers += 1
        self.output = waiting = ""
        try:
            while data := self._some(process, ours):
                self.output += data
                waiting += data
                for prompt, answer in prompts.items():
                    if waiting.endswith(prompt):
                        os.write(ours, f"{answer.format(n=self._answers)}\n".encode())
                        waiting = ""
            return process.wait(SECONDS)
        finally:
            os.close(ours)
            self._end(process, signal.SIGKILL)

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> str:
        """Return what the server answers to a program without an account."""
        return httpx.get(f"{self.url}{path}", headers=headers, trust_env=False).text

    def _here(self, line: str, instead: Mapping[str, str]) -> str:
        """Return a line with this machine's paths, ports and names."""
        for beginning, typed in self.beginnings.items():
            if f"{line} ".startswith(beginning):
                line = typed.format(f"{line} ".removeprefix(beginning).rstrip())
        for word, typed in {**self.words, **instead}.items():
            escaped = typed.replace("\\", r"\\")
            line = re.sub(rf"(?<![\w-]){re.escape(word)}(?![\w-])", escaped, line)
        line = _ABSOLUTE.sub(rf"{self.folder}/\1", line).replace(
            "--host 0.0.0.0", "--host 127.0.0.1"
        )
        if re.match(r"\S*chinwag-server serve ", line) and "--check" not in line:
            line = re.sub(r" --port \d+", "", line) + " --port 0"
        return line

    def _shell(self, line: str) -> Sequence[str]:
        return ("bash", "-o", "pipefail", "-c", line)

    def _start(
        self, line: str, stdin: int = subprocess.DEVNULL, stderr: int = subprocess.STDOUT
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._shell(line),
            cwd=self.folder,
            env=self.environment,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
        )

    def _read(self, process: subprocess.Popen[bytes], *, until: str) -> str:
        """Return what a process writes, up to the end of the line with a text."""
        read = ""
        while until not in read or not read.endswith("\n"):
            data = self._some(process)
            assert data, f"waited for {until!r} after {read}"
            read += data
        return read

    @staticmethod
    def _some(process: subprocess.Popen[bytes], terminal: int | None = None) -> str:
        """Return the next output of a process; "" if it has ended."""
        assert process.stdout is not None
        files = [process.stdout.fileno(), *([] if terminal is None else [terminal])]
        ready, _, _ = select.select(files, [], [], SECONDS)
        if terminal in ready:  # first: a closed pipe is always ready
            with contextlib.suppress(OSError):  # the program has closed its terminal
                return os.read(ready[-1], 65536).decode()
        return os.read(files[0], 65536).decode() if ready else ""

    @staticmethod
    def _end(process: subprocess.Popen[bytes], number: int) -> int:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        try:
            process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise
        return process.returncode
