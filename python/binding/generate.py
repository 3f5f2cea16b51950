"""Writes the C file of the binding: what cffi makes of pith.h and glue.h.

The C preprocessor reads the header, so that whatever pith.h declares is there
under its own name; nothing is listed here but the constants that are macros.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import cffi

HERE = pathlib.Path(__file__).resolve().parent
CONSTANTS = ["PITH_NONE", "PITH_BUILTINS"]
SOURCES = ["glue.h", "glue.c", "stream.c"]
# What the header includes: cffi knows these types by itself.
STANDARD = ["stdbool.h", "stddef.h", "stdint.h"]


def declarations(compiler: str, header: pathlib.Path) -> str:
    """The declarations of a header, without macros and attributes."""
    with tempfile.TemporaryDirectory() as empty:
        for name in STANDARD:
            (pathlib.Path(empty) / name).touch()
        command = [compiler, "-E", "-P", "-nostdinc", "-U__GNUC__", "-x", "c"]
        command += ["-I", empty, "-DPITH_EXPERIMENTAL", "-D_Bool=bool"]
        done = subprocess.run(
            [*command, str(header)], stdout=subprocess.PIPE, check=True, text=True
        )
    return done.stdout


def main() -> int:
    """Reads the arguments, writes the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--header", required=True, type=pathlib.Path)
    parser.add_argument("--output", required=True)
    args = parser.parse_args()
    ffi = cffi.FFI()
    ffi.cdef(declarations(args.compiler, args.header))
    for name in CONSTANTS:
        ffi.cdef(f"static const uint32_t {name};")
    ffi.cdef(declarations(args.compiler, HERE / "glue.h"))
    source = "#define PITH_EXPERIMENTAL\n#include <pith.h>\n"
    source += "".join(map(pathlib.Path.read_text, [HERE / n for n in SOURCES]))
    ffi.set_source("pith._native", source)
    ffi.emit_c_code(args.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
