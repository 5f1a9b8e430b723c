# SPDX-License-Identifier: Apache-2.0
"""A named value as the public API shows it; belongs to a Stop and is refused after it.

Also what is shown beside a value's children: its raw view, the statics of its class, and what needs
code of the debuggee (`toString()`), which runs on request only.
"""

from __future__ import annotations

import dataclasses
import json
import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from jvmdebug import display
from jvmdebug.classfile import instructions
from jvmdebug.errors import EvaluationError, StateError
from jvmdebug.model.field import is_captured
from jvmdebug.model.values import ArrayReference, ObjectReference
from jvmdebug.printable import one_line
from jvmdebug.session import definitions
from jvmdebug.session.data_target import target_in
from jvmdebug.session.kept_objects import KeptObjects
from jvmdebug.session.memory import memory_of
from jvmdebug.session.notebook import variable_html
from jvmdebug.session.python_value import PythonicValue

if TYPE_CHECKING:
    from jvmdebug.display import Child, ValueStyle, ViewMode
    from jvmdebug.model.field import Field
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value
    from jvmdebug.session.data_target import DataTarget
    from jvmdebug.session.definitions import Definition
    from jvmdebug.session.frame_handle import FrameHandle
    from jvmdebug.session.memory import Memory
    from jvmdebug.session.stop import Stop

_CALL_DEADLINE_S: Final = 5.0
_SMALL: Final = 100
"""A collection of more elements is not shown by its toString(), which calls that of each."""
_LOOKED_AT: Final = 5
_ITSELF: Final = "$it"
_TO_STRING: Final = "toString()"
_RAW: Final = "Raw view"
_STATICS: Final = "Static fields"


class VariableKind(StrEnum):
    """What a variable belongs to."""

    LOCAL = "local"
    ARGUMENT = "argument"
    THIS = "this"
    CAPTURED = "captured"
    FIELD = "field"
    ELEMENT = "element"
    """Of an array, or what a renderer shows."""
    ENTRY = "entry"
    """Of a collection: the result of a call. That of `get(index)` or `get(key)` can be set."""
    RESULT = "result"
    """Of an evaluation."""
    EXCEPTION = "exception"
    RETURNED = "returned"
    """The result of the method that was stepped out of or over."""
    VIEW = "view"
    """Another view of the value above it: the raw view, the statics of the class."""
    CALL = "call"
    """The result of a method that runs when `call` is called."""


_GENERATED_TO_STRING: Final = ["aload_0", "invokedynamic", "areturn"]
_NOT_SET: Final = frozenset({"view", "call", "returned"})
_ELEMENT: Final = re.compile(r".*\.get\(.+\)", re.DOTALL)
"""Of a list or map."""


