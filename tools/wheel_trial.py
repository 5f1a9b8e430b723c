# SPDX-License-Identifier: Apache-2.0
"""Tries wheels as a user would: `python -m tools.wheel_trial WHEEL...`.

A wheel for this machine is installed into an empty virtual environment, and a program is debugged
with it. The agent of a wheel for another processor is loaded into a VM of that processor, run by
qemu, and debugged from here: so its Python module is built and checked but not run. `make wheels`
does this with each wheel that it builds.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

from tools import interpreters, portable
from tools.jdk import fetch_foreign
from tools.progress import StepError, step

REPOSITORY: Final = Path(__file__).resolve().parents[1]
WORK: Final = REPOSITORY / "build" / "release" / "trial"

_AGENT: Final = "jvmdebug/_agent/libjvmdebug.so"
_JDK: Final = 25
_COMMANDS: Final = "break Basket.java:34\nrun\nprint item.name\n"
_SHOWS: Final = ("Breakpoint 1, Basket.total(Basket.java:34)", '"tea"')
_LISTENS: Final = re.compile(r"Listening for transport dt_socket at address: (\S+)")
_VM_STARTS_WITHIN_S: Final = 120


class TrialError(Exception):
    """A wheel was tried and does not do what it should."""


def try_wheel(wheel: Path, interpreter: interpreters.Interpreter, work: Path) -> None:
    """Install a wheel and debug a program with it, away from this repository."""
    python = environment(interpreter, work / "trial")
    folder = _folder(work / "folder")
    install = [python, "-m", "pip", "install", "--quiet", str(wheel)]
    step(f"install {wheel.name}", install, cwd=folder, environment=_clean())
    debugger = str(Path(python).with_name("jvmdebug"))
    options = ["--agent", "jvmdebug", "-x", "commands", "--batch"]
    command = [debugger, "launch", *options, "Basket.java"]
    shown = step("debug a program with it", command, cwd=folder, environment=_clean())
    _check(wheel, shown)


def try_agent(wheel: Path, processor: str, work: Path) -> None:
    """Debug a program in a VM of that processor with the agent of that wheel, and the debugger of
    this environment. Says so and does nothing where there is no qemu for it.
    """
    emulator = shutil.which(f"qemu-{processor}-static") or shutil.which(f"qemu-{processor}")
    libraries = Path(f"/usr/{processor}-linux-gnu")
    if emulator is None or not libraries.is_dir():
        print(f"the agent for {processor}: NOT TRIED, there is no qemu-{processor} with a libc")
        return
    folder = _folder(work / "folder")
    with zipfile.ZipFile(wheel) as archive:
        agent = archive.extract(_AGENT, folder)
    step("javac", ["javac", "--release", "11", "-g", "Basket.java"], cwd=folder)
    java = [emulator, "-L", str(libraries), str(fetch_foreign(_JDK, processor) / "bin" / "java")]
    option = f"-agentpath:{agent}=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0"
    with subprocess.Popen(
        [*java, option, "Basket"], cwd=folder, stdout=subprocess.PIPE, text=True
    ) as program:
        try:
            address = _address(program)
            command = [sys.executable, "-m", "jvmdebug_cli", "attach", address, "--timeout"]
            command += [str(_VM_STARTS_WITHIN_S), "-x", "commands", "--batch"]
            shown = step(f"debug a program on {processor}", command, cwd=folder)
        finally:
            program.kill()
    _check(wheel, shown)


def _address(program: subprocess.Popen[str]) -> str:
    """The address at which the agent says that it listens."""
    lines = []
    for line in program.stdout or ():
        lines.append(line)
        if found := _LISTENS.search(line):
            return found[1]
    raise TrialError(f"the agent was not loaded:\n{''.join(lines)}")


def _check(wheel: Path, shown: str) -> None:
    if lacking := [text for text in _SHOWS if text not in shown]:
        raise TrialError(f"{wheel.name}: the session should show {lacking}; it was:\n{shown}")


def _folder(folder: Path) -> Path:
    """An empty folder with a program and the commands of a session."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(REPOSITORY / "examples" / "Basket.java", folder)
    (folder / "commands").write_text(_COMMANDS, encoding="utf-8")
    return folder


def environment(interpreter: interpreters.Interpreter, folder: Path) -> str:
    """An empty virtual environment; its Python."""
    subprocess.run([str(interpreter.path), "-m", "venv", str(folder)], check=True)
    return str(folder / "bin" / "python")


def _clean() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def main() -> None:
    """Try these wheels; those of a CPython that is not here are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheels", type=Path, nargs="+", metavar="WHEEL")
    found = interpreters.find()
    try:
        for wheel in parser.parse_args().wheels:
            minor, processor = of_name(wheel.name)
            if not portable.is_native(processor):
                try_agent(wheel, processor, WORK)
            elif minor in found:
                try_wheel(wheel, found[minor], WORK / minor)
            else:
                print(f"{wheel.name}: NOT TRIED, there is no CPython {minor} on this machine")
    except (StepError, TrialError) as error:
        sys.exit(str(error))


def of_name(wheel: str) -> tuple[str, str]:
    """The CPython and the processor that a wheel is for: `("3.12", "x86_64")`."""
    _, _, tag, _, platforms = wheel.removesuffix(".whl").split("-")
    processor = next((each for each in portable.PROCESSORS if platforms.endswith(each)), "")
    return f"{tag[2]}.{tag[3:]}", processor


if __name__ == "__main__":
    main()
