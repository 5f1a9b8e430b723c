# SPDX-License-Identifier: Apache-2.0
"""The conversations, one module for each topic; `registry.py` finds them all."""