class Variable(PythonicValue):
    """A local, argument, field, element or result, with its value at the time it was fetched.

    It is used like a value of Python: `int(v)`, `v == "tea"`, `v["legs"]`, `len(v)`, `for each in
    v`. In the asynchronous API what has to ask the VM raises a TypeError that names the call to
    await.
    """

    def __init__(
        self,
        frame: FrameHandle,
        name: str,
        value: Value,
        declared_type: str,
        evaluate_name: str | None,
        *,
        kind: VariableKind = VariableKind.RESULT,
        field: Field | None = None,
        mode: ViewMode = "logical",
    ) -> None:
        self.frame = frame
        self.name = name
        self._value = value
        self.declared_type = declared_type
        """The declared type's Java name, `int`, `java.util.List`, `int[]`."""
        self.evaluate_name = evaluate_name
        """An expression that gives this value in `frame`; None if there is none."""
        self.kind = kind
        self._field = field
        self._view_mode: ViewMode = mode
        self._last_text: str | None = None
        """For `repr`, which cannot ask the VM."""
        self.can_be_set = evaluate_name is not None and kind not in _NOT_SET
        """Whether `set` can work: results and views are no variables."""
        if kind is VariableKind.ENTRY:
            self.can_be_set = evaluate_name is not None and bool(_ELEMENT.fullmatch(evaluate_name))

    @property
    def stop(self) -> Stop:
        """The stop that this variable belongs to."""
        return self.frame.stop

    @property
    def value(self) -> Value:
        """The value as the model has it."""
        self.frame.require_current()
        return self._value

    @property
    def is_argument(self) -> bool:
        """Whether this is a parameter of the frame's method."""
        return self.kind is VariableKind.ARGUMENT

    @property
    def is_static(self) -> bool:
        """Whether this is a static field."""
        return self._field is not None and self._field.is_static

    @property
    def is_final(self) -> bool:
        """Whether this is a final field: changing it may have no effect on compiled code."""
        return self._field is not None and self._field.is_final

    @property
    def is_synthetic(self) -> bool:
        """Whether the compiler made the field: a captured variable, the instance around."""
        return self._field is not None and self._field.is_synthetic

    @property
    def is_captured(self) -> bool:
        """Whether a local or anonymous class has copied the variable from around it."""
        field = self._field
        if field is None or not field.is_captured:
            return False
        return field.name != self.name or not is_captured(field.name)

    @property
    def visibility(self) -> str | None:
        """`public`, `protected`, `package` or `private` for a field, else None."""
        return None if self._field is None else self._field.visibility

    async def type_name(self) -> str:
        """The value's own type, more special than or the same as `declared_type`."""
        return await display.type_name(self.value)

    def style(self, *, max_length: int | None = None, in_hex: bool | None = None) -> ValueStyle:
        """The session's style, changed for one use."""
        style = self.stop.style
        return dataclasses.replace(
            style,
            max_length=style.max_length if max_length is None else max_length,
            hex=style.hex if in_hex is None else in_hex,
        )

    async def as_text(
        self,
        *,
        max_length: int | None = None,
        in_hex: bool | None = None,
        plans_later: bool = False,
    ) -> str:
        """The value on one line, as Java would write it: `42`, `"abc"`, `Cart@1f {...}`.

        Defaults are in `session.settings.style`. What the object's own toString() makes is
        computed where that only joins fields: `Cart@1f "a cart of 3"`. Runs no code, unless
        `session.settings.to_string` is "call".

        `plans_later`: for who shows many objects and can show them again. The code of a class that
        is seen first is not read now, so its objects have no such text until
        `stop.own_texts.plan_later()`.
        """
        style = self.style(max_length=max_length, in_hex=in_hex)
        if self.kind in (VariableKind.VIEW, VariableKind.CALL):
            return ""
        _ = self.value  # StateError if it is of an earlier stop
        if self._may_call() and (await self._has_to_string() or await self._holds_own_texts()):
            self._last_text = await self._text_by_to_string(style)
        else:
            read = await self._text_by_reading(style, may_plan=not plans_later)
            self._last_text = await display.render(self.value, style) if read is None else read
        return self._last_text

    async def full_text(self, *, in_hex: bool | None = None) -> str:
        """The text to copy: a string's whole text, unquoted; else the line uncut."""
        return await display.full_text(self.value, self.style(in_hex=in_hex))

    async def child_count(self, *, raw: bool = False) -> int:
        """How many children there are; 0 for primitives, null and strings."""
        return await display.child_count(
            self.value, mode=self._mode_for(raw=raw), style=self.stop.style
        )

    async def is_indexed(self, *, raw: bool = False) -> bool:
        """Whether the children are elements, of which there may be any number: take pages."""
        return await display.is_indexed(
            self.value, mode=self._mode_for(raw=raw), style=self.stop.style
        )

    async def children(
        self, start: int = 0, count: int | None = None, *, raw: bool = False
    ) -> list[Variable]:
        """Fields, elements or entries from `start`; at most `count` of them."""
        found = await display.children(
            self.value,
            start,
            count,
            evaluate_name=self.evaluate_name,
            # What an evaluated text has as its static type is not known.
            declared_type=None if self.kind is VariableKind.RESULT else self.declared_type,
            mode=self._mode_for(raw=raw),
            style=self.stop.style,
        )
        return [
            Variable(
                self.frame,
                child.name,
                child.value,
                child.declared_type,
                child.evaluate_name,
                kind=_kind_of(child),
                field=child.field,
            )
            for child in found
        ]

    async def keep(self) -> int:
        """Keep the object reachable until `Stop.release` or the end of the session; `Stop.kept` has
        it by this number. EvaluationError for what is no object, StateError if 100 are kept.
        """
        return await self.stop.vm.companion(KeptObjects).keep(self.name, self.value)

    async def data_target(self, name: str) -> DataTarget | None:
        """The field `name` of this object, for `session.watch`, or the element `[3]` of this array;
        None if it has no such field.
        """
        return await target_in(self.value, name, self.evaluate_name)

    async def views(self) -> list[Variable]:
        """Other views: `Raw view`, `Static fields`, `toString()`.

        The first two have children; what has to be called is there as a variable of the kind CALL.
        """
        value = self.value
        if self._view_mode != "logical" or not isinstance(value, ObjectReference):
            return []
        modes = await display.other_view_modes(value, self.stop.style)
        found = [
            Variable(
                self.frame,
                _RAW if mode == "raw" else _STATICS,
                value,
                self.declared_type,
                self.evaluate_name,
                kind=VariableKind.VIEW,
                mode=mode,
            )
            for mode in modes
        ]
        type_ = await value.type()
        if await type_.is_subtype_of("java.lang.Throwable"):
            found.append(self._call("getStackTrace()", "java.lang.StackTraceElement[]"))
        if await self._has_to_string():
            found.append(self._call(_TO_STRING, "java.lang.String"))
        return found

    async def has_views(self) -> bool:
        """Whether `views` is not empty; asks for methods only if nothing else is there."""
        value = self.value
        if self._view_mode != "logical" or not isinstance(value, ObjectReference):
            return False
        return (
            bool(await display.other_view_modes(value, self.stop.style))
            or await self._has_to_string()
        )

    async def call(self, deadline_s: float = _CALL_DEADLINE_S) -> Variable:
        """Run, in the debuggee, the call that a variable of the kind CALL represents; its result.

        Raises EvaluationError, DebuggeeException if the method threw.
        """
        if self.kind is not VariableKind.CALL:
            raise StateError(f"{self.name} is a value already: there is nothing to call")
        value = await self.frame.run(
            f"{_ITSELF}.{self.name}", {_ITSELF: self.value}, deadline_s=deadline_s
        )
        declared = await display.type_name(value)
        return Variable(self.frame, self.name, value, declared, self.evaluate_name)

    @property
    def may_be_declared(self) -> bool:
        """Whether `declaration` is likely to find something; sends no request."""
        return definitions.may_be_declared(self.evaluate_name, self.name)

    async def declaration(self) -> Definition | None:
        """The declaration of the local variable, parameter or field, if its source is found."""
        if self.evaluate_name is None:
            return None
        return await definitions.declaration(self.frame, self.evaluate_name)

    async def memory(self) -> Memory | None:
        """The bytes of a primitive array or a ByteBuffer, to read and write; else None."""
        return await memory_of(self.stop, self.value)

    async def has_definition(self) -> bool:
        """Whether the value is code or a class that `definition` can find."""
        return await definitions.has_definition(self.value)

    async def definition(self) -> Definition | None:
        """The definition of the value: the code of a lambda, the class of a Class object."""
        return await definitions.definition(self.stop, self.value)

    async def set(self, text: str, *, deadline_s: float | None = None) -> Variable:
        """Assign the value of the expression `text`; the variable with its new value.

        Raises StateError for a result that is no variable.
        """
        if self.evaluate_name is None or not self.can_be_set:
            raise StateError(
                f"{self.name} cannot be assigned to: it is no variable, field or element of an "
                "array, a list or a map; other collections are changed by calling their methods"
            )
        value = await self.frame.assign(self.evaluate_name, text, deadline_s=deadline_s)
        return Variable(
            self.frame,
            self.name,
            value,
            self.declared_type,
            self.evaluate_name,
            kind=self.kind,
            field=self._field,
        )

    def _element(self, name: str, value: Value, evaluate_name: str | None) -> Variable:
        """A key or value of a map."""
        kind = VariableKind.ENTRY
        return Variable(self.frame, name, value, "java.lang.Object", evaluate_name, kind=kind)

    def _may_call(self) -> bool:
        """Code runs only on a thread that an event has stopped: elsewhere nothing is tried."""
        return self.stop.calls_to_string and self.frame.thread == self.stop.thread

    def _mode_for(self, *, raw: bool) -> ViewMode:
        return "raw" if raw and self._view_mode == "logical" else self._view_mode

    def _call(self, method: str, declared_type: str) -> Variable:
        name = self.evaluate_name
        expression = None if name is None else display.EvaluateName(name).operand + f".{method}"
        return Variable(
            self.frame, method, self.value, declared_type, expression, kind=VariableKind.CALL
        )

    async def _has_to_string(self) -> bool:
        """Whether the object has a toString() that shows more than our text."""
        value = self._value
        if not isinstance(value, ObjectReference) or isinstance(value, ArrayReference):
            return False
        if await display.is_understood(value, self.stop.style):
            return False
        type_ = await value.type()
        return await type_.derived("own toString", lambda: _overrides_to_string(type_))

    async def _text_by_reading(self, style: ValueStyle, *, may_plan: bool) -> str | None:
        """The text of the object's own toString(), computed without running it; None if that does
        more than read, or takes long.
        """
        value, texts = self._value, self.stop.own_texts
        made = await texts.joined(value, may_plan=may_plan)
        if made is None and texts.computes and await self._has_to_string():
            made = await texts.computed(self.frame, value)
        if made is None or not isinstance(value, ObjectReference):
            return None
        if await display.is_understood(value, self.stop.style):
            return None  # a renderer of the user comes first
        # The head tells it from a string.
        return f"{await display.head_of(value, style)} {await display.render(made, style)}"

    async def _holds_own_texts(self) -> bool:
        """Whether it is a small collection or map of objects that have a toString() which shows
        more than our text: its own toString() calls theirs.
        """
        found = await display.collection(self._value)
        if found is None or not 0 < found.size <= _SMALL:
            return False
        first = await found.page(0, _LOOKED_AT)
        held = [each for entry in first for each in (entry.key, entry.value) if each is not None]
        parts = [Variable(self.frame, "", each, "java.lang.Object", None) for each in held]
        return any([await each._has_to_string() for each in parts])  # noqa: SLF001 - its own class

    async def _text_by_to_string(self, style: ValueStyle) -> str:
        called = self._call(_TO_STRING, "java.lang.String")
        try:
            return await display.render((await called.call()).value, style)
        except EvaluationError as error:
            # A toString that fails must not hide the variable.
            return f"{await display.render(self.value, style)} <toString(): {error}>"

    @property
    def shown(self) -> str:
        """The text that `as_text` gave last, or a string that was read, quoted; nothing can be
        read for a `repr`.
        """
        if self._last_text is not None:
            return self._last_text
        if isinstance(self._python, str):
            return json.dumps(self._python, ensure_ascii=False)
        value = self._value
        return f"object {value.id:#x}" if isinstance(value, ObjectReference) else str(value)

    def __repr__(self) -> str:
        return one_line(f"Variable({self.name}: {self.declared_type} = {self.shown})")

    _repr_html_ = variable_html


def _kind_of(child: Child) -> VariableKind:
    if child.field is not None:
        return VariableKind.FIELD
    return VariableKind.ENTRY if child.is_copy else VariableKind.ELEMENT


async def _overrides_to_string(type_: ReferenceType) -> bool:
    above = await type_.superclasses()
    for each in (type_, *above):
        if each.name in ("java.lang.Object", "java.lang.Record", "java.lang.Enum"):
            return False
        for method in await each.methods():
            if method.name == "toString" and not method.argument_types and not method.is_abstract:
                is_record = bool(above) and above[0].name == "java.lang.Record"
                return not (is_record and await _is_of_the_compiler(method))
    return False


async def _is_of_the_compiler(method: Method) -> bool:
    """Whether a record's toString is the one that javac makes."""
    if not method.declaring_type.vm.capabilities.can_get_bytecodes:
        return True
    code = instructions(await method.bytecodes())
    return [each.mnemonic for each in code] == _GENERATED_TO_STRING
