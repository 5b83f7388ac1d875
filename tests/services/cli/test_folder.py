"""The data folder is one supervisor's, or is refused in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from junto.cli.console import Failure
from junto.cli.folder import Folder, FolderLock


def test_a_second_supervisor_is_refused(tmp_path: Path) -> None:
    """Who comes second learns who was first, and may have the folder after that one."""
    first, second = FolderLock(Folder(tmp_path)), FolderLock(Folder(tmp_path))
    first.take()

    with pytest.raises(Failure, match=r"another junto \(process \d+\) is using"):
        second.take()

    first.release()
    second.take()
    second.release()


def test_a_lock_that_cannot_be_opened_is_refused_in_words(tmp_path: Path) -> None:
    """A folder that this user may not write to gives a sentence, not a traceback."""
    (tmp_path / "up.lock").mkdir()

    with pytest.raises(Failure, match="cannot write to the data folder"):
        FolderLock(Folder(tmp_path)).take()
