# SPDX-License-Identifier: Apache-2.0
"""What makes a variable usable like a value of Python: `int(v)`, `v == "tea"`, `v["legs"]`.

In `jvmdebug.sync` all of it works. In the asynchronous API numbers, booleans, chars and null do,
and so do the strings that `get` and `evaluate` return; what would have to ask the VM raises a
TypeError that names the call to await. Called through Variable.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Self

from jvmdebug import display
from jvmdebug.errors import WrongValueError
from jvmdebug.in_sync import after_reading, in_sync, must_be_awaited
from jvmdebug.model.primitives import PrimitiveKind
from jvmdebug.model.values import PrimitiveValue, StringReference
from jvmdebug.session.readable_value import OBJECT, ReadableValue

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator


class PythonicValue(ReadableValue):
    """The part of a Variable that behaves like a value of Python."""

    async def __aiter__(self) -> AsyncIterator[Self]:
        """The elements of an array or collection, the keys of a map."""
        async for each in self._each():
            yield each

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
        if isinstance(other, ReadableValue):
            return self._is_same(other)
        return bool(self._known("==") == other)

    @after_reading
    def __hash__(self) -> int:
        """The hash of the value in Python, else that of the object."""
        return hash(self._value if self._python is OBJECT else self._known("hash(…)"))

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

    def _number(self, what: str) -> int | float:
        known, value = self._known(what), self._value
        if isinstance(known, str) and not isinstance(value, StringReference) and len(known) == 1:
            return ord(known)
        if isinstance(known, int | float):
            return known
        raise WrongValueError(f"{self.name} is {known!r}, which is no number: {what}")

    def _compared(self, other: object, comparison: Callable[[Any, Any], bool]) -> bool:
        mine = self._known("a comparison")
        theirs = other
        if isinstance(other, ReadableValue):
            theirs = other._known("a comparison")  # noqa: SLF001 - a value like this
        return comparison(mine, theirs)

    async def _truth(self) -> bool:
        await self._read()
        if self._python is not OBJECT:
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
        return format(await self._string() if self._python is OBJECT else self._known(""), spec)
