# Libraries that are used when they are there. For each one found:
#   PITH_HAVE_ZLIB=1 (ZSTD, LZMA, ...)  is defined for the library's sources,
#   PITH_OPTIONAL_NAMES            holds its name here,
#   PITH_OPTIONAL_TARGETS          its imported target,
#   PITH_OPTIONAL_MODULES          its pkg-config name, for those who link
#                                  the static library.
# SQLite is loaded when a database is met (src/text/sqlite_calls.h), so that only
# its header is needed; PITH_LAZY_SQLITE=OFF links it like the others.
set(PITH_OPTIONAL_NAMES)
set(PITH_OPTIONAL_TARGETS)
set(PITH_OPTIONAL_MODULES)
set(PITH_OPTIONAL_DEFINITIONS)

find_package(PkgConfig)

# The module's wheels carry the libraries that it is linked with.
set(lazy ON)
if(PITH_PYTHON OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux"
   OR CMAKE_EXE_LINKER_FLAGS MATCHES "-static")
  set(lazy OFF)
endif()
option(PITH_LAZY_SQLITE "Load SQLite when the first database is read" ${lazy})

macro(pith_optional name module)
  option(PITH_WITH_${name} "Use ${module} when it is there" ON)
  if(PITH_WITH_${name} AND PKG_CONFIG_FOUND)
    pkg_check_modules(PITH_${name} QUIET IMPORTED_TARGET ${module})
  endif()
  if(PITH_WITH_${name} AND PITH_${name}_FOUND)
    list(APPEND PITH_OPTIONAL_DEFINITIONS PITH_HAVE_${name}=1)
  endif()
  if(PITH_WITH_${name} AND PITH_${name}_FOUND AND "${ARGN}" STREQUAL "")
    list(APPEND PITH_OPTIONAL_NAMES ${name})
    list(APPEND PITH_OPTIONAL_TARGETS PkgConfig::PITH_${name})
    list(APPEND PITH_OPTIONAL_MODULES ${module})
  endif()
endmacro()

pith_optional(ZLIB zlib)
pith_optional(ZSTD libzstd)
pith_optional(LZMA liblzma)
pith_optional(JANSSON jansson)
pith_optional(SERD serd-0)
if(PITH_LAZY_SQLITE)
  pith_optional(SQLITE sqlite3 lazy)
  list(APPEND PITH_OPTIONAL_DEFINITIONS PITH_SQLITE_NAME="libsqlite3.so.0")
else()
  pith_optional(SQLITE sqlite3)
endif()
message(STATUS "Optional libraries: ${PITH_OPTIONAL_MODULES}")
