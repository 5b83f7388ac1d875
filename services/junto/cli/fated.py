"""Run a program that ends when the process that started it ends, however that happens.

Run as a script, by its path: `python -I -S fated.py PARENT PROGRAM ARGUMENT...`. Linux is asked to send
SIGTERM when the parent is gone; elsewhere the program just runs. It imports nothing of Junto, because it
starts in a few milliseconds that way, and it asks before the program runs, so that nothing has to be run
between fork and exec.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Tie this process to its parent, then become the program."""
    parent, *command = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
        if os.getppid() != int(parent):  # it was gone before we asked
            sys.exit(0)
    try:
        os.execvp(command[0], command)  # noqa: S606  # the supervisor's own command line, no shell
    except OSError as error:
        sys.exit(f"cannot run {command[0]}: {error.strerror}")


if __name__ == "__main__":
    main()
