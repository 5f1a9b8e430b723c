# SPDX-License-Identifier: Apache-2.0
"""What is the user's and what is of libraries: by the class path, a code source, a name."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Final

import pytest

from jvmdebug.model.generated_names import Generator, generator_of
from jvmdebug.quarkus_layout import with_applications
from jvmdebug.stepping.class_path import packages_on
from jvmdebug.stepping.code_origin import is_archive, is_generated
from jvmdebug.stepping.libraries import library_patterns

if TYPE_CHECKING:
    from pathlib import Path


def archive(path: Path, *names: str, manifest: str = "") -> str:
    """An archive with empty entries."""
    path.write_bytes(content(*names, manifest=manifest))
    return str(path)


def content(*names: str, manifest: str = "") -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as opened:
        opened.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\r\n{manifest}\r\n")
        for name in names:
            opened.writestr(name, b"")
    return made.getvalue()


def directory(path: Path, *names: str) -> Path:
    for name in names:
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).touch()
    return path


def test_libraries_are_the_archives_and_never_the_users_packages(tmp_path: Path) -> None:
    directory(tmp_path / "classes", "org/shop/web/Cart.class")
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
    found = packages_on(path, str(tmp_path))
    assert (found.own, found.program) == ({"org.shop.web"}, set())
    assert library_patterns(found.own, found.libraries) == ("org.lib.*", "org.shop.util.*")


def test_the_first_archive_is_the_program_if_there_are_no_directories(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    empty = archive(tmp_path / "empty.jar")
    first = archive(tmp_path / "app.jar", "shop/Main.class", "module-info.class")
    second = archive(tmp_path / "lib.jar", "lib/A.class")
    found = packages_on([str(tmp_path / "config"), empty, first, second])
    assert (found.own, found.program, found.libraries) == (set(), {"shop"}, {"lib"})


def test_sources_that_are_compiled_when_the_program_runs_are_the_users(tmp_path: Path) -> None:
    directory(tmp_path / "src", "my_app/core.clj", "tools/Deploy.groovy")
    clojure = archive(tmp_path / "clojure.jar", "clojure/lang/RT.class")
    found = packages_on([str(tmp_path / "src"), clojure])
    assert (found.own, found.libraries) == ({"my_app", "tools"}, {"clojure.lang"})


def test_a_manifest_names_more(tmp_path: Path) -> None:
    """Relative to the archive or as URLs, folded after 72 bytes, also in what is named."""
    directory(tmp_path / "my classes", "shop/Main.class")
    other = tmp_path / "other"
    other.mkdir()
    archive(other / "a.jar", "lib/A.class", manifest="Class-Path: b.jar a.jar ../booter.jar")
    archive(other / "b.jar", "more/B.class")
    names = f"class-path: my%20cla\r\n sses/ {(other / 'a.jar').as_uri()} http://x.invalid/y.jar"
    found = packages_on([archive(tmp_path / "booter.jar", manifest=names)])
    assert (found.own, found.program, found.libraries) == ({"shop"}, set(), {"lib", "more"})


@pytest.mark.parametrize("folder", ["BOOT-INF", "WEB-INF"])
def test_archives_in_an_archive_are_libraries(tmp_path: Path, folder: str) -> None:
    fat = tmp_path / "app.war"
    with zipfile.ZipFile(fat, "w") as made:
        made.writestr("org/springframework/boot/loader/Launcher.class", b"")
        made.writestr(f"{folder}/classes/org/springframework/samples/Main.class", b"")
        made.writestr(f"{folder}/lib/aop.jar", content("org/springframework/aop/A.class"))
        made.writestr(f"{folder}/lib/broken.jar", b"no archive")
    found = packages_on([str(fat)])
    assert library_patterns(found.own, found.libraries) == (
        "org.springframework.aop.*",
        "org.springframework.boot.*",
    )
    assert found.own == {"org.springframework.samples"}


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("file:/app/lib/x.jar", True),
        ("file:/app/target/classes/", False),
        ("file:/app/x.jar/", False),
        ("jar:nested:/app.jar/!BOOT-INF/lib/x-1.0.jar!/", True),
        ("jar:nested:/app.jar/!BOOT-INF/classes/!/", False),
        ("jar:file:/app.jar!/BOOT-INF/lib/x.jar!/", True),
        ("jar:file:/app.jar!/BOOT-INF/classes!/", False),
        ("jar:war:file:/shop.war*/WEB-INF/lib/x.jar!/", True),
        ("war:file:/shop.war*/WEB-INF/classes/", False),
        ("reference:file:plugins/x_1.0.JAR", True),
        ("file:/app/Hello.java", False),
    ],
)
def test_archives_by_the_location_of_a_code_source(location: str, *, expected: bool) -> None:
    assert is_archive(location) is expected


GENERATED: Final = (
    ("shop.OrderService$$SpringCGLIB$$0", Generator.CGLIB),
    ("shop.OrderService$$EnhancerBySpringCGLIB$$1a2b3c", Generator.CGLIB),
    ("shop.OrderService$$FastClassBySpringCGLIB$$3d", Generator.CGLIB),
    ("shop.OrderService$$EnhancerByGuice$$62434413", Generator.GUICE),
    ("shop.OrderService$$FastClassByGuice$$62442373", Generator.GUICE),
    ("jdk.proxy2.$Proxy41", Generator.JDK_PROXY),
    ("$Proxy3", Generator.JDK_PROXY),
    ("shop.Main$$Lambda/0x00007f0001001200", Generator.HIDDEN),
    ("shop.Author$HibernateProxy$yK3sZ1", Generator.HIBERNATE),
    ("shop.Cart$MockitoMock$1234", Generator.BYTE_BUDDY),
    ("shop.Cart$ByteBuddy$2Xk9", Generator.BYTE_BUDDY),
    ("shop.Cart_$$_jvst4c_0", Generator.JAVASSIST),
    ("shop.Cart$Proxy$_$$_WeldClientProxy", Generator.WELD),
    ("shop.OrderService_ClientProxy", Generator.ARC),
    ("shop.OrderService_Subclass", Generator.ARC),
    ("shop.OrderService_Subclass$1", Generator.ARC),
    ("shop.$OrderService$Definition", Generator.MICRONAUT),
    ("shop.$OrderService$Definition$Exec", Generator.MICRONAUT),
    ("shop.$OrderService$Definition$Intercepted$Definition", Generator.MICRONAUT),
    ("shop.$Order$Introspection", Generator.MICRONAUT),
    (
        "io.opentelemetry.javaagent.bootstrap.field.VirtualFieldImpl$java$lang$Runnable$Context",
        Generator.OPEN_TELEMETRY,
    ),
    ("jdk.internal.reflect.GeneratedMethodAccessor7", Generator.REFLECTION),
)


@pytest.mark.parametrize(("name", "generator"), GENERATED)
def test_generated_classes(name: str, generator: Generator) -> None:
    assert is_generated(name)
    assert generator_of(name) is generator


def test_an_application_of_quarkus(tmp_path: Path) -> None:
    """The runner loads the archives that lie beside it; what is generated is in one more."""
    directory(tmp_path, "app/x", "lib/main/x", "quarkus/quarkus-application.dat")
    archive(tmp_path / "app" / "shop-1.jar", "org/shop/Cart.class")
    archive(tmp_path / "quarkus" / "generated-bytecode.jar", "io/made/Started.class")
    archive(tmp_path / "lib" / "main" / "arc.jar", "io/quarkus/arc/Arc.class")
    runner = archive(tmp_path / "run.jar", "io/start/Entry.class")
    found = packages_on([runner])
    assert (found.own, found.program) == ({"org.shop"}, set())
    assert found.libraries == {"io.quarkus.arc", "io.start"}
    behind = [each.name for each in with_applications([tmp_path / "run.jar", tmp_path / "x.jar"])]
    assert behind == ["run.jar", "shop-1.jar", "arc.jar", "x.jar"]
    archive(tmp_path / "quarkus" / "transformed-bytecode.jar", "org/shop/Cart.class")
    assert with_applications([tmp_path / "run.jar"])[1].name == "transformed-bytecode.jar"
    (tmp_path / "quarkus" / "quarkus-application.dat").unlink()
    assert packages_on([runner]).program == {"io.start"}, "an archive as others"


def test_each_generator_has_a_name_that_is_tried() -> None:
    assert {generator for _, generator in GENERATED} == set(Generator)


@pytest.mark.parametrize(
    "name",
    [
        *("shop.Proxy", "shop.Main$Proxy", "shop.ServiceProxy1", "shop.Cart$1", "shop.Cart$$A"),
        *("shop.Order$Definition", "shop.Definition", "shop.ClientProxy", "$Order"),
    ],
)
def test_classes_of_the_users(name: str) -> None:
    assert not is_generated(name)
