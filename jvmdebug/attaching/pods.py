# SPDX-License-Identifier: Apache-2.0
"""The JVM in a pod of Kubernetes: found, given our agent if it has none, and reached through a
forwarded port.

All goes by kubectl, with the rights that it has there. Owns the steps: the container, its shell or
that of an ephemeral container where it has none, the JVM, the agent copied in and loaded by jcmd,
which asks for a token that is made for it. Blocks: call it in a thread. Called by the session.
"""

from __future__ import annotations

import contextlib
import hashlib
import random
import re
import secrets
import shlex
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.attaching.agent_loading import ALIVE_MS, forbids_code, known_refusal, no_place
from jvmdebug.attaching.choosing import chosen
from jvmdebug.attaching.kubectl import Kubectl, NoShellError
from jvmdebug.attaching.pod_script import PLACES, SCRIPT, jvms_in
from jvmdebug.errors import LaunchError
from jvmdebug.printable import one_line
from jvmdebug.regular_file import read_bytes
from jvmdebug.tls.proofs import Token

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from jvmdebug.attaching.pod_script import PodJvm
    from jvmdebug.attaching.port_forward import PortForward
    from jvmdebug.contained_places import PodPlace

_DEFAULT: Final = "kubectl.kubernetes.io/default-container"
_BESIDE: Final = "jvmdebug-"
"""Begins the names of ephemeral containers that are used."""
_LIVES: Final = ("sleep", "86400")
_PORTS: Final = (20_000, 32_000)
_TRIES: Final = 3
_REMOVED_WITHIN_S: Final = 10.0
_PAUSE_S: Final = 0.25
_STILL_STARTS: Final = "the VM still starts"
_WAY_OUT: Final = (
    "give the container an emptyDir at /tmp, or start the program with the agent (`jvmdebug agent"
    " --option`)"
)


@dataclass(slots=True)
class WayToPod:
    """A forwarded port at which an agent in a pod can be connected to."""

    forward: PortForward
    token: Token | None
    """What the agent asks for that was loaded now; None for one that was there."""
    _clean: Callable[[], None]
    _kubectl: Kubectl
    _port: int
    _is_closed: bool = False

    def open_again(self, timeout_s: float) -> None:
        """Forward once more if that has ended. Blocks. Raises LaunchError."""
        if not self.forward.is_open:
            self.forward.close()
            self.forward = self._kubectl.forward(self._port, timeout_s)
        if self._is_closed:  # meanwhile, on another thread
            self.forward.close()
            raise LaunchError("the way to the pod is closed")

    @property
    def port(self) -> int:
        """The port on 127.0.0.1."""
        return self.forward.port

    def close(self) -> None:
        """End the forwarding, and remove the token from the pod. Blocks; raises nothing. May be
        called again.
        """
        self._is_closed = True
        with contextlib.suppress(LaunchError):
            self._clean()
        self.forward.close()


def reach_pod(
    place: PodPlace, library: Callable[[str], Path], image: str | None, *, timeout_s: float
) -> WayToPod:
    """Find the JVM, load our agent if it has none, and forward a port to its agent.

    `library` gives the agent for a platform; `image` is run as an ephemeral container where the
    container has no shell, or no jcmd. Raises LaunchError that says what is in the way, and what
    would help.
    """
    until = time.monotonic() + timeout_s
    kubectl = Kubectl(place.namespace, place.pod, until=until)
    pod = _Pod(kubectl, place, image, until)
    where, jvm = pod.found()
    agent = jvm.agent
    if agent is None or agent.is_late:
        port, token, clean = _Loading(kubectl, where, jvm, str(place)).load(library)
    else:
        port, token, clean = _port_of(jvm, str(place)), None, _nothing
    try:
        return WayToPod(kubectl.forward(port), token, clean, kubectl, port)
    except BaseException:
        with contextlib.suppress(LaunchError):
            clean()
        raise


def _nothing() -> None:
    pass


def _port_of(jvm: PodJvm, place: str) -> int:
    """The port of the agent that the JVM was started with."""
    agent = jvm.agent
    assert agent is not None
    name = f"the debug agent of {jvm.program or 'the program'} in the pod {place}"
    if agent.connects:
        raise LaunchError(f"{name} connects to a debugger (server=n) and never listens")
    port = (agent.address or "").rpartition(":")[2]
    if not agent.is_listening or not port.isdecimal():
        raise LaunchError(
            f"{name} does not listen now: another debugger is attached, and has to detach first"
        )
    return int(port)


