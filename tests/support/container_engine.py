# SPDX-License-Identifier: Apache-2.0
"""A stand-in for a container engine: the two requests of the Engine API that jvmdebug sends, over a
UNIX-domain socket.

Owns the server, in a thread. Called by the tests of attaching to containers.
"""

from __future__ import annotations

import json
import socketserver
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


@contextmanager
def engine(path: Path, containers: Mapping[str, Mapping[str, Any]]) -> Iterator[Path]:
    """Serves these states (`Running`, `Pid`, `Status`) by the names of containers, at that path."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.removeprefix("/containers/").removesuffix("/json")
            if self.path == "/containers/json":
                self._answer(200, [{"Names": [f"/{each}"]} for each in containers])
            elif name in containers:
                self._answer(200, {"Id": "0" * 64, "Name": f"/{name}", "State": containers[name]})
            else:
                self._answer(404, {"message": f"No such container: {name}"})

        def _answer(self, status: int, content: object) -> None:
            body = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def address_string(self) -> str:
            return "unix"

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    with socketserver.ThreadingUnixStreamServer(str(path), Handler) as server:
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        serving.start()
        try:
            yield path
        finally:
            server.shutdown()
            serving.join()
