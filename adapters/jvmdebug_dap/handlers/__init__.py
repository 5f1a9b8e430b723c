# SPDX-License-Identifier: Apache-2.0
"""What each DAP request does: one module per group of requests.

A handler is an async function with `@request`: it calls the session and `convert`. Parsing, states,
cancelling and errors are the router's. `requests.load_handlers` imports all modules. Begin with
`execution`.
"""
