# SPDX-License-Identifier: Apache-2.0
"""TLS 1.3 in front of what we serve, and the proof of a token that is bound to its certificate.

Owns the certificate of this user's servers (`certificate`), those that this user has met
(`known_certificates`), and both sides of the exchange in docs/reference/tokens.md: `client` and
`admission`. Used by the JDWP transport, the relay and the servers of front ends. Nothing here knows
JDWP. Begin with `client`. Imports `ssl` where a connection is made.
"""
