# SPDX-License-Identifier: Apache-2.0
"""A stand-in for kubectl, whose pods are containers of this machine.

    kubectl_stand_in.py STATE --namespace NAMESPACE get|exec|debug|port-forward ...

Runs as a program of its own, with the standard library only. STATE is a file of JSON that says
what pods there are: `{"shop/web-0": {"containers": {"web": {"pid": 4711, "user": 65534}}}}`. A pod
may have `annotations`, `waiting` (a reason), and `ephemeral` containers, which `debug` adds. Takes
the options that jvmdebug gives, and refuses others. Made by `pods.Cluster`.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

_NETWORK = 0x40000000
_NAME = 15
"""PR_SET_NAME."""


def main(words: list[str]) -> int:
    state = Path(words[0])
    parser = argparse.ArgumentParser(prog="kubectl")
    parser.add_argument("--namespace", required=True)
    commands = parser.add_subparsers(dest="command", required=True)
    getting = commands.add_parser("get")
    getting.add_argument("kind", choices=["pod", "pods"])
    getting.add_argument("pod", nargs="?")
    getting.add_argument("--output", choices=["json"], required=True)
    getting.add_argument("--selector")
    running = commands.add_parser("exec")
    running.add_argument("--stdin", action="store_true")
    running.add_argument("pod")
    running.add_argument("--container", required=True)
    debugging = commands.add_parser("debug")
    debugging.add_argument("pod")
    for each in ("--target", "--container", "--image"):
        debugging.add_argument(each, required=True)
    debugging.add_argument("--quiet", action="store_true")
    debugging.add_argument("--attach", choices=["false"])
    forwarding = commands.add_parser("port-forward")
    forwarding.add_argument("pod")
    forwarding.add_argument("ports")
    forwarding.add_argument("--address", required=True)
    at = words.index("--") if "--" in words else len(words)
    inner = words[at + 1 :]
    asked = parser.parse_args(words[1:at])
    name = f"{asked.namespace}/{(asked.pod or '').removeprefix('pod/')}"
    pods = json.loads(state.read_text())
    if asked.command == "get" and asked.pod is None:
        print(json.dumps({"items": [_described(pods[each], each) for each in pods]}))
        return 0
    pod = pods.get(name)
    if pod is None:
        return _fail(f'Error from server (NotFound): pods "{name.partition("/")[2]}" not found')
    if asked.command == "get":
        print(json.dumps(_described(pod, name)))
        return 0
    if asked.command == "debug":
        return _debug(state, pods, pod, asked, inner)
    if asked.command == "exec":
        known = {**pod["containers"], **pod.get("ephemeral", {})}
        return _exec(known[asked.container], inner)
    return _forward(pod, int(asked.ports.removeprefix(":")))


def _fail(text: str) -> int:
    print(text, file=sys.stderr)
    return 1


def _described(pod: dict[str, Any], name: str) -> dict[str, Any]:
    running = {"waiting": {"reason": pod["waiting"]}} if "waiting" in pod else {"running": {}}
    beside = pod.get("ephemeral", {})
    return {
        "metadata": {
            "name": name.partition("/")[2],
            "annotations": pod.get("annotations", {}),
            "labels": pod.get("labels", {}),
        },
        "spec": {
            "containers": [{"name": each} for each in pod["containers"]],
            "ephemeralContainers": [
                {"name": each, "targetContainerName": beside[each]["target"]} for each in beside
            ],
        },
        "status": {
            "phase": "Running",
            "containerStatuses": [{"name": each, "state": running} for each in pod["containers"]],
            "ephemeralContainerStatuses": [
                {"name": each, "state": beside[each]["state"]} for each in beside
            ],
        },
    }


def _exec(container: dict[str, Any], words: list[str]) -> int:
    pid, user = container["pid"], str(container["user"])
    enter = ["nsenter", "-t", str(pid), "-m", "-p", "-n", "-r", "-w", "-S", user, "-G", user, "--"]
    done = subprocess.run([*enter, *words], stdin=sys.stdin, stderr=subprocess.PIPE, check=False)
    if done.returncode == 127:
        return _fail(
            "error: Internal error occurred: error executing command in container: OCI runtime exec"
            f' failed: exec failed: unable to start container process: exec: "{words[0]}":'
            " executable file not found in $PATH: unknown"
        )
    sys.stderr.buffer.write(done.stderr)
    if done.returncode:
        _fail(f"command terminated with exit code {done.returncode}")
    return done.returncode


def _debug(
    state: Path, pods: dict[str, Any], pod: dict[str, Any], asked: argparse.Namespace,
    words: list[str],
) -> int:  # fmt: skip
    beside = pod.setdefault("ephemeral", {})
    made: dict[str, Any] = {"target": asked.target, "user": 0}
    if asked.image == "none":
        made["state"] = {"waiting": {"reason": "ErrImagePull"}}
    else:
        target = str(pod["containers"][asked.target]["pid"])
        script = f"mount -t proc proc /proc; exec {' '.join(words)}"
        enter = [
            "nsenter",
            "-t",
            target,
            "-p",
            "-n",
            "--",
            "unshare",
            "--mount",
            "sh",
            "-c",
            script,
        ]
        running = subprocess.Popen(
            enter,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
        until = time.monotonic() + 10
        while not _runs(found := children.read_text().strip(), words[0]):
            if time.monotonic() > until:
                return _fail("the ephemeral container does not start")
            time.sleep(0.005)
        made |= {"pid": int(found), "state": {"running": {}}}
    beside[asked.container] = made
    state.write_text(json.dumps(pods))
    return 0


def _runs(pid: str, command: str) -> bool:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().startswith(command.encode())
    except OSError:
        return False


def _forward(pod: dict[str, Any], port: int) -> int:
    pid = next(iter(pod["containers"].values()))["pid"]
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(f"Forwarding from 127.0.0.1:{listening.getsockname()[1]} -> {port}", flush=True)
        while True:
            here, _ = listening.accept()
            print(f"Handling connection for {listening.getsockname()[1]}", flush=True)
            threading.Thread(target=_serve, args=(here, pid, port), daemon=True).start()


def _serve(here: socket.socket, pid: int, port: int) -> None:
    with Path(f"/proc/{pid}/ns/net").open() as network:
        ctypes.CDLL(None).setns(network.fileno(), _NETWORK)
    try:
        there = socket.create_connection(("127.0.0.1", port))
    except OSError as error:
        print(f"error forwarding port {port}: {error}", file=sys.stderr)
        here.close()
        return
    back = threading.Thread(target=_pump, args=(there, here), daemon=True)
    back.start()
    _pump(here, there)
    back.join()


def _pump(source: socket.socket, to: socket.socket) -> None:
    try:
        while piece := source.recv(65536):
            to.sendall(piece)
        to.shutdown(socket.SHUT_WR)
    except OSError:
        for each in (source, to):
            each.close()


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    ctypes.CDLL(None).prctl(_NAME, b"kubectl")
    sys.exit(main(sys.argv[1:]))
