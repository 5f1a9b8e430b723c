# SPDX-License-Identifier: Apache-2.0
"""Projects without a build tool, compiled by a real javac."""

from __future__ import annotations

import os
import shutil
import time
import zipfile
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from jvmdebug import JdkError, projects
from jvmdebug.classfile import ClassFile
from jvmdebug.jdk import find_jdk
from jvmdebug.projects.errors import BuildError, MainClassNeeded, ProjectError, WorkCancelled
from tests.support.jdks import newest_compiler
from tests.unit.projects.test_detection import write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CART = """\
package shop;
public class Cart {
    public static final int MAX = 10;
    public int total() { return 3; }
}
"""
MAIN = """\
package shop;
public class Main {
    public static void main(String[] args) {
        int total = new Cart().total();
        System.out.println(total + Cart.MAX);
    }
}
"""


def test_it_is_compiled_for_an_older_runtime_into_folders_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(java: str | None = None) -> SimpleNamespace:
        return SimpleNamespace(feature_version=17 if java is None else 11, javac="javac")

    monkeypatch.setattr("jvmdebug.projects.project.find_jdk", found)
    write(tmp_path / "src/Main.java", "class Main { }")
    write(tmp_path / "bin/Main.class")
    write(tmp_path / "test/MainTest.java", "class MainTest { }")
    own, older = (projects.find(tmp_path, java=each).layout().sets for each in (None, "jre-11"))
    assert (own[0].output, own[0].javac_options) == (tmp_path / "bin", ())
    for each in older:
        assert each.javac_options == ("--release", "11")
        assert each.output is not None
        assert each.output.name == f"{each.name}-11"
        assert tmp_path / "bin" not in each.class_path


@pytest.mark.parametrize("named", ["JAVA_HOME", "java"])
@pytest.mark.parametrize("what", ["folder", "file"])
def test_a_runtime_without_a_compiler_gets_classes_of_its_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, named: str
) -> None:
    """Another JDK of the machine compiles them."""
    newest = newest_compiler()
    runtime = runtime_like(tmp_path / "jre", newest.version - 1)
    monkeypatch.setattr("jvmdebug.jdk.all_jdks", lambda: [find_jdk(newest.home)])
    monkeypatch.setenv("JAVA_HOME", str(runtime if named == "JAVA_HOME" else newest.home))
    main = write(tmp_path / "shop/src/Main.java", "class Main { }\n")
    if what == "folder":
        (tmp_path / "shop/bin").mkdir()
    java = runtime if named == "java" else None
    with projects.find(main, java=java) as found:
        assert found.kind == what
        made = found.compile()
        (file,) = made.class_files
        assert ClassFile.read(file.read_bytes()).java_release == newest.version - 1
        assert found.compile().by == "nothing"


def test_without_any_compiler_it_says_what_was_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = runtime_like(tmp_path / "jre", 21)
    monkeypatch.setattr("jvmdebug.jdk.all_jdks", lambda: [find_jdk(runtime)])
    monkeypatch.setenv("JAVA_HOME", str(runtime))
    main = write(tmp_path / "Main.java", "class Main { }\n")
    with projects.find(main) as found, pytest.raises(JdkError) as failure:
        found.compile()
    assert failure.value.summary == (
        f"{runtime} is a Java runtime without a compiler, and no JDK was found on this machine"
        ": install one, or set JAVA_HOME to one"
    )


def runtime_like(home: Path, version: int) -> Path:
    """A directory that looks like a Java runtime without a compiler."""
    write(home / "bin/java").chmod(0o755)
    write(home / "release", f'JAVA_VERSION="{version}"\n')
    return home


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JAVA_HOME", str(newest_compiler().home))
    root = tmp_path / "shop project"
    write(root / "src/shop/Cart.java", CART)
    write(root / "src/shop/Main.java", MAIN)
    write(root / "src/shop/Other.java", "package shop; class Other { int unrelated; }")
    write(root / "src/shop/texts.properties", "hello=world")
    (root / "lib").mkdir()
    zipfile.ZipFile(root / "lib/none.jar", "w").close()
    return root


@pytest.fixture
def project(folder: Path) -> Iterator[projects.Project]:
    with projects.find(folder) as found:
        yield found


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    later = time.time() + 2  # as if time had passed since it was compiled
    os.utime(file, (later, later))


def names(compiled: projects.Compiled) -> set[str]:
    return {each.stem for each in compiled.class_files}


def test_what_is_shown_at_a_python_prompt(project: projects.Project, folder: Path) -> None:
    assert repr(project.source_set) == f"SourceSet(main, {str(folder)!r})"
    (main,) = project.main_classes()
    assert repr(main).startswith("MainClass(name='shop.Main', file=")
    assert len(repr(main)) < 200 + 2 * len(str(folder))


def test_only_what_a_change_reaches_is_compiled(project: projects.Project, folder: Path) -> None:
    assert names(project.compile()) == {"Cart", "Main", "Other"}
    assert project.compile().by == "nothing"
    cart = folder / "src/shop/Cart.java"
    edit(cart, "return 3", "return 4")
    assert names(project.compile()) == {"Cart"}
    edit(cart, "MAX = 10", "MAX = 11")  # Main has a copy of it
    assert names(project.compile()) == {"Cart", "Main"}
    edit(cart, "int total()", "short total()")  # Main calls it by its descriptor
    edit(cart, "return 4", "return (short) 4")
    assert names(project.compile()) == {"Cart", "Main"}
    assert project.compile().by == "nothing"


