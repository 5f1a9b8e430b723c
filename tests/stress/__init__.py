# SPDX-License-Identifier: Apache-2.0
"""Random valid commands at a busy program: see player.py for what is done, running.py for how.

`python -m tests.stress --seed N --seconds S --jdk 25` plays one game again; a failing test prints
its seed. `tools/stressed.py` (make stress, make tsan) plays longer ones with sanitizers.
"""
