# SPDX-License-Identifier: Apache-2.0
"""A Maven build of two modules, with a `mvnw` of our own in place of Maven.

When it is asked, what for, and what becomes of its answers. Real ones are in e2e/projects.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from jvmdebug import JdkError, jdk_places, projects
from jvmdebug.projects import maven
from jvmdebug.projects.errors import BuildError
from tests.support.jdks import discover
from tests.unit.projects.test_detection import write
from tests.unit.projects.test_plain import edit, names

_POM = "<project><modules><module>core</module><module>app</module></modules></project>"
_CART = "package shop;\npublic class Cart {\n    public int total() { return 3; }\n}\n"
_MAIN = (
    "package shop.app;\npublic class Main {\n"
    "    public static void main(String[] args) { long it = new shop.Cart().total(); }\n}\n"
)
_MAVEN = """\
import pathlib, shutil, subprocess, sys
root = pathlib.Path(__file__).parent
options = dict(each.split("=", 1) for each in sys.argv[1:] if each.startswith("-D"))
goals = " ".join(each for each in sys.argv[1:] if not each.startswith(("-D", "-B")))
with (root / "asked").open("a") as asked:
    print(goals, file=asked)
if goals == "-v":
    print(f"Maven home: {root}")
    sys.exit()
core, app = root / "core", root / "app"
if "wrong" in (root / "pom.xml").read_text():
    print("[ERROR] Malformed POM", root / "pom.xml", "@4:1", flush=True)
    print("[ERROR] -> [Help 1] http://cwiki")
    sys.exit(1)
is_built = "process-classes" in goals
if is_built:  # all modules at once: javac takes long to start
    print("--- maven-compiler-plugin:3:compile (default) @ app ---", flush=True)
    sources = [str(each) for each in root.rglob("*.java")]
    command = [JAVAC, "-nowarn", "-d", root / "out", *sources]
    failed = subprocess.run(command, capture_output=True, text=True).stderr
    if failed:
        place, line, _, text = failed.splitlines()[0].split(":", 3)
        print(f"[ERROR] {place}:[{line},5]{text}")
        sys.exit(1)
    shutil.move(root / "out/shop/app", app / "target/classes/shop/app")
    shutil.move(root / "out/shop", core / "target/classes/shop")
lines = [["java", JAVA_HOME]]
for module in (core, app):
    lines += [["module", f"shop:{module.name}", str(module), "jar"]]
    lines += [["pom", str(root / "pom.xml")], ["pom", str(module / "pom.xml")]]
    lines += [["property", "maven.compiler.release", "11"]]
    lines += [["output", f"{module}/target/classes"], ["testOutput", f"{module}/target/tests"]]
    lines += [["sources", f"{module}/src/main/java"]]
    told = root / "built"
    if is_built and (not told.exists() or told.read_text() == module.name):
        lines += [["executed", "compile", "maven-compiler-plugin", "compile"]]
lines += [["dependency", "compile", f"{core}/target/classes"], ["end"]]
report = "".join("\\t".join(each) + "\\n" for each in lines)
pathlib.Path(options["-Djvmdebug.report"]).write_text(report)
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    homes = (each.home for each in discover())
    jdk = next(home for home in homes if (home / "bin/javac").is_file())
    monkeypatch.setenv("JAVA_HOME", str(jdk))
    monkeypatch.setattr(
        maven, "_compile", lambda _jars, folder, _work: write(folder / maven._INDEX, "MavenReport")
    )
    root = tmp_path / "shop"
    write(root / "pom.xml", _POM)
    for name in ("core", "app"):
        write(root / name / "pom.xml", "<project/>")
    write(root / "core/src/main/java/shop/Cart.java", _CART)
    write(root / "app/src/main/java/shop/app/Main.java", _MAIN)
    settings = f"JAVA_HOME = {str(jdk)!r}\nJAVAC = JAVA_HOME + '/bin/javac'\n"
    write(root / "fake.py", settings + _MAVEN)
    write(root / "mvnw", f'#!/bin/sh\nexec {sys.executable} "$(dirname "$0")/fake.py" "$@"\n')
    return root


def asked(shop: Path) -> list[str]:
    """What Maven was asked for since the last call."""
    file = shop / "asked"
    goals = file.read_text().splitlines() if file.exists() else []
    file.unlink(missing_ok=True)
    return [each for each in goals if each != "-v"]


def test_maven_is_asked_once_and_compiles_what_javac_must_not(shop: Path) -> None:
    said: list[str] = []
    work = projects.Work(said.append)
    with projects.find(shop / "app/src/main/java/shop/app/Main.java") as project:
        program = project.program(work=work)
        assert (program.main_class, asked(shop)) == ("shop.app.Main", ["validate"])
        assert shop / "core/target/classes" in program.class_path
        assert project.compile(program.source_set, work=work).by == "Maven"
        assert asked(shop) == ["process-classes -pl app -am"]
    assert "Maven: compiling shop:app main" in said
    with projects.find(shop) as project:  # the answer is kept
        program = project.program()
        assert project.compile(program.source_set).by == "nothing"
        edit(shop / "core/src/main/java/shop/Cart.java", "return 3", "return 4")
        done = project.compile(program.source_set)
        assert (done.by, names(done)) == ("javac", {"Cart"})
        assert asked(shop) == []
        edit(shop / "core/src/main/java/shop/Cart.java", "int total", "oops total")
        with pytest.raises(BuildError, match=r"Cart\.java:3: cannot find symbol"):
            project.compile(program.source_set)
        with pytest.raises(BuildError, match=r"\(Maven in .*\):\n/.*/Cart\.java:3: cannot find"):
            project.compile(program.source_set, how="always")
        assert asked(shop) == ["process-classes -pl app -am"]


