# SPDX-License-Identifier: Apache-2.0
"""A program that tells, when it is asked, what reflection and another agent see of its classes.

Owns its class files, which have each attribute of the specification that a class can have, and
asking it. Where its classes are changed is up to the tests.
"""

from __future__ import annotations

import asyncio
import dataclasses
import os
import zipfile
from typing import TYPE_CHECKING, Final

from jvmdebug.attaching.attach_protocol import ask, attach_target
from jvmdebug.classfile.attributes import Code
from jvmdebug.classfile.class_file import Attribute, ClassFile, Member
from jvmdebug.classfile.constant_pool import ConstantPool
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.jdks import Jdk

ANSWER_TIMEOUT_S: Final = 40.0
UNKNOWN: Final = "jvmdebug.Unknown"
FIRST_WITH_RECORDS: Final = 17
_FIRST_THAT_WARNS: Final = 21
_MANIFEST: Final = """Manifest-Version: 1.0
Premain-Class: attributes.Asked
Agent-Class: attributes.Asked
Can-Retransform-Classes: true

"""
_CLASSES: Final = (
    "Everything",
    "Everything$1",
    "Everything$1Local",
    "Everything$Inner",
    "Everything$Other",
    "Everything$Other$1",
    "Everything$Named",
    "Everything$Named$1",
    "Contract",
    "Marks$Seen",
)
_NEWER_CLASSES: Final = ("Newer", "Newer$Point", "Newer$Shape", "Newer$Round")
_METHODS: Final = (
    "Everything#touch",
    "Everything$1#toString",
    "Everything$1Local#both",
    "Everything$Inner#sum",
    "Everything$Other$1#hashCode",
    "Everything$Named#word",
    "Everything$Named$1#word",
    "Contract#made",
)
_NEWER_METHODS: Final = ("Newer#touch", "Newer$Point#name", "Newer$Round#name")


class Program:
    """The program, before it runs and while it does. It works in a folder."""

    def __init__(self, jdk: Jdk, folder: Path) -> None:
        is_new = jdk.version >= FIRST_WITH_RECORDS
        topic = "attributes_new" if is_new else "attributes"
        made = debuggee(topic, "attributes.Asked")
        self.classes = tuple(
            f"attributes.{each}" for each in (*_CLASSES, *(_NEWER_CLASSES if is_new else ()))
        )
        self.methods = tuple(
            f"attributes.{each}" for each in (*_METHODS, *(_NEWER_METHODS if is_new else ()))
        )
        """One to set a breakpoint in, of each class that has such methods. None of them is run."""
        self.folder = folder
        self.class_files = {
            each: _with_more(made.class_path[0] / f"{each.replace('.', '/')}.class")
            for each in self.classes
        }
        self._patched = folder / "classes"
        (self._patched / "attributes").mkdir(parents=True)
        for name, content in self.class_files.items():
            self.path_of(name).write_bytes(content)
        for name in ("early", "late"):
            (folder / name).mkdir()
        self.debuggee = dataclasses.replace(made, class_path=(self._patched, *made.class_path))
        self._jar = folder / "asked.jar"
        with zipfile.ZipFile(self._jar, "w") as file:
            file.writestr("META-INF/MANIFEST.MF", _MANIFEST)
        quiet = ["-XX:+EnableDynamicAgentLoading"] if jdk.version >= _FIRST_THAT_WARNS else []
        self.vm_args = [f"-javaagent:{self._jar}={folder / 'early'}", *quiet]
        self.args = [str(folder), *self.classes]

    def path_of(self, name: str) -> Path:
        """The class file on the class path."""
        return self._patched / f"{name.replace('.', '/')}.class"

    def command(self, jdk: Jdk) -> list[str]:
        """How it is started without a debugger."""
        class_path = os.pathsep.join(map(str, self.debuggee.class_path))
        return [
            str(jdk.java),
            *self.vm_args,
            "-cp",
            class_path,
            self.debuggee.main_class,
            *self.args,
        ]

    async def ask(self, command: str) -> str:
        """What it answers."""
        answer = self.folder / "answer"
        writing = self.folder / "asking"
        writing.write_text(command)
        writing.rename(self.folder / "ask")
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            while not answer.exists():  # noqa: ASYNC110 - it is written by another process
                await asyncio.sleep(0.005)
        text = answer.read_text()
        answer.unlink()
        return text

    async def end(self) -> None:
        """Have it end; it says nothing any more."""
        (self.folder / "ask").write_text("end")

    async def listen(self, pid: int) -> None:
        """Load another agent, whose hook sees what the debugger gives the VM from now on."""
        loading = ("load", "instrument", "false", f"{self._jar}={self.folder / 'late'}")
        reply = await asyncio.to_thread(ask, attach_target(pid), *loading, timeout_s=30)
        assert reply.text.strip().endswith("0"), reply

    async def changed(self, wanted: set[str]) -> None:
        """Wait until each of these classes has been changed since this was asked last."""
        seen: set[str] = set()
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            while not wanted <= seen:
                answer = await self.ask("changes")
                seen |= {line.split()[0].replace("/", ".") for line in answer.splitlines()}

    def seen(self, who: str, name: str) -> bytes:
        """The class file that the hook of an agent was given last."""
        return (self.folder / who / f"{name}.class").read_bytes()