class _Pod:
    """The pod, and the container in which questions can be asked."""

    def __init__(self, kubectl: Kubectl, place: PodPlace, image: str | None, until: float) -> None:
        self._kubectl = kubectl
        self._place = place
        self._image = image
        self._until = until

    def found(self) -> tuple[str, PodJvm]:
        """The container to ask in, and the JVM. Raises LaunchError."""
        described = self._kubectl.described()
        container = _container(described, self._place)
        subject = f"the pod {self._place}"
        try:
            jvm = chosen(self._jvms(container), self._place.program, subject)
            if jvm.jcmd or not _needs_loading(jvm):
                return container, jvm
            why = "no jcmd (its Java runtime is no JDK)"
        except NoShellError:
            why = "no shell"
        beside = _container_beside(described, container) or self._add_beside(container, why)
        jvm = chosen(self._jvms(beside), self._place.program, subject)
        if not jvm.jcmd and _needs_loading(jvm):
            raise LaunchError(
                f"cannot load the agent into {subject}: there is no jcmd in the ephemeral container"
                f" {beside}; name an image with a JDK for it"
            )
        return beside, jvm

    def _jvms(self, container: str) -> list[PodJvm]:
        return jvms_in(self._kubectl.shell(container, SCRIPT))

    def _add_beside(self, container: str, why: str) -> str:
        """A new ephemeral container that sees the processes of `container`; its name."""
        if self._image is None:
            raise LaunchError(
                f"the container {container} of the pod {self._place} has {why}: name an image with"
                " a JDK that is run beside it as an ephemeral container, --debug-image IMAGE, or"
                " start the program with the agent (`jvmdebug agent --option`)"
            )
        name = f"{_BESIDE}{secrets.token_hex(3)}"
        self._kubectl.debug(container, name, self._image, _LIVES)
        while True:
            state = _state(self._kubectl.described(), "ephemeralContainerStatuses", name)
            if "running" in state:
                return name
            waiting = state.get("waiting") or state.get("terminated") or {}
            reason = one_line(str(waiting.get("reason") or "it does not start"))
            has_failed = "terminated" in state or reason.startswith(("Err", "ImagePull", "Invalid"))
            if has_failed or time.monotonic() > self._until:
                raise LaunchError(
                    f"the ephemeral container {name} ({one_line(self._image)}) does not run:"
                    f" {reason}"
                )
            time.sleep(_PAUSE_S)


def _needs_loading(jvm: PodJvm) -> bool:
    return jvm.agent is None or jvm.agent.is_late


def _container(described: Mapping[str, Any], place: PodPlace) -> str:
    """The container that is meant. Raises LaunchError."""
    names = [str(each["name"]) for each in described.get("spec", {}).get("containers", ())]
    annotations = described.get("metadata", {}).get("annotations") or {}
    wanted = place.container or annotations.get(_DEFAULT) or (names[0] if len(names) == 1 else "")
    shown = one_line(", ".join(names))
    if not wanted:
        raise LaunchError(
            f"the pod {place} has several containers: {shown}; write"
            f" {place.namespace}/{place.pod}/CONTAINER"
        )
    if wanted not in names:
        raise LaunchError(
            f"the pod {place.namespace}/{place.pod} has no container {wanted}: it has {shown}"
        )
    state = _state(described, "containerStatuses", wanted)
    if "running" not in state:
        waiting = state.get("waiting") or state.get("terminated") or {}
        phase = described.get("status", {}).get("phase")
        why = one_line(str(waiting.get("reason") or phase or "unknown"))
        raise LaunchError(f"the container {wanted} of the pod {place} does not run: {why}")
    return str(wanted)


def _state(described: Mapping[str, Any], kind: str, name: str) -> dict[str, Any]:
    for each in described.get("status", {}).get(kind) or ():
        if each.get("name") == name:
            return each.get("state") or {}
    return {}


def _container_beside(described: Mapping[str, Any], container: str) -> str | None:
    """An ephemeral container of ours that runs already, and sees the processes of this one."""
    for each in described.get("spec", {}).get("ephemeralContainers") or ():
        name = str(each.get("name"))
        is_ours = name.startswith(_BESIDE) and each.get("targetContainerName") == container
        if is_ours and "running" in _state(described, "ephemeralContainerStatuses", name):
            return name
    return None


