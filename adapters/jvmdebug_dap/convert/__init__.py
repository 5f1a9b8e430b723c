# SPDX-License-Identifier: Apache-2.0
"""Conversion between the core's objects and DAP's: the only modules that import both.

Functions from core objects to DAP bodies and from DAP arguments to core objects; no requests, no
state. Called by the handlers and the event pump. Begin with `frames`.
"""
