# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001 - a value is compared with others of its class
"""What makes a variable usable like a value of Python: `int(v)`, `v == "tea"`, `v["legs"]`.

In `jvmdebug.sync` all of it works. In the asynchronous API numbers, booleans, chars and null do,
and so do the strings that `get` and `evaluate` return; what would have to ask the VM raises a
TypeError that names the call to await. Called through Variable.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

from jvmdebug import display
from jvmdebug.errors import MissingValueError, WrongValueError
from jvmdebug.in_sync import after_reading, in_sync, must_be_awaited
from jvmdebug.model.primitives import PrimitiveKind
from jvmdebug.model.values import NullValue, PrimitiveValue, StringReference

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from jvmdebug.display import Entry
    from jvmdebug.model.values import Value

PythonValue: TypeAlias = bool | int | float | str | None
"""A value in Python: a char is a string of one character, null is None."""

_READ_AHEAD: Final = 10_000
"""Characters of a string that are read with the variable, so that it can be compared."""
_NOT_READ: Final = object()
_OBJECT: Final = object()
"""An object that has no value in Python."""
_SHOWN_KEYS: Final = 10
_PAGE: Final = 1_000


class PythonicValue:
    """The part of a Variable that behaves like a value of Python."""

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
        if self._python is _OBJECT:
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
        if isinstance(other, PythonicValue):
            await self._read(other)
            return self._is_same(other)
        if isinstance(other, list):
            return await self._equals_list(other)
        if isinstance(other, dict):
            return await self._equals_dict(other)
        await self._read()
        return self._python is not _OBJECT and bool(self._known("==") == other)

    async def contains(self, item: object) -> bool:
        """Whether an element, or a key of a map, or a part of a string is equal to `item`."""
        if isinstance(self.value, StringReference):
            return isinstance(item, str) and item in str(await self.plain())
        async for each in self:
            if await each.equals(item):
                return True
        return False

    async def __aiter__(self) -> AsyncIterator[Self]:
        """The elements of an array or collection, the keys of a map."""
        entries = await display.map_entries(self.value)
        if entries is not None:
            for at, entry in enumerate(entries):
                yield await self._key(entry, at).read_ahead()
            return
        for start in range(0, await self.length(), _PAGE):
            for each in await self.elements(start, _PAGE):
                yield await each.read_ahead()

    # Special methods

    @in_sync("get")
    def __getitem__(self, key: object) -> Self:
        """Gives what `get(key)` gives."""
        raise must_be_awaited(f"{self.name}[{key!r}]", f"await {self.name}.get({key!r})")

    @in_sync("length")
    def __len__(self) -> int:
        """Gives what `length()` gives."""
        if isinstance(self._python, str):
            return len(self._python.encode("utf-16-le", "surrogatepass")) // 2
        raise must_be_awaited(f"len({self.name})", f"await {self.name}.length()")

    @in_sync("__aiter__")
    def __iter__(self) -> Iterator[Self]:
        """The elements of an array or collection, the keys of a map."""
        raise must_be_awaited(f"a loop over {self.name}", f"async for each in {self.name}")

    @in_sync("contains")
    def __contains__(self, item: object) -> bool:
        """Gives what `contains(item)` gives."""
        if isinstance(self._python, str) and isinstance(item, str):
            return item in self._python
        raise must_be_awaited(f"{item!r} in {self.name}", f"await {self.name}.contains({item!r})")

    @after_reading
    def __int__(self) -> int:
        """The code of a char, what is before the point of a double."""
        return int(self._number("int(…)"))

    @after_reading
    def __index__(self) -> int:
        """The whole number."""
        found = self._number("an index")
        if isinstance(found, float):
            raise WrongValueError(f"{self.name} is {found}, which is no whole number")
        return found

    @after_reading
    def __float__(self) -> float:
        """The number."""
        return float(self._number("float(…)"))

    @in_sync("_truth")
    def __bool__(self) -> bool:
        """False for null, false, 0, and what is empty."""
        return bool(self._known("bool(…)"))

    @in_sync("_string")
    def __str__(self) -> str:
        """Writes numbers and strings as Java's `"" + v` does. Of an object the asynchronous API has
        the text that was read last.
        """
        if isinstance(self._python, str):
            return self._python
        value = self._value
        if isinstance(value, PrimitiveValue) and value.kind is PrimitiveKind.CHAR:
            return value.char
        return self.shown

    @in_sync("_formatted")
    def __format__(self, spec: str) -> str:
        """Formats the value in Python: `f"{v:.2f}"`."""
        return format(self._known("format"), spec) if spec else str(self)

    @in_sync("equals")
    def __eq__(self, other: object) -> bool:
        """Gives what `equals(other)` gives."""
        if self is other:
            return True
        if isinstance(other, list | dict):
            raise must_be_awaited(f"{self.name} == …", f"await {self.name}.equals(…)")
        if isinstance(other, PythonicValue):
            return self._is_same(other)
        return bool(self._known("==") == other)

    @after_reading
    def __hash__(self) -> int:
        """The hash of the value in Python, else that of the object."""
        return hash(self._value if self._python is _OBJECT else self._known("hash(…)"))

    @after_reading
    def __lt__(self, other: object) -> bool:
        """Whether it is less, for numbers and strings."""
        return self._compared(other, operator.lt)

    @after_reading
    def __le__(self, other: object) -> bool:
        """Whether it is less or equal, for numbers and strings."""
        return self._compared(other, operator.le)

    @after_reading
    def __gt__(self, other: object) -> bool:
        """Whether it is greater, for numbers and strings."""
        return self._compared(other, operator.gt)

    @after_reading
    def __ge__(self, other: object) -> bool:
        """Whether it is greater or equal, for numbers and strings."""
        return self._compared(other, operator.ge)

    # Parts

    async def _read(self, other: object = None) -> None:
        """Reads the values in Python of this and of another variable, where they have one."""
        for each in (self, other):
            if not isinstance(each, PythonicValue) or each._python is not _NOT_READ:
                continue
            is_here = isinstance(each._value, PrimitiveValue | NullValue)
            try:
                each._python = await display.python_value(each._value if is_here else each.value)
            except LookupError:
                each._python = _OBJECT

    def _known(self, what: str) -> PythonValue:
        """The value in Python, if it is known."""
        if self._python is _NOT_READ:
            if isinstance(self._value, NullValue):
                return None
            if isinstance(self._value, PrimitiveValue):
                return display.python_primitive(self._value)
            raise must_be_awaited(f"{what} of {self.name}", f"await {self.name}.plain()")
        if self._python is _OBJECT:
            raise WrongValueError(f"{self.name} is an object that has no value in Python: {what}")
        found: Any = self._python
        return found  # type: ignore[no-any-return]

    def _number(self, what: str) -> int | float:
        known, value = self._known(what), self._value
        if isinstance(known, str) and not isinstance(value, StringReference) and len(known) == 1:
            return ord(known)
        if isinstance(known, int | float):
            return known
        raise WrongValueError(f"{self.name} is {known!r}, which is no number: {what}")

    def _is_same(self, other: PythonicValue) -> bool:
        if self._value == other._value:
            return True
        if _OBJECT in (self._python, other._python):
            return False
        return self._known("==") == other._known("==")

    def _compared(self, other: object, comparison: Callable[[Any, Any], bool]) -> bool:
        mine = self._known("a comparison")
        theirs = other._known("a comparison") if isinstance(other, PythonicValue) else other
        return comparison(mine, theirs)

    async def _truth(self) -> bool:
        await self._read()
        if self._python is not _OBJECT:
            return bool(self._known("bool(…)"))
        count = await display.element_count(self.value)
        return count is None or count > 0

    async def _string(self) -> str:
        value = self.value
        if isinstance(value, StringReference):
            return str(await self.plain())
        return str(self) if isinstance(value, PrimitiveValue) else await self.as_text()

    async def _formatted(self, spec: str) -> str:
        if not spec:
            return await self._string()
        await self._read()
        return format(await self._string() if self._python is _OBJECT else self._known(""), spec)

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
            if key._python is _OBJECT or key._python not in other:
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