def test_a_change_that_breaks_another_file_is_an_error_until_it_is_mended(
    project: projects.Project, folder: Path
) -> None:
    project.compile()
    cart = folder / "src/shop/Cart.java"
    before = {each: each.read_bytes() for each in project.class_path[0].rglob("*.class")}
    edit(cart, "int total()", "long total()")
    for _ in range(2):
        with pytest.raises(BuildError, match=r"Main\.java:4: incompatible types") as raised:
            project.compile()
        (problem,) = raised.value.problems
        assert (problem.file, problem.line) == (folder / "src/shop/Main.java", 4)
    assert before == {each: each.read_bytes() for each in project.class_path[0].rglob("*.class")}
    edit(folder / "src/shop/Main.java", "int total", "long total")
    assert names(project.compile()) == {"Cart", "Main"}


def test_a_removed_source_takes_its_classes_away(project: projects.Project, folder: Path) -> None:
    project.compile()
    (folder / "src/shop/Other.java").unlink()
    project.compile()
    assert not (project.class_path[0] / "shop/Other.class").exists()
    (folder / "src/shop/Cart.java").unlink()
    with pytest.raises(BuildError, match="Cart"):
        project.compile()


def test_lost_classes_are_compiled_again(project: projects.Project) -> None:
    project.compile()
    (project.class_path[0] / "shop/Other.class").unlink()
    project.compile()
    assert (project.class_path[0] / "shop/Other.class").is_file()


def test_a_hot_swap_compiles_the_saved_file_although_another_is_broken(
    project: projects.Project, folder: Path
) -> None:
    project.compile()
    edit(folder / "src/shop/Other.java", "int unrelated", "broken")
    edit(folder / "src/shop/Cart.java", "return 3", "return 5")
    assert names(project.compile_changed([folder / "src/shop/Cart.java"])) == {"Cart"}
    with pytest.raises(BuildError, match=r"Other\.java"):
        project.compile()
    with pytest.raises(ProjectError, match="is not a source of the project"):
        project.compile_changed([folder / "README.java"])


def test_main_classes_are_chosen_by_name_file_or_memory(
    project: projects.Project, folder: Path
) -> None:
    assert project.program().main_class == "shop.Main"
    write(folder / "src/shop/Second.java", MAIN.replace("Main", "Second"))
    with pytest.raises(MainClassNeeded, match=r"shop\.Main, shop\.Second") as raised:
        project.program()
    assert raised.value.candidates == ("shop.Main", "shop.Second")
    assert project.program("Second").main_class == "shop.Second"
    assert project.program(folder / "src/shop/Second.java").main_class == "shop.Second"
    project.remember_main_class("shop.Second")
    with projects.find(folder) as again:
        assert again.program().main_class == "shop.Second"
    with pytest.raises(ProjectError, match=r"no class Third; it has main methods in shop\.Main"):
        project.program("Third")
    with pytest.raises(ProjectError, match=r"Cart\.java has no class with a main method"):
        project.program(folder / "src/shop/Cart.java")


def test_main_classes_without_a_source_are_found_in_class_files(
    project: projects.Project, folder: Path
) -> None:
    text = MAIN.replace("package shop", "package made").replace("Main", "Made")
    made = write(
        folder / "src/made/Made.java",
        text.replace("new Cart().total()", "3").replace("Cart.MAX", "1"),
    )
    (folder / "bin").mkdir()
    write(folder / "bin/shop/Cart.class")
    project.compile()
    shutil.copytree(folder / "bin", folder.parent / "classes only/bin")
    made.rename(made.with_suffix(".txt"))
    found = {each.name: each.file for each in project.main_classes()}
    assert found == {"shop.Main": folder / "src/shop/Main.java", "made.Made": None}
    assert project.program().main_class == "shop.Main", "with its source before one without"
    assert project.program("Made").main_class == "made.Made"
    with projects.find(folder.parent / "classes only") as without:
        assert [(each.name, each.file) for each in without.main_classes()] == [
            ("made.Made", None),
            ("shop.Main", None),
        ]
        program = without.program("Main")
        assert program.class_path[0] == folder.parent / "classes only/bin"
        assert without.compile(program.source_set).by == "nothing"


def test_resources_beside_the_sources_are_found_by_the_program(
    project: projects.Project, folder: Path
) -> None:
    program = project.program()
    assert folder / "src" in program.class_path
    assert folder / "lib/none.jar" in program.class_path
    assert program.folder == folder


def test_a_single_file_is_compiled_with_what_it_refers_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(newest_compiler().home))
    main = write(tmp_path / "one/shop/Main.java", MAIN)
    write(tmp_path / "one/shop/Cart.java", CART)
    write(tmp_path / "one/shop/Broken.java", "not Java")
    with projects.find(main) as project:
        assert project.kind == "file"
        assert names(project.compile()) == {"Main", "Cart"}
    with projects.find(main) as project:
        assert project.compile().by == "nothing"
        edit(tmp_path / "one/shop/Cart.java", "return 3", "return 4")
        assert project.compile().by == "javac"


def test_cancelled_work_ends_the_compiler(project: projects.Project) -> None:
    work = projects.Work()
    work.cancel()
    with pytest.raises(WorkCancelled):
        project.compile(work=work)
    assert names(project.compile()) == {"Cart", "Main", "Other"}
