# SPDX-License-Identifier: Apache-2.0
"""Between the core's objects and DAP's: the only modules that import both sides."""
