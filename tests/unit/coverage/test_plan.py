# SPDX-License-Identifier: Apache-2.0
"""Classes that count: the program's own, or those of patterns."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest

from jvmdebug.coverage import CoverageError, classes_in, plan_for
from jvmdebug.coverage.plan import class_files

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def classes(tmp_path: Path) -> Path:
    folder = tmp_path / "classes"
    for name in ("shop/Cart", "shop/Cart$Item", "shop/old/Till", "Start"):
        file = folder / f"{name}.class"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")
    return folder


def test_the_classes_of_a_program(classes: Path, tmp_path: Path) -> None:
    jar = tmp_path / "lib.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("lib/Util.class", b"content")
        archive.writestr("META-INF/versions/17/lib/Util.class", b"")
    plan = plan_for((), (), [classes, jar])
    assert set(plan.included) == {"shop.*", "shop.old.*", "Start"}
    found = {name for name, _ in class_files(plan)}
    assert found == {"Start", "shop.Cart", "shop.Cart$Item", "shop.old.Till"}
    assert plan.includes("shop.Another")
    assert not plan.includes("lib.Util")
    alone = plan_for((), (), [jar])
    assert list(class_files(alone)) == [("lib.Util", b"content")]
    assert not any(alone.includes(each) for each in ("java.lang.String", "jdk.internal.X"))


def test_patterns_choose_others(classes: Path) -> None:
    plan = plan_for(["shop.*"], ["shop.old.*", "*$Item"], [classes])
    assert [name for name, _ in class_files(plan)] == ["shop.Cart"]
    without = plan_for((), classes_in([classes]), [classes])
    assert list(class_files(without)) == []
    for wrong in ("", "shop/Cart", " shop.*"):
        with pytest.raises(CoverageError, match="no pattern of classes"):
            plan_for([wrong], (), [])
