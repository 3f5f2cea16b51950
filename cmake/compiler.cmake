# Warnings, optimisation and sanitizers, for everything built here.
# The same bits from every compiler: no fused multiply-add where none is written.
# Nobody reads errno after sqrt, and setting it takes time.
add_compile_options(-Wall -Wextra -Wpedantic -ffp-contract=off -fno-math-errno)
add_compile_definitions(_POSIX_C_SOURCE=200809L)
if(PITH_WERROR)
  add_compile_options(-Werror)
endif()

if(PITH_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "PITH_FUZZ needs clang: -DCMAKE_C_COMPILER=clang")
  endif()
  # Calls that trace comparisons take more than half of the time.
  if(PITH_FUZZ_FAST)
    add_compile_options(-fsanitize-coverage=inline-8bit-counters,pc-table)
  else()
    add_compile_options(-fsanitize=fuzzer-no-link)
  endif()
  if(NOT PITH_SANITIZE AND NOT PITH_FUZZ_FAST)
    set(PITH_SANITIZE address,undefined)
  endif()
endif()

# A finding ends the program: a test that goes on after one would pass.
if(PITH_SANITIZE)
  add_compile_options(-fsanitize=${PITH_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${PITH_SANITIZE})
endif()
