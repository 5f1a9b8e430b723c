# SPDX-License-Identifier: Apache-2.0
"""Debuggers of other makers, unchanged, with our library in a copied JDK."""
