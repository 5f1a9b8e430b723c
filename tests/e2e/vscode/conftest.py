# SPDX-License-Identifier: Apache-2.0
"""A real VS Code (code-server in headless Chromium) and the person in front of it.

Owns the server, its profile, the packaged extension and the browser; a module of `scenarios/` is
what the person does. The screenshots stay in `build/vscode/screenshots`. Needs Node 20 or newer.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.jdks import jdks_to_test

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[2]
EXTENSION = REPOSITORY / "vscode-extension"
TOOLS = REPOSITORY / "build" / "vscode"

TIDY = {
    "key": "ctrl+alt+shift+f12",
    "command": "runCommands",
    "args": {
        "commands": [
            "workbench.action.debug.stop",
            "workbench.debug.viewlet.action.removeAllBreakpoints",
            "workbench.action.revertAndCloseActiveEditor",
            "workbench.action.closeAllEditors",
            "workbench.action.terminal.killAll",
            "workbench.debug.panel.action.clearReplAction",
            "workbench.action.closePanel",
            "notifications.clearAll",
            "notifications.hideList",
        ],
    },
}
"""What a person presses before the next scenario in the same window."""

PROVISION_TIMEOUT_S = 420.0
START_TIMEOUT_S = 60.0
SCENARIO_TIMEOUT_S = 240.0


def run(
    *command: str | Path,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    timeout_s: float,
) -> str:
    """Run a command to its end; its output, or a failure that shows it."""
    with subprocess.Popen(
        command,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, **(environment or {})},
        start_new_session=True,
        text=True,
        errors="replace",
    ) as process:
        try:
            output, _ = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    assert process.returncode == 0, f"{command}:\n{output}"
    return output


def line_of(text: str, marker: str) -> int:
    """The line of a source, from 1, that ends with `// @marker`."""
    lines = enumerate(text.splitlines(), 1)
    return next(number for number, line in lines if f"// @{marker}" in line)


def healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def listening_url(server: subprocess.Popen[str]) -> str:
    """The address that code-server prints once it listens."""
    assert server.stdout is not None
    printed = ""
    for line in server.stdout:
        printed += line
        if found := re.search(r"HTTP server listening on (http://127\.0\.0\.1:\d+)", printed):
            return found[1]
    raise AssertionError(f"code-server ended:\n{printed}")


@pytest.fixture(scope="session")
def packaged() -> Path:
    """The packaged extension; all that VS Code needs is there too."""
    run(HERE / "provision.sh", TOOLS, timeout_s=PROVISION_TIMEOUT_S)
    if not (EXTENSION / "node_modules").exists():
        run("npm", "ci", "--silent", cwd=EXTENSION, timeout_s=PROVISION_TIMEOUT_S)
    run("npm", "run", "--silent", "package", cwd=EXTENSION, timeout_s=120)
    return EXTENSION / "jvmdebug.vsix"


@contextlib.contextmanager
def vs_code(
    profile: Path,
    extensions: Iterable[Path],
    own_settings: Mapping[str, Any],
    environment: Mapping[str, str],
) -> Iterator[str]:
    """The URL of a VS Code with these extensions installed."""
    user = profile / "user"
    settings = {
        "workbench.startupEditor": "none",
        "debug.console.closeOnEnd": False,
        "workbench.welcomePage.walkthroughs.openOnInstall": False,  # nor offered at the first stop
        "terminal.integrated.gpuAcceleration": "off",  # its text is in the page then
        **own_settings,
    }
    # A command's path is a setting of the machine, which a server keeps apart from the user's.
    for kind in ("User", "Machine"):
        (user / kind).mkdir(parents=True)
        (user / kind / "settings.json").write_text(json.dumps(settings))
    (user / "User" / "keybindings.json").write_text(json.dumps([TIDY]))
    entry = TOOLS / "code-server" / "node_modules" / "code-server" / "out" / "node" / "entry.js"
    folders = [
        *("--user-data-dir", str(user)),
        *("--extensions-dir", str(profile / "extensions")),
        *("--config", str(profile / "config.yaml")),
    ]
    node = shutil.which("node") or "node"
    for each in extensions:
        run(node, entry, *folders, "--install-extension", each, timeout_s=START_TIMEOUT_S)
    with subprocess.Popen(
        [
            *(node, str(entry), *folders, "--auth", "none", "--bind-addr", "127.0.0.1:0"),
            *("--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"),
            "--disable-getting-started-override",
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**environment, "JAVA_HOME": str(jdks_to_test()[0].home)},
        start_new_session=True,
        text=True,
        errors="replace",
    ) as process:
        try:
            url = listening_url(process)
            assert healthy(url)
            yield url
        finally:
            # The extension host outlives the server unless the whole group ends.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@contextlib.contextmanager
def _installed(packaged: Path, profile: Path) -> Iterator[str]:
    settings = {"jvmdebug.command": str(Path(sys.executable).parent / "jvmdebug")}
    environment = {**os.environ, "XDG_CONFIG_HOME": str(profile / "own-settings")}
    with vs_code(profile, [packaged], settings, environment) as url:
        yield url


@pytest.fixture(scope="session")
def shared_server(packaged: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a VS Code with the extension installed, started once: that takes seconds."""
    with _installed(packaged, tmp_path_factory.mktemp("profile")) as url:
        yield url


