# SPDX-License-Identifier: Apache-2.0
"""Third-party debuggers, unchanged, with our library in a copied JDK."""
