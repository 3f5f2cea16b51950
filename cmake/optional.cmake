# Libraries that are used when they are there. For each one found:
#   PITH_HAVE_ZLIB=1 (ZSTD, LZMA, ...)  is defined for the library's sources,
#   PITH_OPTIONAL_NAMES            holds its name here,
#   PITH_OPTIONAL_TARGETS          its imported target,
#   PITH_OPTIONAL_MODULES          its pkg-config name, for those who link
#                                  the static library.
set(PITH_OPTIONAL_NAMES)
set(PITH_OPTIONAL_TARGETS)
set(PITH_OPTIONAL_MODULES)
set(PITH_OPTIONAL_DEFINITIONS)

find_package(PkgConfig)

macro(pith_optional name module)
  option(PITH_WITH_${name} "Use ${module} when it is there" ON)
  if(PITH_WITH_${name} AND PKG_CONFIG_FOUND)
    pkg_check_modules(PITH_${name} QUIET IMPORTED_TARGET ${module})
  endif()
  if(PITH_WITH_${name} AND PITH_${name}_FOUND)
    list(APPEND PITH_OPTIONAL_NAMES ${name})
    list(APPEND PITH_OPTIONAL_TARGETS PkgConfig::PITH_${name})
    list(APPEND PITH_OPTIONAL_MODULES ${module})
    list(APPEND PITH_OPTIONAL_DEFINITIONS PITH_HAVE_${name}=1)
  endif()
endmacro()

pith_optional(ZLIB zlib)
pith_optional(ZSTD libzstd)
pith_optional(LZMA liblzma)
pith_optional(JANSSON jansson)
pith_optional(SERD serd-0)
pith_optional(SQLITE sqlite3)
message(STATUS "Optional libraries: ${PITH_OPTIONAL_MODULES}")
