# SPDX-License-Identifier: Apache-2.0
"""What differs between operating systems, processors and C libraries, below everything else.

Owns the names of platforms and which of them a file is built for (`binaries`), and what POSIX and
Windows do in different ways: paths, files, programs, processes, pipes, signals. Nothing outside of
this package asks for the name of the system; a house test checks that. Called by all packages.
Begin with `system`.
"""
