#!/bin/bash -eu
# Builds every fuzz target into $OUT with its corpus. OSS-Fuzz sets CC, CFLAGS,
# LIB_FUZZING_ENGINE and OUT; anybody else may too:
#   CC=clang CFLAGS=-fsanitize=address,fuzzer-no-link OUT=/tmp/out \
#     LIB_FUZZING_ENGINE=-fsanitize=fuzzer packaging/oss-fuzz/build.sh
cd "$(dirname "$(readlink -f "$0")")/../.."
folder=${WORK:-build}/oss-fuzz
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER="$CC" \
  -DCMAKE_C_FLAGS="$CFLAGS" -DPITH_TESTS=OFF -DPITH_FUZZ=ON \
  -DPITH_FUZZ_ENGINE="$LIB_FUZZING_ENGINE"
cmake --build "$folder" --target fuzzers
mkdir -p "$OUT"
for target in "$folder"/tests/fuzz/fuzz_*; do
  if [ ! -x "$target" ] || [ ! -f "$target" ]; then continue; fi
  name=$(basename "$target")
  cp "$target" "$OUT/"
  (cd "tests/fuzz/corpus/${name#fuzz_}" && zip -q -r "$OUT/${name}_seed_corpus.zip" .)
done
