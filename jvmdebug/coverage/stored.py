# SPDX-License-Identifier: Apache-2.0
"""Coverage as JSON, without a loss: what `coverage merge` reads best.

Versioned by `format`. A line is `[number, instructions, seen, [[ways, seen], …]]`, where `seen` is
a number whose bit 0 is the first of them.
"""

from __future__ import annotations

import json
from typing import Any, Final

from jvmdebug.coverage.counters import Bits, LineCoverage
from jvmdebug.coverage.errors import CoverageError
from jvmdebug.coverage.model import Coverage, CoveredClass, CoveredMethod

FORMAT: Final = "jvmdebug-coverage-1"


def written(coverage: Coverage, title: str) -> str:
    """The JSON text."""
    return json.dumps(
        {
            "format": FORMAT,
            "title": title,
            "is_complete": coverage.is_complete,
            "read_at": coverage.read_at,
            "waiting": coverage.waiting,
            "known_from": coverage.known_from,
            "left_out": dict(coverage.left_out),
            "tests": {
                test: {file: list(lines) for file, lines in ran.items()}
                for test, ran in coverage.tests.items()
            },
            "classes": [
                {
                    "name": each.name,
                    "source": each.source,
                    "path": each.path,
                    "methods": [
                        {
                            "name": method.name,
                            "descriptor": method.descriptor,
                            "lines": [_line(*of) for of in method.lines.items()],
                        }
                        for method in each.methods
                    ],
                }
                for each in coverage.classes
            ],
        },
        separators=(",", ":"),
    )


def _line(number: int, of: LineCoverage) -> list[Any]:
    ways = [[each.count, each.seen] for each in of.branches]
    return [number, of.instructions.count, of.instructions.seen, ways]


def read(text: str) -> Coverage:
    """The inverse of `written`. CoverageError for other texts."""
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise CoverageError(f"its format is {data['format']!r}, and not {FORMAT!r}")
        return Coverage(
            classes=tuple(map(_class, data["classes"])),
            left_out=data["left_out"],
            waiting=data["waiting"],
            known_from=data.get("known_from", "program"),
            is_complete=data["is_complete"],
            read_at=data["read_at"],
            tests={
                test: {file: tuple(lines) for file, lines in ran.items()}
                for test, ran in data["tests"].items()
            },
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise CoverageError(f"it is not coverage that jvmdebug has written ({error})") from None


def _class(of: dict[str, Any]) -> CoveredClass:
    methods = tuple(
        CoveredMethod(
            each["name"],
            each["descriptor"],
            {
                number: LineCoverage(Bits(count, seen), tuple(Bits(*way) for way in ways))
                for number, count, seen, ways in each["lines"]
            },
        )
        for each in of["methods"]
    )
    return CoveredClass(of["name"], of["source"], methods, of["path"])