@pytest.fixture(scope="module")
def server(
    request: pytest.FixtureRequest, packaged: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The same, of its own for a module that changes settings and says so: `OWN_SERVER`."""
    if not getattr(request.module, "OWN_SERVER", False):
        yield request.getfixturevalue("shared_server")
        return
    with _installed(packaged, tmp_path_factory.mktemp("profile")) as url:
        yield url


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something that VS Code showed as an error or a warning."""

    where: str
    """notification, dialog or console"""
    severity: str
    text: str


class Driver:
    """The browser, which runs one scenario after the other."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, **request: Any) -> dict[str, Any]:
        """The answer to a request, see `run.mjs`."""
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None
        assert answers is not None
        requests.write(json.dumps(request) + "\n")
        requests.flush()
        # What hangs is ended, and the answer is empty then.
        timer = threading.Timer(SCENARIO_TIMEOUT_S, self._process.kill)
        timer.start()
        try:
            line = answers.readline()
        finally:
            timer.cancel()
        assert line, f"no answer within {SCENARIO_TIMEOUT_S} s"
        answer: dict[str, Any] = json.loads(line)
        return answer


@pytest.fixture(scope="session")
def driver(packaged: Path) -> Iterator[Driver]:
    assert packaged.exists()  # the driver of the browser is there too
    with subprocess.Popen(
        ["node", str(HERE / "run.mjs"), str(TOOLS / "driver")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
        text=True,
        errors="replace",
    ) as process:
        try:
            yield Driver(process)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in front of a window with a workspace open."""

    url: str
    driver: Driver
    workspace: Path
    folder: Path
    """For the files of a scenario, in the workspace."""

    def configure(self, **configuration: Any) -> None:
        """Write a launch.json with this as its only configuration."""
        settings = self.workspace / ".vscode"
        settings.mkdir(exist_ok=True)
        whole = {"type": "jvmdebug", "request": "launch", "name": "Test", **configuration}
        text = json.dumps({"version": "0.2.0", "configurations": [whole]})
        (settings / "launch.json").write_text(text)

    def does(
        self, scenario: str, *, named: tuple[str, ...] = (), shots: str = "", **options: Any
    ) -> dict[str, Any]:
        """Run the scenario; what it saw. All errors and warnings shown match one of `named`, and
        each of those (a regular expression) matches one that was shown.
        """
        screenshots = TOOLS / "screenshots" / (shots or scenario)
        screenshots.mkdir(parents=True, exist_ok=True)
        result = self.driver.run(
            scenario=scenario,
            url=f"{self.url}/?folder={self.workspace}",
            screenshots=str(screenshots),
            options=options,
        )
        assert "failure" not in result, f"{result['failure']}\nshown: {result['alarms']}"
        alarms = [Alarm(**each) for each in result["alarms"]]
        surprises = [
            each for each in alarms if not any(re.search(name, each.text) for name in named)
        ]
        assert not surprises, f"shown as error or warning, unexpected: {surprises}"
        for name in named:
            assert any(re.search(name, each.text) for each in alarms), f"not shown: {name}"
        seen: dict[str, Any] = result["seen"]
        return seen


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the window of `person` has open."""
    return tmp_path_factory.mktemp("window") / "workspace"


@pytest.fixture
def person(server: str, driver: Driver, workspace: Path, request: pytest.FixtureRequest) -> Person:
    """Somebody who does one scenario after the other in one window, each in a folder of its own."""
    folder = workspace / re.sub(r"\W", "-", request.node.name.removeprefix("test_"))
    folder.mkdir(parents=True)
    return Person(server, driver, workspace, folder)


@pytest.fixture
def newcomer(server: str, driver: Driver, tmp_path: Path) -> Person:
    """Somebody who has just opened a window on a folder."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    return Person(server, driver, folder, folder)
