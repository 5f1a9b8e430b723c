# SPDX-License-Identifier: Apache-2.0
"""The session: façade, states, stops, handles, events. What `jvmdebug` exports comes from here."""
