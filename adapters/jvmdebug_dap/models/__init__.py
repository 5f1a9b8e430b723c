# SPDX-License-Identifier: Apache-2.0
"""The contents of DAP messages, as pydantic models.

`generated` follows the official schema (tools/dap_models.py writes it); `launch` and `custom` are
ours, because the schema leaves launch attributes and custom requests open. Handlers and `convert`
use these; nothing here knows the debugger.
"""
