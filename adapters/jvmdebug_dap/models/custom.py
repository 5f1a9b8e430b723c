# SPDX-License-Identifier: Apache-2.0
"""Arguments of requests that the schema does not describe fully, or that are our own."""

from typing import Literal

from pydantic import ConfigDict

from jvmdebug_dap.models.base import Json, Model


class RestartArguments(Model):
    """The newest configuration, if the client sends one; validated later, as launch or attach."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)
    arguments: dict[str, Json] | None = None


class NoArguments(Model):
    """For requests without arguments, or with arguments that are ignored."""


class ForceEarlyReturnArguments(Model):
    frame_id: int
    expression: str | None = None


class RedefineClassesArguments(Model):
    paths: list[str]
    changed_only: bool = True


class RedefinedClassBody(Model):
    path: str
    outcome: str
    name: str | None = None
    reason: str | None = None


class RedefineClassesBody(Model):
    """The body of the answer to `jvmdebug/redefineClasses`, and of `jvmdebug/classesRedefined`."""

    classes: list[RedefinedClassBody]


class FullModeNeededBody(Model):
    """The body of `jvmdebug/fullModeNeeded`: what the fast mode cannot do, as a sentence."""

    message: str


class SuspendArguments(Model):
    """Which threads stops suspend from now on, unless the breakpoint says so."""

    suspend: Literal["all", "thread"]


class PopFrameArguments(Model):
    frame_id: int
