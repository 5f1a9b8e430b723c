# SPDX-License-Identifier: Apache-2.0
"""Builds without a network: what Maven and Gradle have fetched before is enough.

The network is a repository on this machine with one library in it, which goes away.
"""

from __future__ import annotations

import functools
import http.server
import io
import shutil
import threading
import zipfile
from typing import TYPE_CHECKING

import pytest

from jvmdebug import projects
from tests.support.libraries import maven
from tests.unit.projects.test_detection import write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.timeout(500)]

_LIBRARY = (
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
    "<groupId>shop</groupId><artifactId>prices</artifactId><version>1.2</version></project>"
)
_METADATA = (
    "<metadata><groupId>shop</groupId><artifactId>prices</artifactId><versioning>"
    "<latest>1.2</latest><release>1.2</release><versions><version>1.2</version></versions>"
    "</versioning></metadata>"
)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Says nothing of each request."""

    def log_message(self, *_: object) -> None:
        """See the class."""


class Repository:
    """A Maven repository at `url`, until `close`."""

    def __init__(self, folder: Path) -> None:
        jar = io.BytesIO()
        with zipfile.ZipFile(jar, "w") as archive:
            archive.writestr("prices.properties", "apple=3\n")
        below = folder / "shop/prices"
        write(below / "1.2/prices-1.2.pom", _LIBRARY)
        write(below / "maven-metadata.xml", _METADATA)
        (below / "1.2/prices-1.2.jar").write_bytes(jar.getvalue())
        handler = functools.partial(Quiet, directory=str(folder))
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"

    def close(self) -> None:
        """Connections are refused from now on."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    made = Repository(tmp_path / "repository")
    yield made
    made.close()


@pytest.mark.skipif(maven() is None, reason="there is no Maven (mvn) on this machine")
def test_maven_has_what_it_fetched_before(tmp_path: Path, repository: Repository) -> None:
    root = tmp_path / "shop"
    pom = f"""\
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
<repositories><repository><id>shop</id><url>{repository.url}</url></repository></repositories>
<dependencies><dependency><groupId>shop</groupId><artifactId>prices</artifactId>
<version>%s</version></dependency></dependencies></project>
"""
    write(root / "pom.xml", pom % "1.2")
    write(root / ".mvn/maven.config", f"-Dmaven.repo.local={tmp_path / 'fetched'}\n")
    write(root / "src/main/java/Main.java", "class Main { }\n")
    with projects.find(root) as project:
        before = project.class_path
        assert before[-1].name == "prices-1.2.jar"
        repository.close()
        write(root / "pom.xml", pom % "1.2" + "<!-- asked again -->\n")
        told: list[str] = []
        assert project.layout(projects.Work(told.append)).sets[0].class_path == before
        assert told[:1] == ["Maven: reading shop"]
        write(root / "pom.xml", pom % "1.3")
        with pytest.raises(projects.BuildError, match=r"shop:prices:jar:1\.3"):
            project.layout()


@pytest.mark.skipif(shutil.which("gradle") is None, reason="there is no Gradle on this machine")
def test_gradle_is_asked_again_offline(
    tmp_path: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADLE_USER_HOME", str(tmp_path / "gradle"))
    root = tmp_path / "shop"
    build = f"""\
apply plugin: 'java'
repositories {{ maven {{ url '{repository.url}' }} }}
dependencies {{ compile 'shop:prices:%s' }}
configurations.all {{ resolutionStrategy.cacheDynamicVersionsFor 0, 'seconds' }}
"""
    write(root / "settings.gradle", "rootProject.name = 'shop'\n")
    write(root / "gradle.properties", "org.gradle.daemon=false\n")
    write(root / "build.gradle", build % "1.+")
    write(root / "src/main/java/Main.java", "class Main { }\n")
    with projects.find(root) as project:
        before = project.class_path
        assert before[-1].name == "prices-1.2.jar"
        repository.close()
        write(root / "build.gradle", build % "1.+" + "// asked again\n")
        told: list[str] = []
        assert project.layout(projects.Work(told.append)).sets[0].class_path == before
        assert "Gradle: again, offline" in told
        write(root / "build.gradle", build % "1.3")
        with pytest.raises(projects.BuildError, match=r"shop:prices:1\.3"):
            project.layout()
