# SPDX-License-Identifier: Apache-2.0
"""Step filters as patterns of the protocol."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest

from jvmdebug.stepping import (
    JDK_PATTERNS,
    JUST_MY_CODE,
    NO_FILTERS,
    StepFilters,
    library_patterns,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_the_jdk_is_written_out_once() -> None:
    filters = StepFilters(skip_classes=("$JDK", "org.lib.*", "java.*"))
    assert filters.class_patterns() == (*JDK_PATTERNS, "org.lib.*")
    assert NO_FILTERS.class_patterns() == ()


@pytest.mark.parametrize(
    ("name", "skipped"),
    [
        ("java.util.List", True),
        ("javafx.Scene", False),
        ("shop.Cart", False),
        ("shop.CartProxy", True),
        ("exactly.This", True),
        ("exactly.This$Inner", False),
    ],
)
def test_skipped_classes(name: str, *, skipped: bool) -> None:
    filters = StepFilters(skip_classes=("$JDK", "*Proxy", "exactly.This"))
    assert filters.skips_class(name) is skipped


def test_patterns_that_the_agent_cannot_filter() -> None:
    filters = StepFilters(skip_classes=("*.generated.*", "a.*.B", "org.lib.*"))
    assert filters.class_patterns() == ("org.lib.*",)
    assert filters.skips_class("shop.generated.Stub")
    assert filters.skips_class("a.b.c.B")
    assert not filters.skips_class("a.b.C")


def archive(path: Path, *names: str) -> str:
    with zipfile.ZipFile(path, "w") as made:
        for name in names:
            made.writestr(name, b"")
    return str(path)


def test_libraries_are_the_archives_and_never_the_users_packages(tmp_path: Path) -> None:
    (tmp_path / "classes/org/shop/web").mkdir(parents=True)
    (tmp_path / "classes/org/shop/web/Cart.class").touch()
    first = archive(
        tmp_path / "a.jar", "org/lib/A.class", "org/lib/deep/B.class", "NoPackage.class"
    )
    second = archive(
        tmp_path / "b.jar",
        "org/shop/util/C.class",
        "org/shop/web/Other.class",
        "META-INF/versions/9/x/D.class",
        "readme/text.txt",
    )
    (tmp_path / "broken.jar").write_bytes(b"not a zip")
    path = ["classes", first, second, "broken.jar", "gone.jar", ""]
    assert library_patterns(path, str(tmp_path)) == ("org.lib.*", "org.shop.util.*")
    assert library_patterns([second, first]) == ("org.lib.*",), "the first archive is the program"
    filters = JUST_MY_CODE.with_libraries(("org.lib.*",))
    assert filters.class_patterns() == (*JDK_PATTERNS, "org.lib.*")
    assert not filters.skips_class("org.shop.web.Cart")
