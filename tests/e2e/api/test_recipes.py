# SPDX-License-Identifier: Apache-2.0
"""Each recipe of docs/how-to/recipes.md, run as it is printed there."""

from __future__ import annotations

import json
import os
import runpy
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.jdks import jdks_to_test
from tests.support.warm_javac import javac
from tools.recipes import ORDER, RECIPES

if TYPE_CHECKING:
    from pathlib import Path

SHOWS = {
    "who_sets_null": ['shop.Customer.name was "Ann"; thread main', "shop.Customer.forget("],
    "values_at_a_line": [" 20 in main", " 50 in main", " 90 in main"],
    "queue_over_time": ["\n0."],
    "call_tree": ["    shop.Cart.toPay(0)\n      shop.Cart.reduction(0)\n", "threw NullPointer"],
    "slow_calls": ["   3 shop.Cart#add, at most ", "   1 shop.Main#sell, at most "],
    "time_between_lines": ["to the price: once: mean ", "dear things: 1"],
    "compare_runs": ["-shop.Cart.toPay(0) = 60", "+shop.Cart.toPay(50) = 30"],
    "dump_on_exception": ['"main" ', "at shop.Customer.greeting(", "ann=Customer@"],
    "patch_a_method": ["shop.Cart redefined", "again at shop.Cart.reduction(", "to pay: 54"],
    "jump_back": ["to pay: 60\nto pay: 54\nto pay: 30\n"],
    "force_a_failure": ["java.lang.IllegalStateException: sold out"],
    "instances_before_after": ["shop.Customer: 0 -> 1", "shop.Cart: 0 -> 0"],
    "deadlock": ['"to the safe" ', "waits for Object@"],
    "count_by_thread": ["'main': 40", "'worker': 1"],
    "hot_methods": [" shop.Reports.sum\n"],
    "who_allocates": [" alive: byte[] at java."],
    "why_alive": ["kept: Report@", "java.util.HashMap$Node@", "  shop.Reports$Report@"],
    "equal_strings": ["500 times 'clerk 0', ", "499 times 'clerk 1', "],
    "lines_that_never_ran": ["shop/Main.java: ", " lines never ran: [", "shop/Customer.java: 0 of"],
    "who_submitted": ["in thread worker", "shop.Main.serve(Main.java:"],
    "when_it_became": [
        "total became 10 in shop.Cart.add",
        "total became 60 in",
        "shop.Main.main(Main.java:",
    ],
    "where_classes_come_from": ["shop.Cart from ", "/build/classes/ by app, Java "],
    "two_programs": ["one: shop.Cart.add(30)", "two: shop.Cart.add(30)"],
}


HELPFUL_SINCE = 14
"""From here on a NullPointerException says what was null."""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as the recipes expect it."""
    folder = tmp_path_factory.mktemp("shop")
    shutil.copytree(RECIPES / "src", folder / "src")
    sources = sorted((folder / "src").rglob("*.java"))
    release = max(jdk.version for jdk in jdks_to_test())
    javac(sources, folder / "build" / "classes", "-g", "--release", str(release))
    return folder


@pytest.fixture
def in_shop(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """There, with the newest JDK."""
    home = max(jdks_to_test(), key=lambda jdk: jdk.version).home
    monkeypatch.chdir(shop)
    monkeypatch.setenv("JAVA_HOME", str(home))
    monkeypatch.setenv("PATH", f"{home}/bin{os.pathsep}{os.environ['PATH']}")
    return shop


@pytest.mark.agent
@pytest.mark.parametrize("name", [each for each in ORDER if each != "wrong_thread"])
def test_a_recipe(name: str, in_shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jdk = max(jdks_to_test(), key=lambda jdk: jdk.version)
    if name == "patch_a_method" and not jdk.has_javac:
        pytest.skip(f"it runs javac, which this runtime of Java {jdk.version} has not")
    runpy.run_path(str(RECIPES / f"{name}.py"), run_name="__main__")
    shown = capsys.readouterr().out.replace("\r\n", "\n")
    for text in SHOWS[name]:
        assert text in shown, shown
    if name == "dump_on_exception":
        state = json.loads((in_shop / "state-1.json").read_text(encoding="utf-8"))
        assert ("because" in state["exception"]) == (jdk.version >= HELPFUL_SINCE)
        assert state["threads"][0]["name"] == "main"


@pytest.mark.agent
@pytest.mark.usefixtures("in_shop")
def test_the_recipe_that_is_a_test() -> None:
    recipe = str(RECIPES / "wrong_thread.py")
    command = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", ".", recipe]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=50)
    assert 'AssertionError: shop.Cart.order("from the worker")' in ran.stdout, ran.stdout
    assert "shop.Main.lambda$serve$0(Main.java:" in ran.stdout
    assert "1 failed" in ran.stdout
