# SPDX-License-Identifier: Apache-2.0
"""`make release`: when it refuses, what --dry-run says, what --tag does. Nothing is built here."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

from tests.support.jdks import REPOSITORY
from tools import artifacts, release
from tools.version import set_version, version

if TYPE_CHECKING:
    from pathlib import Path

COPIED = (
    "pyproject.toml",
    "CHANGELOG.md",
    "vscode-extension/package.json",
    "vscode-extension/package-lock.json",
)
CHANGELOG = """# Changelog

## [Unreleased]

## [0.1.0] - 2030-01-31

### Added

#### Agent

- Everything.

[Unreleased]: https://example.com/compare/v0.1.0...HEAD
[0.1.0]: https://example.com/releases/tag/v0.1.0
"""


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=T", "-c", "user.email=t@example.com")
    command = ["git", *identity, *words]
    ran = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return ran.stdout.strip()


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "a change")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository on main whose version 0.1.0 can be released."""
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "T")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "t@example.com")
    for name in COPIED:
        target = tmp_path / name
        target.parent.mkdir(exist_ok=True)
        old, text = version(), (REPOSITORY / name).read_text(encoding="utf-8")
        text = text.replace(f'version = "{old}"', 'version = "0.1.0"')
        target.write_text(text.replace(f'"version": "{old}"', '"version": "0.1.0"'), "utf-8")
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG, encoding="utf-8")
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path)
    monkeypatch.setattr(release, "REPOSITORY", tmp_path)
    return tmp_path


def problem(tree: Path) -> str:
    """The only thing that stands against a release."""
    found = release.problems(tree)
    assert len(found) == 1, found
    return found[0]


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr(sys, "argv", ["release", *words])
    release.main()


def test_a_committed_tree_with_notes_can_be_released(tree: Path) -> None:
    assert release.problems(tree) == []


def test_changes_that_are_not_committed_are_named(tree: Path) -> None:
    (tree / "new.txt").write_text("", encoding="utf-8")
    assert "new.txt" in problem(tree)


def test_another_branch_is_refused(tree: Path) -> None:
    git(tree, "checkout", "-q", "-b", "topic")
    assert problem(tree) == "releases are made on main, this is topic"


def test_a_version_that_was_released_is_refused(tree: Path) -> None:
    git(tree, "tag", "v0.0.9")
    git(tree, "tag", "vintage")
    assert release.problems(tree) == []
    git(tree, "tag", "v0.1.0")
    assert "0.1.0 is released already" in problem(tree)


def test_a_copy_with_another_version_is_named(tree: Path) -> None:
    path = tree / "vscode-extension" / "package.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"version": "0.1.0"', '"version": "0.0.9"'), encoding="utf-8")
    commit(tree)
    assert problem(tree).startswith("vscode-extension/package.json has version 0.0.9")


def test_a_release_without_notes_is_refused(tree: Path) -> None:
    path = tree / "CHANGELOG.md"
    path.write_text(CHANGELOG.replace("- Everything.", ""), encoding="utf-8")
    commit(tree)
    assert problem(tree) == "CHANGELOG.md has no entries below [0.1.0]"


def test_entries_that_no_release_has_are_refused(tree: Path) -> None:
    path = tree / "CHANGELOG.md"
    text = CHANGELOG.replace("[Unreleased]\n", "[Unreleased]\n\n### Fixed\n\n- One thing.\n", 1)
    path.write_text(text, encoding="utf-8")
    commit(tree)
    assert "entries below [Unreleased]" in problem(tree)


def test_setting_the_version_makes_the_tree_ready_for_it(tree: Path) -> None:
    git(tree, "tag", "v0.1.0")
    with pytest.raises(ValueError, match="no entries"):
        set_version("0.2.0", "2030-02-01", tree)
    path = tree / "CHANGELOG.md"
    text = CHANGELOG.replace("[Unreleased]\n", "[Unreleased]\n\n### Fixed\n\n- One thing.\n", 1)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="not newer"):
        set_version("0.1.0", "2030-02-01", tree)
    with pytest.raises(ValueError, match="three numbers"):
        set_version("0.2", "2030-02-01", tree)
    set_version("0.2.0", "2030-02-01", tree)
    commit(tree)
    assert release.problems(tree) == []
    links = path.read_text(encoding="utf-8").splitlines()[-3:-1]
    assert links == [
        "[Unreleased]: https://example.com/compare/v0.2.0...HEAD",
        "[0.2.0]: https://example.com/compare/v0.1.0...v0.2.0",
    ]


def test_a_dry_run_says_what_it_would_do_and_does_nothing(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, "--dry-run", "--tag")
    shown = capsys.readouterr().out
    assert "jvmdebug-0.1.0.tar.gz" in shown
    assert "jvmdebug-0.1.0.vsix" in shown
    assert "would tag v0.1.0" in shown
    assert git(tree, "tag") == ""
    assert git(tree, "status", "--porcelain", "--ignored") == ""


def test_a_failed_check_refuses_the_release(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "new.txt").write_text("", encoding="utf-8")
    with pytest.raises(SystemExit, match="cannot be released"):
        run(monkeypatch, "--tag")
    assert git(tree, "tag") == ""


def test_only_with_permission_the_commit_that_was_built_is_tagged(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    built = git(tree, "rev-parse", "HEAD")

    def build(_parts: object, _python: object) -> list[Path]:
        (tree / "later.txt").write_text("", encoding="utf-8")
        commit(tree)
        return [tree / "CHANGELOG.md"]

    monkeypatch.setattr(release, "build", build)
    run(monkeypatch)
    assert git(tree, "tag") == ""
    assert "not tagged" in capsys.readouterr().out
    git(tree, "reset", "-q", "--hard", built)
    run(monkeypatch, "--tag")
    assert git(tree, "rev-parse", "v0.1.0^{commit}") == built
    message = git(tree, "tag", "--list", "--format=%(contents)", "v0.1.0")
    assert message == "jvmdebug 0.1.0\n\n### Added\n\n#### Agent\n\n- Everything."


def test_a_wheel_without_the_agent_is_noticed(tmp_path: Path) -> None:
    wheel = tmp_path / "jvmdebug-0.1.0-cp311-cp311-linux_x86_64.whl"
    suffix = ".cpython-311-x86_64-linux-gnu.so"
    module = f"jvmdebug/_native{suffix}"
    complete = [*artifacts.WHEEL_HAS, module]
    agent = "jvmdebug/_agent/libjvmdebug.so"
    foreign = "jvmdebug/_native.cpython-311-aarch64-linux-gnu.so"
    for names, lacking in (
        (complete, []),
        ([name for name in complete if name != agent], [agent]),
        ([*artifacts.WHEEL_HAS, foreign], [module]),
    ):
        with zipfile.ZipFile(wheel, "w") as archive:
            for name in names:
                archive.writestr(name, "")
        assert artifacts.missing_from(wheel, suffix) == lacking


def test_checksums_are_those_that_sha256sum_checks(tmp_path: Path) -> None:
    (tmp_path / "b.whl").write_bytes(b"b")
    (tmp_path / "a.tar.gz").write_bytes(b"a")
    path = artifacts.write_checksums(tmp_path)
    assert [line.split()[1] for line in path.read_text().splitlines()] == ["a.tar.gz", "b.whl"]
    subprocess.run(["sha256sum", "--check", "--quiet", path.name], cwd=tmp_path, check=True)
