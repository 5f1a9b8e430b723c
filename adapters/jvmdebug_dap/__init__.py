# SPDX-License-Identifier: Apache-2.0
"""The DAP server: an editor debugs Java through jvmdebug."""
