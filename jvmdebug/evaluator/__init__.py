# SPDX-License-Identifier: Apache-2.0
"""Java expressions, evaluated in a frame of the debuggee.

Text → syntax tree (`parse`) → tree with static types by the Java Language Specification (`bind`,
over `symbols`) → value (`run`, or `compiling` for what only javac can read). Owns the language;
knows the model, not the session: no stop, no breakpoint, no rendering. Called by breakpoints
(conditions, logpoints) and the session. Begin with `evaluation`.
"""

from jvmdebug.evaluator.assigning import assign
from jvmdebug.evaluator.class_expression import ClassExpression
from jvmdebug.evaluator.completion import Completion, CompletionKind, completions
from jvmdebug.evaluator.errors import NoClassError, ReadOnlyError
from jvmdebug.evaluator.evaluation import (
    compile_expression,
    evaluate,
    use_class_path,
    use_imports,
)
from jvmdebug.evaluator.expression import CompiledExpression
from jvmdebug.evaluator.run.invoker import left_running, use_suspensions
from jvmdebug.evaluator.warming import warm_up

__all__ = [
    "ClassExpression",
    "CompiledExpression",
    "Completion",
    "CompletionKind",
    "NoClassError",
    "ReadOnlyError",
    "assign",
    "compile_expression",
    "completions",
    "evaluate",
    "left_running",
    "use_class_path",
    "use_imports",
    "use_suspensions",
    "warm_up",
]
