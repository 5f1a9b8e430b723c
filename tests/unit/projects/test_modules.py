# SPDX-License-Identifier: Apache-2.0
"""What of a class path is put on the module path."""

from __future__ import annotations

import subprocess
import zipfile
from typing import TYPE_CHECKING

import pytest

from jvmdebug import projects
from jvmdebug.projects import modules
from jvmdebug.projects.layout import Layout, SourceSet
from jvmdebug.projects.modules import Module, automatic_name, declared_in
from tests.support.jdks import newest_compiler
from tests.unit.projects.test_detection import write
from tests.unit.projects.test_plain import edit, names

if TYPE_CHECKING:
    from pathlib import Path

MODULE = """\
/* module not.this { requires nor.that; } */
open module shop.app { // requires nothing
    requires transitive java.sql;
    requires static org.log;
    requires shop.core;
}
"""
MAIN = """\
package shop;
public class Main {
    public static void main(String[] args) {
        System.out.println(Main.class.getModule().getName() + " " + talk.Talk.hello());
    }
}
"""


def jar(path: Path, **entries: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name.replace("__", "/"), content)
    return path


def manifest(path: Path, name: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", f"Automatic-Module-Name: {name}\r\n")
    return path


def test_a_module_is_read_from_its_source(tmp_path: Path) -> None:
    write(tmp_path / "src/module-info.java", MODULE)
    found = declared_in([tmp_path / "none", tmp_path / "src"])
    assert found == Module("shop.app", ("java.sql", "org.log", "shop.core"))
    assert declared_in([tmp_path]) is None


@pytest.mark.parametrize(
    ("stem", "name"),
    [("gson-2.11.0", "gson"), ("commons-lang3-3.12", "commons.lang3"), ("a_b--c", "a.b.c")],
)
def test_a_jar_without_a_name_is_called_as_the_vm_calls_it(stem: str, name: str) -> None:
    assert automatic_name(stem) == name


def test_only_what_is_required_is_a_module(tmp_path: Path) -> None:
    write(tmp_path / "app/src/module-info.java", MODULE)
    write(tmp_path / "core/src/module-info.java", "module shop.core { requires deep; }")
    log = manifest(tmp_path / "log.jar", "org.log")
    deep = jar(tmp_path / "deep-1.0.jar")
    other = jar(tmp_path / "other-1.0.jar")
    (tmp_path / "broken.jar").write_text("no archive")
    core = SourceSet(
        "main",
        "core",
        tmp_path / "core",
        source_folders=(tmp_path / "core/src",),
        class_folders=(tmp_path / "core/out",),
    )
    resources, output = tmp_path / "app/resources", tmp_path / "app/out"
    app = SourceSet(
        "main",
        "app",
        tmp_path / "app",
        source_folders=(tmp_path / "app/src",),
        output=output,
        class_folders=(output,),
        class_path=(
            output,
            resources,
            core.class_folders[0],
            other,
            log,
            deep,
            tmp_path / "broken.jar",
        ),
    )
    found = modules.paths_of(app, Layout((core, app)))
    assert found is not None
    assert found.module == "shop.app"
    assert found.module_path == (output, core.class_folders[0], log, deep)
    assert found.class_path == (other, tmp_path / "broken.jar")
    assert found.vm_args == ("--patch-module", f"shop.app={resources}")


def test_a_plain_folder_with_a_module_is_compiled_and_started_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jdk = newest_compiler()
    monkeypatch.setenv("JAVA_HOME", str(jdk.home))
    write(tmp_path / "talk/module-info.java", "module talk { exports talk; }")
    hello = 'package talk; public class Talk { public static String hello() { return "hi"; } }'
    write(tmp_path / "talk/talk/Talk.java", hello)
    sources = [tmp_path / "talk/module-info.java", tmp_path / "talk/talk/Talk.java"]
    made = tmp_path / "made"
    javac = str(jdk.home / "bin/javac")
    subprocess.run([javac, "-d", str(made), *map(str, sources)], check=True)
    root = tmp_path / "app"
    (root / "lib").mkdir(parents=True)
    with zipfile.ZipFile(root / "lib/talk.jar", "w") as archive:
        for each in ("module-info.class", "talk/Talk.class"):
            archive.write(made / each, each)
    write(root / "src/module-info.java", "module shop.app { requires talk; }")
    write(root / "src/shop/Main.java", MAIN)
    with projects.find(root) as project:
        program = project.program()
        assert (program.module, program.main_class) == ("shop.app", "shop.Main")
        assert program.module_path[1:] == (root / "lib/talk.jar",)
        assert names(project.compile(program.source_set)) == {"Main", "module-info"}
        edit(root / "src/shop/Main.java", "getName() +", "getName() + 1 +")
        assert names(project.compile_changed([root / "src/shop/Main.java"])) == {"Main"}
        path = ":".join(map(str, program.module_path))
        command = [
            str(jdk.home / "bin/java"),
            *program.vm_args,
            "-p",
            path,
            "-m",
            "shop.app/shop.Main",
        ]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout == "shop.app1 hi\n"
