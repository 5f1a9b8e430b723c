# SPDX-License-Identifier: Apache-2.0
"""What differs between operating systems, processors and C libraries, below everything else.

Owns the names of platforms and which of them a file is built for (`binaries`). Nothing outside this
package asks for the name of the system, a house test checks that. Called by all packages.
"""
