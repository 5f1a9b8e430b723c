# SPDX-License-Identifier: Apache-2.0
"""The `jvmdebug` command."""
