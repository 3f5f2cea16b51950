"""The notebooks run, and print what is committed with them."""

import pathlib

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "python" / "notebooks").glob("*.ipynb"))


def printed(notebook):
    """What the cells print; pictures say the same in other ways."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            yield output.get("text") or output["data"]["text/plain"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook(path):
    committed = nbformat.read(path, as_version=4)
    fresh = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(ROOT)}}
    nbclient.NotebookClient(fresh, timeout=300, resources=where).execute()
    assert list(printed(committed))
    assert list(printed(fresh)) == list(printed(committed))


def test_there_are_three():
    assert len(NOTEBOOKS) == 3
