# SPDX-License-Identifier: Apache-2.0
"""Exceptions that frameworks throw on purpose: to end a thread, or to leave a method.

They are no failures, and a breakpoint for all exceptions does not stop at them; one whose types the
user has named does. To add one: an entry in KNOWN, with what its library does with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from jvmdebug.breakpoints.type_names import is_named

if TYPE_CHECKING:
    from collections.abc import Sequence

When = Literal["caught", "uncaught", "always"]
"""The case in which it is no failure. An exception that is thrown to leave a method is a failure if
it leaves the thread.
"""


@dataclass(frozen=True, slots=True)
class ControlException:
    """An exception of a library; its subtypes count too."""

    name: str
    """The name of the class, or a pattern."""
    when: When
    purpose: str


KNOWN: Final = (
    ControlException(
        "org.springframework.boot.devtools.restart.*$SilentExitException",
        "always",
        "Spring Boot devtools end the thread that called `main`, as they run it again in another",
    ),
    ControlException(
        "org.springframework.boot.SpringApplication$AbandonedRunException",
        "always",
        "Spring Boot leaves `SpringApplication.run` without running the application",
    ),
    ControlException("java.lang.ThreadDeath", "always", "ends a thread, silently before JDK 21"),
    ControlException(
        "kotlinx.coroutines.JobCancellationException",
        "caught",
        "Kotlin's coroutines leave what was cancelled",
    ),
    ControlException(
        "kotlinx.coroutines.TimeoutCancellationException",
        "caught",
        "Kotlin's coroutines leave a `withTimeout`",
    ),
    ControlException(
        "kotlinx.coroutines.flow.internal.AbortFlowException",
        "caught",
        "Kotlin's coroutines leave a flow: `first`, `take`",
    ),
    ControlException(
        "kotlinx.coroutines.flow.internal.ChildCancelledException",
        "caught",
        "Kotlin's coroutines leave the flow that `mapLatest` and others give up",
    ),
    ControlException(
        "scala.runtime.NonLocalReturnControl", "caught", "Scala: `return` in a closure"
    ),
    ControlException(
        "scala.util.control.ControlThrowable", "caught", "Scala: what is not to be handled"
    ),
    ControlException("scala.util.control.BreakControl", "caught", "Scala: `break` of `Breaks`"),
    ControlException("scala.util.boundary$Break", "caught", "Scala 3: `break` of a `boundary`"),
    ControlException(
        "org.gradle.api.tasks.StopExecutionException", "caught", "Gradle leaves a task"
    ),
    ControlException(
        "org.gradle.api.tasks.StopActionException", "caught", "Gradle leaves an action of a task"
    ),
    ControlException(
        "org.junit.runner.notification.StoppedByUserException",
        "caught",
        "JUnit 4 leaves a run that Surefire or an editor has stopped",
    ),
    ControlException(
        "org.junit.internal.AssumptionViolatedException", "caught", "JUnit 4 leaves a test"
    ),
    ControlException(
        "org.opentest4j.TestAbortedException", "caught", "JUnit 5 leaves a test: an assumption"
    ),
    ControlException("org.testng.SkipException", "caught", "TestNG leaves a test"),
    ControlException(
        "org.apache.tomcat.util.threads.StopPooledThreadException",
        "caught",
        "Tomcat ends a thread of its pool",
    ),
    ControlException("io.netty.util.Signal", "caught", "Netty leaves a decoder: `REPLAY`"),
    ControlException(
        "org.apache.lucene.search.CollectionTerminatedException",
        "caught",
        "Lucene leaves a segment that needs no more of its hits",
    ),
    ControlException(
        "io.quarkus.runtime.PreventFurtherStepsException", "caught", "Quarkus leaves its start"
    ),
    ControlException(
        "com.oracle.truffle.api.nodes.ControlFlowException",
        "caught",
        "languages of Truffle: `return`, `break`, `continue`",
    ),
)


def is_control(names: Sequence[str], more: Sequence[str], *, is_caught: bool) -> bool:
    """Whether an exception is thrown on purpose. `names`: those of its class and its supertypes.
    `more`: names and patterns of the user; with `!` in front, exceptions that are failures. The
    last one that matches decides.
    """
    for each in reversed(more):
        asked = each.strip()
        if _is_one(names, asked.removeprefix("!").strip()):
            return not asked.startswith("!")
    whens = ("always", "caught" if is_caught else "uncaught")
    return any(each.when in whens and _is_one(names, each.name) for each in KNOWN)


def _is_one(names: Sequence[str], asked: str) -> bool:
    return bool(asked) and any(is_named(name, asked) for name in names)
