# SPDX-License-Identifier: Apache-2.0
"""One line of text for the classes of the JDK that have a meaning of their own.

Each module has a table by class name for one group of classes; `TEXTS` is all of them, `text_of`
knows those of libraries too. A text is built from the object's fields: nothing runs in the
debuggee. Called by `rendering`. To add a class: 1. a function of type `TextOf`, 2. its line in the
module's table, 3. a value in tests/e2e/evaluate.
"""

from typing import Final

from jvmdebug.display import libraries
from jvmdebug.display.line import TextOf
from jvmdebug.display.texts.calendars import CALENDAR_TEXTS
from jvmdebug.display.texts.concurrent import CONCURRENT_TEXTS
from jvmdebug.display.texts.groovy import GROOVY_TEXTS
from jvmdebug.display.texts.kotlin import KOTLIN_TEXTS
from jvmdebug.display.texts.language import BUILDERS, LANGUAGE_TEXTS
from jvmdebug.display.texts.names import NAME_TEXTS
from jvmdebug.display.texts.numbers import NUMBER_TEXTS
from jvmdebug.display.texts.proxies import PROXY_TEXTS
from jvmdebug.display.texts.times import TIME_TEXTS

TEXTS: Final[dict[str, TextOf]] = {
    **LANGUAGE_TEXTS,
    **NUMBER_TEXTS,
    **TIME_TEXTS,
    **CALENDAR_TEXTS,
    **CONCURRENT_TEXTS,
    **NAME_TEXTS,
    **PROXY_TEXTS,
    **GROOVY_TEXTS,
    **KOTLIN_TEXTS,
}
"""By class name."""
COMPLETE_TEXTS: Final = frozenset(
    (
        *(*NUMBER_TEXTS, *TIME_TEXTS, *CALENDAR_TEXTS, *NAME_TEXTS, *BUILDERS),
        "java.lang.StackTraceElement",
    )
)
"""The classes whose text leaves out nothing of the value: a date, a number, a path."""


def text_of(name: str) -> TextOf | None:
    """The text of objects of that class, else of the nearest superclass that has one."""
    return TEXTS.get(name) or libraries.text_of(name)