def test_maven_is_asked_again_when_a_pom_has_changed(shop: Path) -> None:
    with projects.find(shop) as project:
        assert [each.title for each in project.layout().sets] == ["shop:core main", "shop:app main"]
    edit(shop / "app/pom.xml", "<project/>", "<project></project>")
    with projects.find(shop) as project:
        project.layout()
        assert asked(shop) == ["validate", "validate"]
    edit(shop / "pom.xml", "<project>", "<project>wrong")
    with projects.find(shop) as project, pytest.raises(BuildError) as failed:
        project.layout()
    assert str(failed.value).splitlines()[1:] == [f"Malformed POM {shop}/pom.xml @4:1"]


def test_maven_gets_a_java_where_the_shell_has_none(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor that was started from a desktop has no JAVA_HOME, and mvn does not run without."""
    home = os.environ["JAVA_HOME"]
    (shop / "mvnw").write_text(
        '#!/bin/sh\n[ -x "$JAVA_HOME/bin/java" ] || {\n'
        'echo "The JAVA_HOME environment variable is not defined correctly,"\nexit 1\n}\n'
        f'exec {sys.executable} "$(dirname "$0")/fake.py" "$@"\n'
    )
    monkeypatch.setenv("JVMDEBUG_JDKS", home)
    for java_home in (str(shop / "gone"), ""):
        monkeypatch.setenv("JAVA_HOME", java_home)
        if not java_home:
            monkeypatch.setenv("PATH", _path_without_java(os.environ["PATH"]))
        with projects.find(shop) as project:
            assert len(project.layout().sets) == 2


def _path_without_java(path: str) -> str:
    return os.pathsep.join(
        each for each in path.split(os.pathsep) if not Path(each, "java").exists()
    )


def test_a_maven_that_finds_no_java_says_so(shop: Path) -> None:
    told = "The JAVA_HOME environment variable is not defined correctly,"
    (shop / "mvnw").write_text(f'#!/bin/sh\necho "{told}"\nexit 1\n')
    with projects.find(shop) as project, pytest.raises(JdkError) as failed:
        project.layout()
    assert failed.value.summary == f"Maven does not start, because it finds no Java: {told}"
    assert f"sh {shop}/mvnw -v: {told}" in failed.value.tried


def test_without_any_java_maven_is_not_asked(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(shop))
    monkeypatch.setenv("HOME", str(shop))
    monkeypatch.setattr(jdk_places, "_FOLDERS", ())
    with projects.find(shop) as project, pytest.raises(JdkError, match="no Java runtime found"):
        project.layout()


def test_a_project_for_a_newer_java_says_which(shop: Path) -> None:
    fake = shop / "fake.py"
    fake.write_text(
        fake.read_text().replace('"maven.compiler.release", "11"', '"maven.compiler.release", "99"')
    )
    with projects.find(shop) as project, pytest.raises(JdkError) as failed:
        project.program()
    assert failed.value.wanted == 99
    assert failed.value.summary.startswith("shop needs Java 99, and the newest JDK of this machine")


def test_a_test_among_the_classes_of_the_program_runs_when_it_is_named(shop: Path) -> None:
    """Maven does so: a benchmark may be started by an annotation of JUnit."""
    source = "package shop;\nclass BenchTest {\n    @Test void launch() {}\n}\n"
    write(shop / "core/src/main/java/shop/BenchTest.java", source)
    with projects.find(shop) as project:
        with pytest.raises(projects.ProjectError, match=r"none of these tests: shop\.BenchTest;"):
            projects.choose_tests(project, ["*"], projects.Work(), how="never")
        (named,) = projects.choose_tests(project, ["BenchTest"], projects.Work()).groups
        assert named.selectors == ("shop.BenchTest",)


def test_what_an_earlier_build_told_of_other_modules_is_kept(shop: Path) -> None:
    def reasons() -> dict[str, str | None]:
        with projects.find(shop) as project:
            return {each.title: each.build_tool_because for each in project.layout().sets}

    assert set(reasons().values()) == {"it has not been built yet"}
    for module in ("core", "app"):
        write(shop / "built", module)  # the only one that this build tells of
        with projects.find(shop / module) as project:
            project.compile(how="always")
    assert reasons() == {"shop:core main": None, "shop:app main": None}
    edit(shop / "app/pom.xml", "<project/>", "<project></project>")
    assert set(reasons().values()) == {"it has not been built yet"}
