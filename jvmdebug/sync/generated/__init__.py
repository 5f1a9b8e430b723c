# SPDX-License-Identifier: Apache-2.0
"""Written by tools/sync_api.py from the asynchronous API: `make generate`."""
