"""What the process of a seat cannot reach, by the Linux kernel: other processes, the network, files to write.

Landlock (Linux 5.13 and later) lets it read what it needs to run and write nothing, and keeps it from looking into any
other process, also one of the same user, also as root. A seccomp filter keeps it from starting processes, from opening
sockets, from signalling any process but itself, and from leaving marks on files and processes that others could find.
All holds for good, for all its threads. A kernel without one of them does without: see `Fences`.

https://docs.kernel.org/userspace-api/landlock.html, https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import stat
import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_TELL_VERSION: Final = 1
_PATH_BENEATH: Final = 1
_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_FILE_RIGHTS: Final = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""How many rights over files each version of Landlock knows: so many bits are handled. Later ones know no more."""
_NETWORK_SINCE, _SCOPES_SINCE = 4, 6
_BOTH: Final = 0b11
"""Binding and connecting; abstract Unix sockets and signals."""

_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER_MODE = 38, 22, 2
_LOAD, _JUMP_EQUAL, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT, _SECOND_ARGUMENT_AT = 0, 4, 16, 24
_ALLOW: Final = 0x7FFF0000
_FAIL: Final = 0x00050000
_CLONE_THREAD: Final = 0x00010000
_X32: Final = 0x40000000
"""A bit of the numbers by which a 64-bit process makes calls of another kind."""
_LOCKING: Final = (6, 7, 8, 10, 15, 37, 38, 1024, 1026)
"""Of `fcntl`: locks, leases and watches, which others could look at, and signals for whoever it names."""
_ASKING: Final = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""Of `ioctl`: what kind of terminal it is, how much can be read, and flags of descriptors. Others change files."""
_CAPABILITIES_3: Final = 0x20080522
_MAY_READ_ALL: Final = 1 << 2
"""What is left of root's powers: strategies may be somebody else's files."""


@dataclass(frozen=True, slots=True)
class _Calls:
    """The numbers of system calls: `clone` is for threads only, `clone3` is not there, others are refused.

    Those that are `to_itself` may have this process or its group as their first argument, and nothing else. Most of
    what is refused would change what other seats can look at, and so pass a note to them: the times and modes of files,
    the CPUs and limits of other processes.
    """

    architecture: int
    clone: int
    fcntl: int
    ioctl: int
    capget: int
    capset: int
    to_itself: tuple[int, ...]
    refused: tuple[int, ...]
    clone3: int = 435


class _Step(NamedTuple):
    """One step of a filter: what it does, with what number; where to go on if that holds, and if not; its own name."""

    code: int
    value: int
    yes: str = ""
    no: str = ""
    name: str = ""


_CALLS: Final = {
    "x86_64": _Calls(
        0xC000003E,
        clone=56,
        fcntl=72,
        ioctl=16,
        capget=125,
        capset=126,
        to_itself=(
            *(62, 234, 302, 434),  # kill, tgkill, prlimit64, pidfd_open
            *(142, 143, 144, 145, 148),  # sched_setparam, _getparam, _setscheduler, _getscheduler, _rr_get_interval
            *(203, 204, 315),  # sched_setaffinity, sched_getaffinity, sched_getattr
        ),
        refused=(
            *(129, 200, 297, 424),  # rt_sigqueueinfo, tkill, rt_tgsigqueueinfo, pidfd_send_signal
            *(57, 58, 59, 322),  # fork, vfork, execve, execveat
            *(41, 425),  # socket, io_uring_setup
            *(101, 310, 311, 438),  # ptrace, process_vm_readv, process_vm_writev, pidfd_getfd
            *(29, 30, 64, 68, 240),  # shmget, shmat, semget, msgget, mq_open
            *(31, 65, 66, 220, 69, 70, 71),  # shmctl, semop, semctl, semtimedop, msgsnd, msgrcv, msgctl
            *(90, 91, 268, 452, 92, 93, 94, 260),  # chmod, fchmod, fchmodat, fchmodat2, chown, fchown, lchown, fchownat
            *(132, 235, 261, 280, 469),  # utime, utimes, futimesat, utimensat, file_setattr
            *(188, 189, 190, 463, 197, 198, 199, 466),  # setxattr, l-, f-, -at; removexattr, l-, f-, -at
            *(73, 253, 294, 254, 300),  # flock, inotify_init, inotify_init1, inotify_add_watch, fanotify_init
            *(141, 251, 314, 256),  # setpriority, ioprio_set, sched_setattr, migrate_pages
            *(248, 249, 250, 298, 321, 323),  # add_key, request_key, keyctl, perf_event_open, bpf, userfaultfd
            *(165, 272, 304, 308),  # mount, unshare, open_by_handle_at, setns
        ),
    ),
    "aarch64": _Calls(
        0xC00000B7,
        clone=220,
        fcntl=25,
        ioctl=29,
        capget=90,
        capset=91,
        to_itself=(
            *(129, 131, 261, 434),  # kill, tgkill, prlimit64, pidfd_open
            *(118, 121, 119, 120, 127),  # sched_setparam, _getparam, _setscheduler, _getscheduler, _rr_get_interval
            *(122, 123, 275),  # sched_setaffinity, sched_getaffinity, sched_getattr
        ),
        refused=(
            *(138, 130, 240, 424),  # rt_sigqueueinfo, tkill, rt_tgsigqueueinfo, pidfd_send_signal
            *(221, 281),  # execve, execveat
            *(198, 425),  # socket, io_uring_setup
            *(117, 270, 271, 438),  # ptrace, process_vm_readv, process_vm_writev, pidfd_getfd
            *(194, 196, 190, 186, 180),  # shmget, shmat, semget, msgget, mq_open
            *(195, 193, 191, 192, 189, 188, 187),  # shmctl, semop, semctl, semtimedop, msgsnd, msgrcv, msgctl
            *(52, 53, 452, 54, 55),  # fchmod, fchmodat, fchmodat2, fchownat, fchown
            *(88, 469),  # utimensat, file_setattr
            *(5, 6, 7, 463, 14, 15, 16, 466),  # setxattr, l-, f-, -at; removexattr, l-, f-, -at
            *(32, 26, 27, 262),  # flock, inotify_init1, inotify_add_watch, fanotify_init
            *(140, 30, 274, 238),  # setpriority, ioprio_set, sched_setattr, migrate_pages
            *(217, 218, 219, 241, 280, 282),  # add_key, request_key, keyctl, perf_event_open, bpf, userfaultfd
            *(40, 97, 265, 268),  # mount, unshare, open_by_handle_at, setns
        ),
    ),
}
_library = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class Fences:
    """Which fences this kernel has: the version of Landlock (0: none), and whether system calls are filtered."""

    landlock: int
    seccomp: bool


def fences() -> Fences:
    """Return what this kernel has."""
    version = int(_library.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _TELL_VERSION))
    has_filters = "Seccomp:" in Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    return Fences(max(version, 0), has_filters and platform.machine() in _CALLS)


class Fence:
    """What may be read, made once; whoever is `shut_in` may not do anything else with files.

    `readable` are files, and folders with all that is in them; of `listed` folders the names in them can be seen.
    """

    def __init__(self, readable: Iterable[Path], listed: Iterable[Path] = ()) -> None:
        self._fences = fences()
        self._rules = -1
        if self._fences.landlock:
            self._rules = _ruleset(self._fences.landlock)
            for path in readable:
                self._allow(path, _READ_FILE | _READ_DIR)
            for path in listed:
                self._allow(path, _READ_DIR)
            self._allow(Path(os.devnull), _READ_FILE | _WRITE_FILE)

    def shut_in(self) -> None:
        """Shut this process in, for good.

        Raises:
            OSError: the kernel refuses.
        """
        _called(_library.prctl(_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), 0, 0, 0))
        if self._fences.landlock:
            _called(_library.syscall(_RESTRICT_SELF, self._rules, 0))
        if self._fences.seccomp:
            _drop_powers(_CALLS[platform.machine()])
            _filter_calls(_CALLS[platform.machine()])

    def _allow(self, path: Path, rights: int) -> None:
        with suppress(FileNotFoundError, PermissionError, NotADirectoryError):
            opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
            try:
                if not stat.S_ISDIR(os.fstat(opened).st_mode):
                    rights &= ~_READ_DIR
                rule = struct.pack("<Qi", rights, opened)
                _called(_library.syscall(_ADD_RULE, self._rules, _PATH_BENEATH, rule, 0))
            finally:
                os.close(opened)


def _ruleset(version: int) -> int:
    rights = (1 << _FILE_RIGHTS[min(version, max(_FILE_RIGHTS))]) - 1
    handled = struct.pack("<Q", rights)
    if version >= _NETWORK_SINCE:
        handled += struct.pack("<Q", _BOTH)
    if version >= _SCOPES_SINCE:
        handled += struct.pack("<Q", _BOTH)
    return _called(_library.syscall(_CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), 0))


def _drop_powers(calls: _Calls) -> None:
    """Give up what root may do and others may not: to set the clock, to raise limits, to load modules."""
    head = struct.pack("<Ii", _CAPABILITIES_3, 0)
    now = ctypes.create_string_buffer(24)
    _called(_library.syscall(calls.capget, head, now))
    effective, permitted, *_ = struct.unpack("<6I", now.raw)
    left = struct.pack("<6I", effective & _MAY_READ_ALL, permitted & _MAY_READ_ALL, 0, 0, 0, 0)
    _called(_library.syscall(calls.capset, head, left))


def _filter_calls(calls: _Calls) -> None:
    """Refuse system calls of this process and its threads, by a program of the Berkeley packet filter."""
    steps = [
        _Step(_LOAD, _ARCHITECTURE_AT),
        _Step(_JUMP_EQUAL, calls.architecture, no="refuse"),
        _Step(_LOAD, _NUMBER_AT),
        _Step(_JUMP_ANY_BIT, _X32, yes="refuse"),
        *(_Step(_JUMP_EQUAL, number, yes="refuse") for number in calls.refused),
        *(_Step(_JUMP_EQUAL, number, yes="itself") for number in calls.to_itself),
        _Step(_JUMP_EQUAL, calls.fcntl, yes="fcntl"),
        _Step(_JUMP_EQUAL, calls.ioctl, yes="ioctl"),
        _Step(_JUMP_EQUAL, calls.clone3, yes="missing"),
        _Step(_JUMP_EQUAL, calls.clone, yes="thread", no="allow"),
        _Step(_LOAD, _FIRST_ARGUMENT_AT, name="itself"),
        _Step(_JUMP_EQUAL, os.getpid(), yes="allow"),
        _Step(_JUMP_EQUAL, 0, yes="allow", no="refuse"),
        _Step(_LOAD, _SECOND_ARGUMENT_AT, name="fcntl"),
        *(_Step(_JUMP_EQUAL, what, yes="refuse") for what in _LOCKING),
        _Step(_RETURN, _ALLOW),
        _Step(_LOAD, _SECOND_ARGUMENT_AT, name="ioctl"),
        *(_Step(_JUMP_EQUAL, what, yes="allow") for what in _ASKING),
        _Step(_RETURN, _FAIL | errno.EPERM),
        _Step(_LOAD, _FIRST_ARGUMENT_AT, name="thread"),
        _Step(_JUMP_ANY_BIT, _CLONE_THREAD, yes="allow", no="refuse"),
        _Step(_RETURN, _FAIL | errno.ENOSYS, name="missing"),  # so that threads are begun by `clone`, flags in sight
        _Step(_RETURN, _FAIL | errno.EPERM, name="refuse"),
        _Step(_RETURN, _ALLOW, name="allow"),
    ]
    code = ctypes.create_string_buffer(b"".join(_assembled(steps)))
    head = struct.pack("@HP", len(steps), ctypes.addressof(code))
    _called(_library.prctl(_SET_SECCOMP, ctypes.c_ulong(_FILTER_MODE), head, 0, 0))


def _assembled(steps: Sequence[_Step]) -> Iterator[bytes]:
    places = {step.name: place for place, step in enumerate(steps) if step.name}
    for place, step in enumerate(steps):
        yes, no = (places[name] - place - 1 if name else 0 for name in (step.yes, step.no))
        yield struct.pack("<HBBI", step.code, yes, no, step.value)


def _called(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
