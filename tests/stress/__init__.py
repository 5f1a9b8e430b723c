# SPDX-License-Identifier: Apache-2.0
"""Random valid commands at a busy program: random_client.py says which, running.py how.

`python -m tests.stress --seed N --seconds S --jdk 25` repeats one run; a failing test prints
its seed. `make stress` and `make tsan` (tools/races.py) make longer ones.
"""
