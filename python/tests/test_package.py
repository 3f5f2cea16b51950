"""What is shipped: the source archive has the sources of the package and no more."""

import os
import pathlib
import subprocess
import sys
import tarfile

import pytest

import pith

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_source_archive(tmp_path):
    pytest.importorskip("scikit_build_core")
    program = "import sys; from scikit_build_core.build import build_sdist as b"
    subprocess.run(
        [sys.executable, "-c", f"{program}; b(sys.argv[1])", str(tmp_path)],
        cwd=ROOT,
        env={k: v for k, v in os.environ.items() if k != "LD_PRELOAD"},
        check=True,
        capture_output=True,
    )
    (archive,) = tmp_path.iterdir()
    with tarfile.open(archive) as file:
        names = [name.partition("/")[2] for name in file.getnames()]
    folders = {name.partition("/")[0] for name in names if "/" in name}
    assert folders == {"cmake", "docs", "include", "python", "src"}
    assert {n.split("/")[1] for n in names if n.startswith("python/")} == {
        "CMakeLists.txt", "binding", "pith",
    }  # fmt: skip
    assert archive.stat().st_size < 2_000_000
    sources = {str(p.relative_to(ROOT)) for p in (ROOT / "src").rglob("*.[ch]")}
    assert sources <= set(names)


def test_the_module_is_for_every_python_from_3_9_on():
    assert pathlib.Path(pith._native.__file__).name == "_native.abi3.so"
    assert pith.__version__ == pith.version()
