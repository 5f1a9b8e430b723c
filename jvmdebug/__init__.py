# SPDX-License-Identifier: Apache-2.0
"""The core of jvmdebug: debug a Java program from Python."""
