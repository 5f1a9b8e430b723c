# SPDX-License-Identifier: Apache-2.0
"""One module per group of DAP requests; `requests.load_handlers` imports all of them."""
