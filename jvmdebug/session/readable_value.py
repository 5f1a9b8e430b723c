# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001 - a value is compared with others of its class
"""What is read of a variable for Python: its value, its elements, what it has for a key.

Runs no code of the program. Called through Variable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

from jvmdebug import display
from jvmdebug.errors import MissingValueError, WrongValueError
from jvmdebug.in_sync import must_be_awaited
from jvmdebug.model.values import NullValue, PrimitiveValue, StringReference

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from jvmdebug.display import Entry
    from jvmdebug.model.values import Value

PythonValue: TypeAlias = bool | int | float | str | None
"""A value in Python: a char is a string of one character, null is None."""

_READ_AHEAD: Final = 10_000
"""Characters of a string that are read with the variable, so that it can be compared."""
_NOT_READ: Final = object()
OBJECT: Final = object()
"""An object that has no value in Python."""
_SHOWN_KEYS: Final = 10
_PAGE: Final = 1_000


class ReadableValue:
    """The part of a Variable that reads its value, elements and fields."""

    name: str
    evaluate_name: str | None
    _value: Value
    _python: object = _NOT_READ

    @property
    def value(self) -> Value:
        """The value as the model has it."""
        raise NotImplementedError

    @property
    def shown(self) -> str:
        """The text that was read last."""
        raise NotImplementedError

    async def as_text(self, *, max_length: int | None = None, in_hex: bool | None = None) -> str:
        """The value on one line."""
        raise NotImplementedError

    async def children(
        self, start: int = 0, count: int | None = None, *, raw: bool = False
    ) -> list[Self]:
        """Fields, elements or entries."""
        raise NotImplementedError

    def _element(self, name: str, value: Value, evaluate_name: str | None) -> Self:
        raise NotImplementedError

    # What is asked of the VM

    async def plain(self) -> PythonValue:
        """The value in Python: primitives, boxes and strings; a char is a string, null is None.

        WrongValueError, an EvaluationError and a TypeError, for objects that have none.
        """
        await self._read()
        if self._python is OBJECT:
            what = await display.type_name(self.value)
            raise WrongValueError(
                f"{self.name} is a {what}, which has no value in Python: `children()`,"
                " `elements()` and `as_text()` read it"
            )
        return self._known("its value")

    async def read_ahead(self) -> Self:
        """Read a string that is not very long, so that it can be compared at once; itself."""
        value = self._value
        if isinstance(value, StringReference) and self._python is _NOT_READ:
            text, length = await value.beginning(_READ_AHEAD)
            if length <= _READ_AHEAD:
                self._python = text
        return self

    async def get(self, key: object) -> Self:
        """The element at an index (also from the end: -1), the value that a map has for a key, or
        the field of this name: `get(3)`, `get("cup")`, `get("legs")`.

        Keys are numbers, booleans, strings, names of enum constants, or variables. Runs no code.
        MissingValueError, an EvaluationError and a LookupError, if there is none.
        """
        entries = await display.map_entries(self.value)
        if entries is not None:
            found = await self._of_key(entries, key)
        elif isinstance(key, int) and not isinstance(key, bool):
            found = await self._at(key)
        elif isinstance(key, str):
            found = await self._child_named(key)
        else:
            raise MissingValueError(f"{self.name} is no map and has no element {key!r}")
        return await found.read_ahead()

    async def elements(self, start: int = 0, count: int | None = None) -> list[Self]:
        """The elements of an array or collection, the keys of a map, from `start`, at most `count`.

        WrongValueError for what has none.
        """
        entries = await display.map_entries(self.value)
        if entries is not None:
            end = None if count is None else start + count
            return [self._key(entry, at) for at, entry in enumerate(entries)][start:end]
        await self.length()
        if isinstance(self.value, StringReference):
            raise WrongValueError(f"{self.name} is a string: `plain()` reads its characters")
        return await self.children(start, count)

    async def items(self) -> list[tuple[Self, Self]]:
        """The keys and values of a map; WrongValueError for what is no map."""
        entries = await display.map_entries(self.value)
        if entries is None:
            raise WrongValueError(f"{self.name} is no map")
        return [
            (self._key(each, at), self._value_of_entry(each, at)) for at, each in enumerate(entries)
        ]

    async def length(self) -> int:
        """How many elements an array, a collection or a map has; of a string the UTF-16 units.

        WrongValueError, an EvaluationError and a TypeError, for other values.
        """
        found = await display.element_count(self.value)
        if found is None:
            what = await display.type_name(self.value)
            raise WrongValueError(f"{self.name} is a {what}, which has no length")
        return found

    async def equals(self, other: object) -> bool:
        """Whether it is this value of Python, also a list or dict; or, for another variable, equal
        as `plain()` has both, else the same object.
        """
        if isinstance(other, ReadableValue):
            await self._read(other)
            return self._is_same(other)
        if isinstance(other, list):
            return await self._equals_list(other)
        if isinstance(other, dict):
            return await self._equals_dict(other)
        await self._read()
        return self._python is not OBJECT and bool(self._known("==") == other)

    async def contains(self, item: object) -> bool:
        """Whether an element, or a key of a map, or a part of a string is equal to `item`."""
        if isinstance(self.value, StringReference):
            return isinstance(item, str) and item in str(await self.plain())
        async for each in self._each():
            if await each.equals(item):
                return True
        return False

    async def _each(self) -> AsyncIterator[Self]:
        entries = await display.map_entries(self.value)
        if entries is not None:
            for at, entry in enumerate(entries):
                yield await self._key(entry, at).read_ahead()
            return
        for start in range(0, await self.length(), _PAGE):
            for each in await self.elements(start, _PAGE):
                yield await each.read_ahead()

    # Parts

    async def _read(self, other: object = None) -> None:
        """Reads the values in Python of this and of another variable, where they have one."""
        for each in (self, other):
            if not isinstance(each, ReadableValue) or each._python is not _NOT_READ:
                continue
            is_here = isinstance(each._value, PrimitiveValue | NullValue)
            try:
                each._python = await display.python_value(each._value if is_here else each.value)
            except LookupError:
                each._python = OBJECT

    def _known(self, what: str) -> PythonValue:
        """The value in Python, if it is known."""
        if self._python is _NOT_READ:
            if isinstance(self._value, NullValue):
                return None
            if isinstance(self._value, PrimitiveValue):
                return display.python_primitive(self._value)
            raise must_be_awaited(f"{what} of {self.name}", f"await {self.name}.plain()")
        if self._python is OBJECT:
            raise WrongValueError(f"{self.name} is an object that has no value in Python: {what}")
        found: Any = self._python
        return found  # type: ignore[no-any-return]

    def _is_same(self, other: ReadableValue) -> bool:
        if self._value == other._value:
            return True
        if OBJECT in (self._python, other._python):
            return False
        return self._known("==") == other._known("==")

    async def _equals_list(self, other: list[object]) -> bool:
        count = await display.element_count(self.value)
        if count != len(other) or isinstance(self.value, StringReference):
            return False
        if await display.map_entries(self.value) is not None:
            return False
        for each, expected in zip(await self.elements(), other, strict=True):
            if not await each.equals(expected):
                return False
        return True

    async def _equals_dict(self, other: dict[object, object]) -> bool:
        if await display.map_entries(self.value) is None:
            return False
        pairs = await self.items()
        if len(pairs) != len(other):
            return False
        for key, value in pairs:
            await key._read()
            if key._python is OBJECT or key._python not in other:
                return False
            if not await value.equals(other[key._python]):
                return False
        return True

    async def _of_key(self, entries: list[Entry], key: object) -> Self:
        for at, entry in enumerate(entries):
            if await self._is_key(self._key(entry, at), key):
                return self._value_of_entry(entry, at)
        known = [
            await self._key(each, at).as_text() for at, each in enumerate(entries[:_SHOWN_KEYS])
        ]
        more = ", …" if len(entries) > _SHOWN_KEYS else ""
        raise MissingValueError(
            f"{self.name} has no key {key!r}; its keys: {', '.join(known) or 'none'}{more}"
        )

    async def _is_key(self, mine: Self, key: object) -> bool:
        if await mine.equals(key):
            return True
        constant = await display.enum_constant_name(mine.value) if isinstance(key, str) else None
        return constant is not None and constant == key

    async def _at(self, index: int) -> Self:
        length = await self.length()
        at = index + length if index < 0 else index
        if not 0 <= at < length:
            raise MissingValueError(f"{self.name} has {length} elements: there is no {index}")
        (found,) = await self.elements(at, 1)
        return found

    async def _child_named(self, name: str) -> Self:
        every = await self.children() if await display.element_count(self.value) is None else []
        for each in (*every, *await self.children(raw=True)):
            if each.name == name:
                return each
        known = ", ".join(each.name for each in every) or "none"
        raise MissingValueError(f"{self.name} has no field {name}; there is: {known}")

    def _key(self, entry: Entry, at: int) -> Self:
        assert entry.key is not None
        return self._entry_part("key", entry.key, f"keySet().toArray()[{at}]")

    def _value_of_entry(self, entry: Entry, at: int) -> Self:
        return self._entry_part("value", entry.value, f"values().toArray()[{at}]")

    def _entry_part(self, name: str, value: Value, call: str) -> Self:
        parent = self.evaluate_name
        named = None if parent is None else f"{display.EvaluateName(parent).operand}.{call}"
        return self._element(name, value, named)
