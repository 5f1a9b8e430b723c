# SPDX-License-Identifier: Apache-2.0
"""The relay as a server: connects each debugger that was admitted with the agent that it wants.

When the connection to an agent ends, the agent resumes what the debugger had suspended, and clears
its requests.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import JvmDebugError
from jvmdebug.printable import one_line
from jvmdebug.relay.link import Link
from jvmdebug.relay.permits import Permits
from jvmdebug.relay.targets import RelayTarget, chosen, connected
from jvmdebug.tls.admission import Admission, TokenFile
from jvmdebug.tls.server import TlsServer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmdebug.audit_log import AuditLog
    from jvmdebug.tls.admission import Claims
    from jvmdebug.tls.byte_stream import ByteStream
    from jvmdebug.tls.certificate import ServerCertificate
    from jvmdebug.tls.proofs import Token

_LONGEST_NAME: Final = 100


@dataclass(frozen=True, slots=True)
class RelayOptions:
    """What a relay serves, and to whom."""

    targets: Sequence[RelayTarget]
    tokens: Sequence[TokenFile]
    certificate: ServerCertificate
    longest_stop_s: float = 2.0
    """How long a debugger that may not `debug` holds the program at once."""
    agent_token: Token | None = None
    """For agents that ask for a token themselves."""
    audit: AuditLog | None = None


class Relay:
    """One server. `serve` until it is cancelled."""

    def __init__(self, options: RelayOptions) -> None:
        self._options = options
        self._server = TlsServer(
            options.certificate,
            Admission(options.tokens, options.certificate.binding),
            serve=self._serve,
            refused=lambda peer, why: self._note(peer, "refused", reason=why),
        )

    async def serve(
        self, host: str, port: int, on_listening: Callable[[str, int], None] | None = None
    ) -> None:
        """Listen at an address; port 0 takes a free one, which `on_listening` is told. Raises
        ConnectionFailed.
        """
        await self._server.listen(host, port, on_listening)

    def _note(self, peer: str, event: str, **details: str | int | None) -> None:
        if self._options.audit is not None:
            self._options.audit.write(peer, event, **details)

    async def _serve(self, stream: ByteStream, peer: str, claims: Claims) -> None:
        who = {"role": claims.role, "token": claims.token.source}
        try:
            target = chosen(self._options.targets, claims.name)
            agent = await connected(target, self._options.agent_token)
        except JvmDebugError as error:
            claims.explain(stream, str(error))
            wanted = one_line(claims.name, _LONGEST_NAME)
            self._note(peer, "refused", reason=str(error), target=wanted, **who)
            return
        who["target"] = target.name
        link = Link(
            Permits(claims.role),
            longest_s=None if claims.role == "debug" else self._options.longest_stop_s,
            note=lambda event, command: self._note(peer, event, command=command, **who),
        )
        self._note(peer, "connected", **who)
        try:
            await link.pass_on(stream, agent, lambda: claims.accept(stream))
        finally:
            link.close()
            self._note(peer, "ended", reason=link.why, **who)
