# SPDX-License-Identifier: Apache-2.0
"""Compares the agent's digests with Python's on random input, of all lengths up to four blocks.

Usage: `python compare_digests.py PROGRAM [SEED]`. Run by ctest.
"""

import hashlib
import hmac
import random
import subprocess
import sys

_MOST = 300
"""Bytes of a key or a message: more than four blocks."""


def main(program: str, seed: int) -> int:
    """Print what differs; 1 if something does."""
    made = random.Random(seed)  # noqa: S311 - so that a failure can be repeated
    pairs = [
        (made.randbytes(made.randrange(_MOST)), made.randbytes(size))
        for size in (*range(_MOST), *(made.randrange(100_000) for _ in range(10)))
    ]
    lines = "".join(f"{key.hex() or '-'} {message.hex() or '-'}\n" for key, message in pairs)
    ran = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)  # noqa: S603
    got = ran.stdout.splitlines()
    expected = [
        f"{hashlib.sha256(message).hexdigest()} {hmac.new(key, message, 'sha256').hexdigest()}"
        for key, message in pairs
    ]
    wrong = [
        index for index, pair in enumerate(zip(got, expected, strict=True)) if len({*pair}) > 1
    ]
    for index in wrong:
        key, message = pairs[index]
        print(f"seed {seed}: a key of {len(key)} bytes, a message of {len(message)}: {got[index]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1))
