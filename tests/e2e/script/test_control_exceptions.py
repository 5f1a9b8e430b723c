# SPDX-License-Identifier: Apache-2.0
"""Exceptions that frameworks throw on purpose do not stop, unless their types are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug.breakpoints.control_exceptions import KNOWN, is_control
from tests.support import process
from tests.support.jdks import REPOSITORY
from tests.support.warm_javac import javac

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

DEVTOOLS = (
    "org.springframework.boot.devtools.restart.SilentExitExceptionHandler$SilentExitException"
)
NAMES = [DEVTOOLS if "*" in each.name else each.name for each in KNOWN]
MAIN = """\
package shop;

public final class Main {
    static final class Failure extends RuntimeException {}

    static <E extends Throwable> void raise(String name) throws E {
        try {
            throw (E) Class.forName(name).getDeclaredConstructor().newInstance(); // thrown here
        } catch (ReflectiveOperationException none) {
            throw new AssertionError(none);
        }
    }

    public static void main(String[] names) throws Exception {
        for (String name : names) {
            try {
                Main.<RuntimeException>raise(name);
            } catch (Throwable caught) {
                System.out.println("caught " + name);
            }
        }
        for (String name : names) {
            Thread thread = new Thread(() -> Main.<RuntimeException>raise(name), name);
            thread.setUncaughtExceptionHandler((ended, thrown) -> {});
            thread.start();
            thread.join();
        }
    }
}
"""
FAILURE = "shop.Main$Failure"


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Classes of the names of the table, and the program that throws them."""
    folder = tmp_path_factory.mktemp("control")
    sources = {"shop/Main.java": MAIN}
    for name in NAMES:
        if name.startswith("java."):
            continue
        package, _, own = name.rpartition(".")
        outer, _, nested = own.partition("$")
        body = "extends RuntimeException { public %s() {} }"
        text = f"public class {outer} {{ public static class {nested} {body % nested} }}"
        if not nested:
            text = f"public class {outer} {body % outer}"
        sources[f"{package.replace('.', '/')}/{outer}.java"] = f"package {package};\n{text}\n"
    for path, text in sources.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    javac([folder / path for path in sources], folder / "out", "-g", "--release", "11")
    return folder / "out"


async def stops(
    jdk: Jdk,
    kind: AgentKind,
    classes: Path,
    mode: str,
    *specs: tuple[str, bool, bool],
    names: list[str],
    more: tuple[str, ...] = (),
) -> list[tuple[str, bool]]:
    """The exceptions of all stops, and whether they are caught."""
    options = process.launch_options(kind) | ({"mode": mode} if kind == "jvmdebug" else {})
    found = []
    async with jvmdebug.launch(
        "shop.Main", class_path=[classes], args=names, java=jdk.java, **options
    ) as session:
        session.settings.control_exceptions = more
        for type_name, caught, uncaught in specs:
            await session.break_on_exception(type_name, caught=caught, uncaught=uncaught)
        async for stop in session.stops():
            thrown = await stop.thrown()
            assert thrown is not None
            # The JDK and the VM throw others while a class is loaded.
            if thrown.type_name in names:
                found.append((thrown.type_name, bool(stop.exception_caught)))
    return found


MODES = ["fast", "full"]
ALL = "java.lang.Throwable"


@pytest.mark.parametrize("mode", MODES)
async def test_default_filters_pass_what_is_thrown_on_purpose(
    jdk: Jdk, agent_kind: AgentKind, classes: Path, mode: str
) -> None:
    if agent_kind == "stock" and mode != "full":
        pytest.skip("the JDK's agent has no modes")
    names = [*NAMES, FAILURE]
    found = await stops(jdk, agent_kind, classes, mode, (ALL, True, True), names=names)
    # What leaves its thread though it was to leave a method only is a failure.
    wrong = [name for name, each in zip(NAMES, KNOWN, strict=True) if each.when == "caught"]
    assert found == [(FAILURE, True), *((name, False) for name in wrong), (FAILURE, False)]


@pytest.mark.parametrize("mode", MODES)
async def test_types_that_the_user_names_stop(
    jdk: Jdk, agent_kind: AgentKind, classes: Path, mode: str
) -> None:
    if agent_kind == "stock" and mode != "full":
        pytest.skip("the JDK's agent has no modes")
    names = [DEVTOOLS, FAILURE]
    for asked in ("*SilentExitException", "java.lang.RuntimeException", DEVTOOLS):
        specs = ((asked, True, True), (ALL, True, True))
        found = await stops(jdk, agent_kind, classes, mode, *specs, names=names)
        expected = [(DEVTOOLS, True), (FAILURE, True), (DEVTOOLS, False), (FAILURE, False)]
        assert found == expected, asked


@pytest.mark.parametrize(
    ("more", "passed"),
    [
        ((FAILURE,), [DEVTOOLS, FAILURE]),
        (("Failure",), [DEVTOOLS, FAILURE]),
        (("!*",), []),
        (("!*", "shop.*"), [FAILURE]),
        (("shop.*", "!shop.Main.Failure"), [DEVTOOLS]),
        (("!org.springframework.*", " "), []),
    ],
)
async def test_the_users_own_come_before_the_table(
    jdk: Jdk, classes: Path, more: tuple[str, ...], passed: list[str]
) -> None:
    names = [DEVTOOLS, FAILURE]
    found = await stops(
        jdk, "jvmdebug", classes, "fast", (ALL, False, True), names=names, more=more
    )
    assert found == [(each, False) for each in names if each not in passed]


async def test_a_list_that_only_leaves_out_is_for_all(jdk: Jdk, classes: Path) -> None:
    names = [DEVTOOLS, FAILURE]
    spec = ("!com.acme.*", False, True)
    assert await stops(jdk, "jvmdebug", classes, "fast", spec, names=names) == [(FAILURE, False)]


def test_interfaces_count() -> None:
    """`ControlThrowable` is one before Scala 2.13."""
    names = ["shop.Stop", "java.lang.Throwable", "scala.util.control.ControlThrowable"]
    assert is_control(names, (), is_caught=True)
    assert not is_control(names, (), is_caught=False)


def test_the_docs_have_each_of_the_table() -> None:
    text = (REPOSITORY / "docs" / "how-to" / "modes.md").read_text("utf-8")
    for each in KNOWN:
        assert f"| `{each.name}` | {each.purpose} |" in text
