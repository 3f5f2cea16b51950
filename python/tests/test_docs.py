"""The examples of docs/python.md run as they stand."""

import doctest
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_manual(monkeypatch):
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0
