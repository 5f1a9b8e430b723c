# SPDX-License-Identifier: Apache-2.0
"""The workflows of the hosting service run targets that exist. `make lint` checks their schemas."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

from tests.house.tracked import text_of, tracked_files
from tests.support.jdks import REPOSITORY

WORKFLOWS = [path for path in tracked_files() if path.match(".github/workflows/*.yml")]


def parsed(path: Path) -> dict[str, Any]:
    yaml = importlib.import_module("yaml")  # has no types of its own
    content: dict[str, Any] = yaml.safe_load(text_of(path))
    return content


def commands(path: Path) -> list[str]:
    """The shell text of every step of every job."""
    jobs = parsed(path)["jobs"].values()
    return [step["run"] for job in jobs for step in job.get("steps", ()) if "run" in step]


def test_all_hosted_files_parse() -> None:
    files = [path for path in tracked_files() if path.suffix == ".yml"]
    assert len(WORKFLOWS) >= 4
    assert [str(path) for path in files if not isinstance(parsed(path), dict)] == []


def test_jobs_run_words_of_the_makefile() -> None:
    words = set(re.findall(r"^([a-z0-9-]+):", text_of(Path("Makefile")), re.MULTILINE))
    run = {
        word
        for path in WORKFLOWS
        for command in commands(path)
        for words_run in re.findall(r"\bmake ((?:[a-z0-9][a-z0-9-]* ?)+)", command)
        for word in words_run.split()
    }
    assert {"setup", "lint", "test", "wheels", "extension"} <= run
    assert run - words == set()


def test_jobs_run_modules_that_exist() -> None:
    modules = {
        module
        for path in WORKFLOWS
        for command in commands(path)
        for module in re.findall(r"-m (tools\.\w+)", command)
    }
    files = {module: REPOSITORY / f"{module.replace('.', '/')}.py" for module in modules}
    assert [module for module, file in files.items() if not file.exists()] == []


def test_jobs_need_jobs_that_exist() -> None:
    for path in WORKFLOWS:
        jobs = parsed(path)["jobs"]
        for job in jobs.values():
            needs = job.get("needs", [])
            assert ({needs} if isinstance(needs, str) else set(needs)) <= jobs.keys()
            if (called := job.get("uses", "")).startswith("./"):
                assert (REPOSITORY / called).is_file()


def test_the_jdks_of_the_tests_are_those_that_are_supported() -> None:
    matrix = parsed(Path(".github/workflows/tests.yml"))["jobs"]["tests"]["strategy"]["matrix"]
    assert matrix["jdk"] == ["11", "17", "21", "25"]


def test_what_is_built_for_a_release_is_published() -> None:
    offered = {path for path in WORKFLOWS if "\n  workflow_call:\n" in text_of(path)}
    jobs = parsed(Path(".github/workflows/release.yml"))["jobs"]
    called = {Path(job["uses"]) for job in jobs.values() if "uses" in job}
    assert called == offered
    assert set(jobs["publish"]["needs"]) == jobs.keys() - {"publish", "check"}
