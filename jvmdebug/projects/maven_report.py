# SPDX-License-Identifier: Apache-2.0
"""Reads the report of `MavenReport.java`: modules of a Maven build as source sets.

Pure but for looking at folders and jars: which sources were generated, which jars bring annotation
processors. Called by `maven`.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.projects.errors import BuildError, ProjectError
from jvmdebug.projects.layout import NOT_BUILT, Layout, SourceSet
from jvmdebug.projects.processors import processor_in
from jvmdebug.projects.snapshot import any_class
from jvmdebug.projects.surefire import TestModule, runs_of, settings_of

if TYPE_CHECKING:
    from jvmdebug.projects.test_settings import TestSettings

_SETTINGS: Final = (".mvn/maven.config", ".mvn/jvm.config", ".mvn/extensions.xml",
                    ".mvn/wrapper/maven-wrapper.properties", ".mvn/toolchains.xml")  # fmt: skip
_OF_USER: Final = (".m2/settings.xml", ".m2/toolchains.xml")
_HARMLESS: Final = frozenset(
    {
        *("maven-resources-plugin", "maven-compiler-plugin", "maven-enforcer-plugin"),
        *("build-helper-maven-plugin", "maven-clean-plugin", "maven-checkstyle-plugin"),
        *("maven-dependency-plugin", "maven-toolchains-plugin", "flatten-maven-plugin"),
        *("spring-javaformat-maven-plugin", "git-commit-id-maven-plugin", "maven-pmd-plugin"),
        *("license-maven-plugin", "spotless-maven-plugin", "jacoco-maven-plugin"),
        *("buildnumber-maven-plugin", "animal-sniffer-maven-plugin", "sortpom-maven-plugin"),
    }
)
"""Plugins that change neither sources nor classes."""
_LANGUAGES: Final = ("kotlin", "groovy", "scala")
_MAIN: Final = ("compile", "runtime", "system", "provided")
_COMPILING: Final = ("compile", "provided", "system")
_TEST: Final = (*_MAIN, "test")


@dataclass(slots=True)
class _Module:
    name: str
    folder: Path
    packaging: str
    fields: dict[str, list[list[str]]] = field(default_factory=dict)

    def all(self, kind: str) -> list[list[str]]:
        return self.fields.get(kind, [])

    def one(self, kind: str) -> Path:
        return Path(self.all(kind)[0][0])

    def property(self, name: str) -> str | None:
        return next((each[1] for each in self.all("property") if each[0] == name), None)

    def dependencies(self, scopes: tuple[str, ...]) -> tuple[Path, ...]:
        """The dependencies in Maven's order; provided ones last, which a container may have in
        another version.
        """
        found = [each for each in self.all("dependency") if each[0] in scopes]
        found.sort(key=lambda each: each[0] == "provided")
        return tuple(Path(each[1]) for each in found)


def read_report(text: str, root: Path) -> Layout:
    """The source sets of all modules. Raises BuildError for dependencies that were not found."""
    modules: list[_Module] = []
    java_home: Path | None = None
    lines = [line.split("\t") for line in text.splitlines()]
    if not lines or lines[-1] != ["end"]:
        raise ProjectError(f"the report of Maven in {root} is cut off")
    for kind, *fields in lines:
        if kind == "java":
            java_home = Path(fields[0])
        elif kind == "module":
            modules.append(_Module(fields[0], Path(fields[1]), fields[2]))
        elif modules:
            modules[-1].fields.setdefault(kind, []).append(fields)
    missing = [f"{each.name}: {why[0]}" for each in modules for why in each.all("unresolved")]
    if missing:
        raise BuildError("\n".join([f"Maven in {root} cannot find dependencies:", *missing]))
    sets = [
        found
        for each in modules
        if each.packaging != "pom"
        for found in (_source_set(each, is_test=False), _source_set(each, is_test=True))
        if not found.is_test or any(folder.is_dir() for folder in found.all_source_folders)
    ]
    releases = [number for each in modules if (number := _release(each)) is not None]
    return Layout(
        tuple(sets),
        _build_files(modules, root),
        java_home,
        max(releases, default=None),
    )


def _source_set(module: _Module, *, is_test: bool) -> SourceSet:
    sources = tuple(Path(each[0]) for each in module.all("testSources" if is_test else "sources"))
    # Plugins of other languages name their folder only when they run.
    others = (module.folder / "src" / ("test" if is_test else "main") / each for each in _LANGUAGES)
    sources = tuple(dict.fromkeys((*sources, *(each for each in others if each.is_dir()))))
    written = tuple(each for each in sources if not _is_generated(each, module))
    generated = tuple(each for each in sources if each not in written)
    main, test = module.one("output"), module.one("testOutput")
    output = test if is_test else main
    resources = module.all("testResources" if is_test else "resources")
    scopes = _TEST if is_test else _MAIN
    class_path = (output, *((main,) if is_test else ()), *module.dependencies(scopes))
    compile_path = (
        (main, *module.dependencies(scopes)) if is_test else module.dependencies(_COMPILING)
    )
    options = _javac_options(module, output)
    reason = _build_tool_because(
        module, (*written, *generated), generated, compile_path, is_test=is_test
    )
    if reason is None and options is None:
        reason = "the Java release is not configured"
    return SourceSet(
        "test" if is_test else "main",
        module.name,
        module.folder,
        is_test=is_test,
        source_folders=written,
        generated_folders=generated,
        resource_folders=tuple(Path(each[0]) for each in resources),
        output=output,
        class_folders=(output,),
        class_path=class_path,
        compile_path=compile_path,
        module_name=None,
        javac_options=options or (),
        build_tool_because=reason,
        resources_as_they_are=all(each[1] == "plain" for each in resources),
        test_settings=_test_settings(module, (output, main)) if is_test else (),
    )


def _test_settings(module: _Module, outputs: tuple[Path, Path]) -> tuple[TestSettings, ...]:
    found = TestModule(
        module.folder,
        outputs,
        [each for each in module.all("dependency") if each[0] in _TEST],
        module.all("userProperty"),
        next((each[0] for each in module.all("localRepository")), None),
    )
    runs = runs_of(module.all("testRun"), module.all("testSetting"))
    made = [settings_of(each, found) for each in runs]
    return tuple(sorted(made, key=lambda each: not each.is_usual))


def _is_generated(folder: Path, module: _Module) -> bool:
    return folder.is_relative_to(module.one("output").parent)


def _build_tool_because(
    module: _Module,
    sources: tuple[Path, ...],
    generated: tuple[Path, ...],
    compile_path: tuple[Path, ...],
    *,
    is_test: bool,
) -> str | None:
    executed = module.all("executed")
    if not any(not is_test or "test" in phase for phase, _, _ in executed):
        return NOT_BUILT
    for phase, plugin, goal in executed:
        if plugin not in _HARMLESS and ("test" in phase) <= is_test:
            return f"{plugin}:{goal} takes part in the build"
    if any(each.is_dir() and any(each.rglob("*.java")) for each in generated):
        return "sources are generated"
    if any((each / "module-info.java").is_file() for each in sources):
        return "it has a module-info.java"
    return _because_of_compiler(module, compile_path)


def _because_of_compiler(module: _Module, compile_path: tuple[Path, ...]) -> str | None:
    configured = "".join(text for _, text in module.all("compiler"))
    if "annotationProcessor" in configured:
        return "annotation processors are configured"
    if "compilerId" in configured or "<fork>" in configured:
        return "another compiler is configured"
    has_none = "<proc>none</proc>" in configured
    if has_none or module.property("maven.compiler.proc") == "none":
        return None
    return processor_in(compile_path)


def _javac_options(module: _Module, output: Path) -> tuple[str, ...] | None:
    """The options of the compiler plugin that change classes; None if the release is not known."""
    values = {
        "release": module.property("maven.compiler.release"),
        "source": module.property("maven.compiler.source"),
        "target": module.property("maven.compiler.target"),
        "parameters": module.property("maven.compiler.parameters"),
        "enablePreview": module.property("maven.compiler.enablePreview"),
        "encoding": module.property("project.build.sourceEncoding"),
    }
    arguments: list[str] = []
    for _, printed in module.all("compiler"):
        try:
            configuration = ET.fromstring(printed)  # noqa: S314 - Maven's own print, no entities
        except ET.ParseError:
            return None
        for child in configuration:
            text = (child.text or "").strip()
            if child.tag in values and text and "${" not in text:
                values[child.tag] = text
            elif child.tag in ("compilerArgs", "compilerArgument"):
                texts = ((each.text or "").strip() for each in child.iter())
                arguments += [each for each in texts if each]
    options = ["-encoding", values["encoding"]] if values["encoding"] else []
    if values["release"]:
        options += ["--release", values["release"]]
    elif values["source"]:
        options += ["-source", values["source"], "-target", values["target"] or values["source"]]
    elif (release := any_class(output)) is not None:
        options += ["--release", str(max(release, 8))]
    else:
        return None
    options += ["-parameters"] * (values["parameters"] == "true")
    options += ["--enable-preview"] * (values["enablePreview"] == "true")
    return (*options, *arguments)


def _release(module: _Module) -> int | None:
    named = (module.property("maven.compiler.release"), module.property("maven.compiler.source"))
    found = next((each for each in named if each), None)
    number = (found or "").removeprefix("1.")
    return int(number) if number.isdecimal() else None


def _build_files(modules: list[_Module], root: Path) -> tuple[Path, ...]:
    poms = [Path(each[0]) for module in modules for each in module.all("pom")]
    settings = [root / each for each in _SETTINGS] + [Path.home() / each for each in _OF_USER]
    return tuple(dict.fromkeys([*poms, *settings]))