class _MoreConstants:
    """A constant pool and texts behind it."""

    def __init__(self, before: ConstantPool) -> None:
        self._before = before
        self._more: list[bytes] = []

    def text(self, text: str) -> int:
        encoded = text.encode()
        self._more.append(b"\x01" + len(encoded).to_bytes(2) + encoded)
        return self._before.count + len(self._more) - 1

    def pool(self) -> ConstantPool:
        content = self._before.raw + b"".join(self._more)
        return ConstantPool(self._before.count + len(self._more), content)


def _with_more(path: Path) -> bytes:
    """The class file, with attributes that javac does not write for any source."""
    read = ClassFile.read(path.read_bytes())
    constants = _MoreConstants(read.constants)

    def attribute(name: str, content: bytes = b"") -> Attribute:
        return Attribute(name, constants.text(name), content)

    def changed(member: Member) -> Member:
        attributes = list(member.attributes)
        code = member.attribute("Code")
        if code is not None:
            parsed = Code.read(code.content, read.constants)
            more = (*parsed.attributes, attribute(UNKNOWN, b"code"))
            whole = dataclasses.replace(parsed, attributes=more).encode()
            attributes[attributes.index(code)] = dataclasses.replace(code, content=whole)
        attributes.append(attribute(UNKNOWN, b"member"))
        if member.name in {"where", "TEXT"}:
            attributes.append(attribute("Synthetic"))
        if member.name == "where":
            # A parameter without a name, which is final and mandated.
            attributes = [each for each in attributes if each.name != "MethodParameters"]
            flags = 0x8010.to_bytes(2)
            attributes.append(attribute("MethodParameters", b"\x01\x00\x00" + flags))
        if member.name == "get":
            attributes.append(attribute("MethodParameters", b"\x00"))
        return dataclasses.replace(member, attributes=tuple(attributes))

    fields = tuple(changed(each) for each in read.fields)
    methods = tuple(changed(each) for each in read.methods)
    more = [attribute(UNKNOWN, b"class")]
    if read.name.endswith("Everything"):
        more.append(attribute("SourceDebugExtension", b"SMAP\nnothing\n*E\n"))
    if read.name.endswith("$Other"):
        more.append(attribute("Synthetic"))
    return dataclasses.replace(
        read,
        fields=fields,
        methods=methods,
        attributes=(*read.attributes, *more),
        constants=constants.pool(),
    ).encode()


def attributes_of(content: bytes) -> dict[tuple[str, str, str], bytes]:
    """All of a class file: `class`, `field`, `method` or `code`, of which one, the attribute.

    With what they hold; that of Code is the instructions.
    """
    return dict(_attributes_of(ClassFile.read(content)))


def _attributes_of(read: ClassFile) -> Iterator[tuple[tuple[str, str, str], bytes]]:
    for attribute in read.attributes:
        yield ("class", read.name, attribute.name), attribute.content
    for field in read.fields:
        for attribute in field.attributes:
            yield ("field", field.name, attribute.name), attribute.content
    for method in read.methods:
        name = method.name + method.descriptor
        for attribute in method.attributes:
            if attribute.name != "Code":
                yield ("method", name, attribute.name), attribute.content
                continue
            code = Code.read(attribute.content, read.constants)
            yield ("method", name, "Code"), code.code
            for inner in code.attributes:
                yield ("code", name, inner.name), inner.content