class _Loading:
    """Our agent, copied into a pod and loaded there."""

    def __init__(self, kubectl: Kubectl, container: str, jvm: PodJvm, place: str) -> None:
        self._kubectl = kubectl
        self._container = container
        self._jvm = jvm
        self._subject = f"cannot load the agent into process {jvm.own_pid} of the pod {place}"

    def load(self, library: Callable[[str], Path]) -> tuple[int, Token, Callable[[], None]]:
        """The port where it listens, its token, and what removes that from the pod."""
        jvm = self._jvm
        if jvm.asker not in (0, jvm.user):
            raise LaunchError(
                f"{self._subject}: it is of user {jvm.user}, and kubectl exec runs as user"
                f" {jvm.asker}; a JVM lets only its own user and root attach"
            )
        if PLACES[0] not in jvm.writable:
            raise LaunchError(
                f"{self._subject}: its VM makes a socket in /tmp, which cannot be written to;"
                f" {_WAY_OUT}"
            )
        place = self._place_for_code()
        try:
            content = read_bytes(library(jvm.platform))
        except LaunchError as error:
            raise LaunchError(f"{self._subject}: {error}") from error
        code = f"{place}/.jvmdebug-{hashlib.sha256(content).hexdigest()[:16]}.so"
        secret = f"{place}/.jvmdebug-{secrets.token_hex(8)}.token"
        token = Token(secrets.token_urlsafe(32).encode(), "the token that was made for the pod")
        self._write(code, content, "644")
        try:
            self._write(secret, token.secret, "600")
            return self._load(code, secret), token, lambda: self._remove(secret)
        except BaseException:
            with contextlib.suppress(LaunchError):
                self._remove(secret)
            raise
        finally:
            with contextlib.suppress(LaunchError):
                self._remove(code)

    def _place_for_code(self) -> str:
        refused = [each for each in PLACES if forbids_code(each, self._jvm.mounts)]
        for each in self._jvm.writable:
            if each not in refused:
                return each
        raise LaunchError(f"{self._subject}: {no_place(PLACES, refused)}; {_WAY_OUT}")

    def _write(self, path: str, content: bytes, mode: str) -> None:
        """Write a file of the JVM's user, whole or not at all. Raises LaunchError."""
        seen = shlex.quote(self._jvm.root + path)
        owner = f" && chown {self._jvm.user} {seen}.part" if self._jvm.asker == 0 else ""
        self._kubectl.shell(
            self._container,
            f"umask 077; rm -f {seen}.part; cat >{seen}.part && chmod {mode} {seen}.part{owner}"
            f" && mv -f {seen}.part {seen}",
            content,
        )

    def _remove(self, path: str) -> None:
        script = f"rm -f {shlex.quote(self._jvm.root + path)}"
        # The time to attach may be long over when the session ends.
        self._kubectl.shell(self._container, script, timeout_s=_REMOVED_WITHIN_S)

    def _shared_socket(self) -> str:
        """What has jcmd find the socket of the VM from beside it: before 17.0.16 and 21.0.7 it
        looks into its own `/tmp` if both count processes alike (JDK-8342449).
        """
        if not self._jvm.root:
            return ""
        name = f"/tmp/.java_pid{self._jvm.own_pid}"  # noqa: S108 - HotSpot's place
        return f"ln -sf {self._jvm.root}{name} {name}; "

    def _load(self, code: str, secret: str) -> int:
        """The port where the agent listens. Raises LaunchError."""
        why = ""
        for _ in range(_TRIES):
            port = random.randrange(*_PORTS)  # noqa: S311 - it is no secret
            options = (
                f"transport=dt_socket,server=y,suspend=n,quiet=y,timeout={ALIVE_MS}"
                f",address=127.0.0.1:{port},token-file={secret}"
            )
            script = (
                f"{self._shared_socket()}{shlex.quote(self._jvm.jcmd)} {self._jvm.pid}"
                f" JVMTI.agent_load {code} '\"{options}\"' 2>&1 || true"
            )
            told = self._kubectl.shell(self._container, script).decode(errors="replace")
            returned = re.search(r"^return code: (-?\d+)\s*$", told, re.MULTILINE)
            if returned is not None and int(returned[1]) == 0:
                return port
            why = known_refusal(told) or _first_error(told)
            if returned is None and why != _STILL_STARTS:
                break
        raise LaunchError(f"{self._subject}: {why}")


def _first_error(told: str) -> str:
    """What jcmd says, without the number of the process before it and the Java stack behind it."""
    lines = [each for each in told.splitlines()[1:] if not each.startswith("\tat ")]
    return one_line(" ".join(lines).strip() or told.strip() or "jcmd says nothing")
