# SPDX-License-Identifier: Apache-2.0
"""A text that is parsed once, bound once per location, and run in many frames.

Owns deadlines, the cache of bindings per location, and the messages for errors of the VM. Called by
`evaluation`, and by breakpoints for conditions and log messages.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.errors import EvaluationError, VmError
from jvmdebug.errors import ReadOnlyError as SessionReadOnlyError
from jvmdebug.evaluator.bind.bound import Bound
from jvmdebug.evaluator.bind.dispatch import binder_for
from jvmdebug.evaluator.bind.scope import frame_scope, runtime_type
from jvmdebug.evaluator.compiling import CompiledCode
from jvmdebug.evaluator.errors import (
    COMPILED_LATER,
    MissingMemberError,
    NeedsCompilerError,
    NoValueError,
    ReadOnlyError,
)
from jvmdebug.evaluator.kotlin import parsing as kotlin
from jvmdebug.evaluator.kotlin.evaluation import evaluate as evaluate_kotlin
from jvmdebug.evaluator.parse import parser, syntax
from jvmdebug.evaluator.run import exceptions, late_binding
from jvmdebug.evaluator.run.class_loading import ClassForName
from jvmdebug.evaluator.run.deadline import Deadline
from jvmdebug.evaluator.run.dispatch import run_in
from jvmdebug.evaluator.run.groovy import asks_owner_first
from jvmdebug.evaluator.run.interpreter import Plan
from jvmdebug.evaluator.run.invoker import Invoker
from jvmdebug.evaluator.symbols import signatures, types
from jvmdebug.evaluator.symbols.loaded_types import Declarations, LoadedTypes
from jvmdebug.jdwp.ids import ObjectId, ThreadId
from jvmdebug.model.debuggee_exception import DebuggeeException
from jvmdebug.model.frame import Frame
from jvmdebug.model.values import ObjectReference, PrimitiveValue
from jvmdebug.sources import is_kotlin

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmdebug.evaluator.bind.binder import Binder
    from jvmdebug.evaluator.bind.bound import BoundNode
    from jvmdebug.evaluator.bind.scope import FrameScope
    from jvmdebug.evaluator.run.interpreter import Run
    from jvmdebug.evaluator.symbols.types import JavaType, ValueType
    from jvmdebug.model.location import Location
    from jvmdebug.model.values import Value
    from jvmdebug.model.virtual_machine import VirtualMachine

_MAX_BINDINGS: Final = 64

Code: TypeAlias = syntax.Expression | syntax.Block

_BindingKey = tuple["Location", tuple[tuple[str, "ValueType"], ...], tuple[int, int | None], bool]


@dataclass(frozen=True, slots=True)
class _Binding:
    """The meaning of the text at a location: a plan, or compiled code. When both are None, the
    text needs late binding.
    """

    plan: Plan | None
    source: LoadedTypes
    scope: FrameScope
    code: CompiledCode | None = None
    kotlin: kotlin.KotlinCode | None = None

    async def holds_for(self, frame: Frame) -> bool:
        """Whether names mean the same in another frame at this location."""
        return self.scope.caller is None or await self.scope.caller.is_caller_of(frame)


@dataclass(frozen=True, slots=True)
class StaticCheck:
    """The result of binding a text before it runs: its static type, or why it has none."""

    type: JavaType | None = None
    """None for statements, and for code that is compiled."""
    error: EvaluationError | None = None
    """MissingMemberError: the class of the object may have what its static type lacks."""
    is_final: bool = False
    """Whether no class that is loaded later can change the error, but for a missing member."""


class CompiledExpression:
    """A parsed expression that is bound once per location and may run in many frames."""

    def __init__(
        self,
        text: str,
        *,
        read_only: bool = False,
        imports: tuple[str, ...] | None = None,
        root: Code | None = None,
        may_be_kotlin: bool = True,
    ) -> None:
        """Parse; EvaluationError with the column when the text is not a Java expression.

        With `read_only`, nothing is changed and no code is run: binding rejects assignments and
        `++`, and calls are computed from what is read (`reading`), or rejected. `imports`
        (`java.util.List`, `java.util.*`, `static java.lang.Math.*`) are for simple names; None:
        those of the source file, if it is available (`use_imports`). `root` is the tree, if the
        text is parsed already. In frames of Kotlin code a text that is Kotlin is evaluated as that;
        unless `may_be_kotlin`, one that is not Java is refused at once.
        """
        self.text = text
        self._is_read_only = read_only
        self._imports = imports
        self._root = root
        self._is_text = root is None
        self._not_java: EvaluationError | None = None
        if root is None:
            # root stays None for code that needs the compiler.
            try:
                self._root = parser.parse_code(text)
            except NeedsCompilerError:
                pass
            except EvaluationError as error:
                error.expression = text
                if not may_be_kotlin or kotlin.parse(text) is None:
                    raise
                self._not_java = error
        self._bindings: dict[_BindingKey, _Binding] = {}

    async def evaluate(
        self,
        frame: Frame,
        *,
        deadline_s: float | None = None,
        names: Mapping[str, Value] | None = None,
    ) -> Value:
        """The value in `frame`. `names` are additional names (`$exception`), which do not shadow.

        Raises EvaluationError (column 0-based) when the text cannot be bound, when Java would
        throw, and when `deadline_s` is over, in which javac does not count; DebuggeeException when
        invoked code threw.
        """
        try:
            return await self._within(frame, deadline_s, dict(names or {}))
        except DebuggeeException as error:
            described = await exceptions.described(frame.thread, error)
            described.expression = self.text
            raise described from error
        except EvaluationError as error:
            error.expression = self.text
            if isinstance(error, ReadOnlyError) and not self._is_read_only:
                connection = frame.thread.vm.connection
                why = connection.why_read_only
                if connection.is_recording and isinstance(self._root, syntax.Assignment):
                    raise SessionReadOnlyError(connection.why_unchanged) from error
                raise SessionReadOnlyError(f"{error}: {why}") from error
            raise

    async def _within(
        self, frame: Frame, deadline_s: float | None, extra: Mapping[str, Value]
    ) -> Value:
        try:
            async with Deadline(deadline_s) as deadline:
                return await self._evaluate(frame, deadline, extra)
        except TimeoutError as error:
            how = frame.thread.vm.companion(Invoker).abandoned_outcome(frame.thread)
            raise EvaluationError(
                f"the evaluation of {self.text!r} is not done within {deadline_s} s{how}"
            ) from error
        except VmError as error:
            await self.release()  # a class may have been redefined or unloaded
            frame.thread.vm.companion(Declarations).forget()
            raise EvaluationError(f"cannot evaluate {self.text!r}: {error}") from error

    async def _evaluate(
        self, frame: Frame, deadline: Deadline, extra: Mapping[str, Value]
    ) -> Value:
        binding = await self._bound(frame, extra)
        run = run_in(
            frame,
            binding.source.loading_by(self._loading(frame)),
            extra=extra,
            deadline=deadline,
            is_read_only=self._reads(frame.thread.vm),
        )
        try:
            if binding.scope.is_dynamic and not await asks_owner_first(run):
                binding = await self._of_delegate(binding, run)
            if binding.plan is not None:
                return await run.run(binding.plan)
            if binding.kotlin is not None:
                return await evaluate_kotlin(binding.kotlin, run, binding.scope)
            if binding.code is not None:
                binder = self._binder(run.source, binding.scope, run.vm)
                return await binding.code.run(run, binder)
            if self._root is None or isinstance(self._root, syntax.Block):
                raise TypeError("statements are bound by their static types: see _bound")
            return await late_binding.evaluate(self._root, run, binding.scope)
        finally:
            await run.unpin_all()

    async def test(
        self,
        frame: Frame,
        *,
        deadline_s: float | None = None,
        names: Mapping[str, Value] | None = None,
    ) -> bool:
        """The value of a condition; EvaluationError when its type is not boolean or Boolean."""
        value = await self.evaluate(frame, deadline_s=deadline_s, names=names)
        truth = await _truth(value)
        if truth is None:
            shown = await runtime_type(value)
            raise EvaluationError(f"expected a boolean condition, {self.text!r} is of type {shown}")
        return truth

    async def static_type(self, frame: Frame) -> JavaType | None:
        """The static type in `frame`, without evaluating; None if it needs late binding.

        Raises EvaluationError when the text cannot be bound, to report it when a condition is set.
        """
        binding = await self._bound(frame, {})
        root = None if binding.plan is None else binding.plan.root
        return root.type if isinstance(root, Bound) else None

    async def check_at(
        self, location: Location, extra: Mapping[str, str] | None = None
    ) -> StaticCheck:
        """What is known about it at a location, without a frame: nothing is loaded or run.

        `extra`: additional names, and the descriptors of their types.
        """
        try:
            is_bound_late = await self._as_kotlin(location) is not None
        except EvaluationError as error:
            return StaticCheck(error=error, is_final=True)
        if self._root is None or is_bound_late:
            return StaticCheck()
        source, scope = await self._names_at(location, extra)
        try:
            root = await _bind_root(self._binder(source, scope, location.type.vm), self._root)
        except EvaluationError as error:
            return StaticCheck(error=error, is_final=not source.has_missed)
        return StaticCheck(root.type if isinstance(root, Bound) else None)

    async def bound_at(
        self, location: Location, extra: Mapping[str, str] | None = None
    ) -> Bound | None:
        """What it means at a location, without a frame: nothing is loaded or run.

        `extra` as of `check_at`. None for statements, and for what javac compiles until it has run
        there. Raises EvaluationError.
        """
        if await self._as_kotlin(location) is not None:
            return None
        if self._root is None:
            return self._compiled_at(location)
        source, scope = await self._names_at(location, extra)
        root = await _bind_root(self._binder(source, scope, location.type.vm), self._root)
        return root if isinstance(root, Bound) else None

    @property
    def needs_javac(self) -> bool:
        """Whether it has a lambda or anything else that the interpreter does not support."""
        return self._root is None and self._not_java is None

    def awaits_code_at(self, location: Location) -> bool:
        """Whether javac compiles it, and has not yet."""
        return self.needs_javac and not any(code.has_run for code, _ in self._codes_at(location))

    def is_never_code_at(self, location: Location) -> bool:
        """Whether javac has compiled it there, and nothing but the debugger can run that."""
        is_compiled = self.needs_javac and not self.awaits_code_at(location)
        return is_compiled and self._compiled_at(location) is None

    def why_unbound_at(self, location: Location) -> str:
        """Why `bound_at` has nothing."""
        if not self.needs_javac:
            return "it is known only when it runs"
        if self.awaits_code_at(location):
            return COMPILED_LATER
        return "what javac has compiled of it runs for the debugger only"

    def _compiled_at(self, location: Location) -> Bound | None:
        calls = (code.as_call() for code, is_own in self._codes_at(location) if is_own)
        return next((each for each in calls if each is not None), None)

    def _codes_at(self, location: Location) -> Iterator[tuple[CompiledCode, bool]]:
        """What javac has compiled for there, and whether it needs nothing of the calling method."""
        for (where, _, version, _), binding in self._bindings.items():
            is_current = where == location and version[0] == location.type.vm.redefinitions
            if is_current and binding.code is not None:
                caller = binding.scope.caller
                yield binding.code, not (caller and caller.gives_names)

    async def _names_at(
        self, location: Location, extra: Mapping[str, str] | None = None
    ) -> tuple[LoadedTypes, FrameScope]:
        vm = location.type.vm
        frame = Frame(vm.thread(ThreadId(ObjectId(0))), 0, location, None, 0, (0, 0))
        added = {name: signatures.value_type(each) for name, each in (extra or {}).items()}
        scope = replace(await frame_scope(frame, added, self._imports), caller=None)
        return LoadedTypes(location.type, None), scope

    async def _bound(self, frame: Frame, extra: Mapping[str, Value]) -> _Binding:
        extra_types = {name: await runtime_type(each) for name, each in extra.items()}
        vm = frame.thread.vm
        version = vm.redefinitions, frame.copy
        key = (frame.location, tuple(extra_types.items()), version, self._reads(vm))
        known = self._bindings.get(key)
        if known is not None and await known.holds_for(frame):
            return known
        scope = await frame_scope(frame, extra_types, self._imports)
        source = LoadedTypes(frame.location.type, self._loading(frame), scope.caller)
        code_of_kotlin = await self._as_kotlin(frame.location)
        if code_of_kotlin is not None:
            binding = _Binding(None, source, scope, kotlin=code_of_kotlin)
        elif self._root is None:
            code = CompiledCode(self.text)
            binding = _Binding(None, source, scope, code)
        else:
            plan = await self._plan(self._binder(source, scope, vm), self._root)
            binding = _Binding(plan, source, scope)
        if binding.plan is None and scope.caller is not None:
            await scope.caller.home()  # names are looked up later, in other frames
        if len(self._bindings) >= _MAX_BINDINGS:
            await self.release()
        self._bindings[key] = binding
        return binding

    async def _of_delegate(self, binding: _Binding, run: Run) -> _Binding:
        """The binding where the delegate of a closure is asked before what is around it."""
        if binding.code is not None or self._root is None:
            return binding
        scope = replace(binding.scope, asks_owner_first=False)
        plan = await self._plan(self._binder(run.source, scope, run.vm), self._root)
        return replace(binding, plan=plan, scope=scope)

    async def _as_kotlin(self, location: Location) -> kotlin.KotlinCode | None:
        """The text as Kotlin, in Kotlin code; raises why it is not Java elsewhere."""
        if self._is_text and await is_kotlin(location.type):
            found = kotlin.parse(self.text)
            if found is not None and (found.is_evaluated or self._not_java is not None):
                return found
        if self._not_java is not None:
            raise self._not_java
        return None

    def _loading(self, frame: Frame) -> ClassForName | None:
        return None if self._reads(frame.thread.vm) else ClassForName(frame.thread)

    def _reads(self, vm: VirtualMachine) -> bool:
        """Whether it may only read: it was made so, or the session is."""
        return self._is_read_only or vm.connection.is_read_only

    def _binder(self, source: LoadedTypes, scope: FrameScope, vm: VirtualMachine) -> Binder:
        return binder_for(scope, source, is_read_only=self._reads(vm))

    async def _plan(self, binder: Binder, root: Code) -> Plan | None:
        """None if the expression needs late binding."""
        try:
            return Plan.of(await _bind_root(binder, root))
        except MissingMemberError:
            if isinstance(root, syntax.Block):
                raise
            return None

    async def release(self) -> None:
        """Clear the cache of bindings; compiled classes may be unloaded."""
        bindings, self._bindings = self._bindings, {}
        for binding in bindings.values():
            if binding.code is not None:
                await binding.code.release()


async def _bind_root(binder: Binder, root: Code) -> BoundNode:
    if isinstance(root, syntax.Block):
        return await binder.statement(root)
    try:
        return await binder.bind(root)
    except NoValueError:
        if not isinstance(root, syntax.Switch):
            raise
        # `switch (x) { case 1 -> print(); default -> { } }` has no value.
        return await binder.statement(parser.as_statement(root))


async def _truth(value: Value) -> bool | None:
    """The value of a boolean or Boolean; None for anything else."""
    if isinstance(value, PrimitiveValue):
        return value.value if isinstance(value.value, bool) else None
    if not isinstance(value, ObjectReference):
        return None
    type_ = await value.type()
    if type_.name != types.boxed(types.BOOLEAN).name:
        return None
    fields = [each for each in await type_.fields() if each.name == "value"]
    return await _truth((await value.get_values(fields))[0])
