# SPDX-License-Identifier: Apache-2.0
"""What several tests share: JDKs, debuggees, the matrix, clients, and fake peers.

Begin reading with `debuggees` (programs to debug, lines by `// @marker`) and `matrix` (which pairs
of agent and JDK), then with the client of the layer that a test is about:

- `sessions`: the Python API; `stop_at(session, program, "marker")`
- `dap_client`: the DAP adapter
- `jdwp_client`, `jdwp_session`: an agent, on the wire
- `fake_vm` and `fake_*`: a VM that is not there, for the core alone
- `stub_core` and `stub_*`: a core that is not there, for the adapter alone
"""
