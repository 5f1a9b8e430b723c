# SPDX-License-Identifier: Apache-2.0
"""Java expressions, evaluated in a frame of the debuggee.

Text → syntax tree (`parse`) → tree with static types by the Java Language Specification (`bind`,
over `symbols`) → value (`run`, `compiling` for what only javac can read, `reading` for calls where
no code may run). Owns the language; knows the model, not the session: no stop, no breakpoint, no
rendering. Called by breakpoints and the session. Begin with `evaluation`.

The functions are imported when they are first used: half of the processor time of a start would be
theirs, and many sessions evaluate nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.evaluator.errors import COMPILED_LATER, NoClassError, NotLoadedError, ReadOnlyError
from jvmdebug.evaluator.run.invoker import left_running, use_suspensions
from jvmdebug.evaluator.surroundings import use_class_path, use_imports

if TYPE_CHECKING:
    from jvmdebug.evaluator.assigning import assign
    from jvmdebug.evaluator.class_expression import ClassExpression
    from jvmdebug.evaluator.completion import Completion, CompletionKind, completions
    from jvmdebug.evaluator.evaluation import compile_expression, evaluate
    from jvmdebug.evaluator.expression import CompiledExpression
    from jvmdebug.evaluator.object_expression import ObjectCondition
    from jvmdebug.evaluator.plans.texts import PlanLaterError, planned_text
    from jvmdebug.evaluator.warming import warm_up

_HOMES: Final = {
    "ClassExpression": "class_expression",
    "CompiledExpression": "expression",
    "Completion": "completion",
    "CompletionKind": "completion",
    "ObjectCondition": "object_expression",
    "PlanLaterError": "plans.texts",
    "assign": "assigning",
    "compile_expression": "evaluation",
    "completions": "completion",
    "evaluate": "evaluation",
    "planned_text": "plans.texts",
    "warm_up": "warming",
}

__all__ = [
    "COMPILED_LATER",
    "ClassExpression",
    "CompiledExpression",
    "Completion",
    "CompletionKind",
    "NoClassError",
    "NotLoadedError",
    "ObjectCondition",
    "PlanLaterError",
    "ReadOnlyError",
    "assign",
    "compile_expression",
    "completions",
    "evaluate",
    "left_running",
    "planned_text",
    "use_class_path",
    "use_imports",
    "use_suspensions",
    "warm_up",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever has that name
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(f"{__name__}.{home}"), name)
    globals()[name] = found
    return found
