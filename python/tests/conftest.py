"""What the tests share: the shipped data, and the command to compare with."""

import os
import pathlib
import signal
import subprocess
from typing import Callable

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What runs in the background has Ctrl-C ignored, and so would these tests.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def data() -> pathlib.Path:
    return ROOT / "data"


@pytest.fixture(scope="session")
def command() -> Callable[..., str]:
    """Runs the pith command, and returns what it prints."""
    path = pathlib.Path(os.environ.get("PITH_COMMAND", ROOT / "build" / "pith"))
    if not path.exists():
        pytest.skip(f"there is no {path}; ./dev build makes it")

    def run(*args: object) -> str:
        done = subprocess.run(
            [str(path), *map(str, args)],
            capture_output=True,
            text=True,
        )
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    return run


@pytest.fixture
def family() -> dict:
    return {"parent": [("ann", "bob"), ("bob", "cid"), ("bob", "dora")]}
