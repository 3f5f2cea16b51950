# What the shared library exports is what the public headers declare, and nothing else.
# Hidden visibility does most of it; the linker does the rest, such as the
# resolvers of functions that are compiled for several machines.
file(READ include/pith.h header)
file(READ include/pith_experimental.h experimental)
string(APPEND header "${experimental}")
string(REGEX MATCHALL "PITH_API[^(;]*[^a-z0-9_]pith_[a-z0-9_]+\\(" declarations
  "${header}")
set(exports)
foreach(declaration ${declarations})
  string(REGEX REPLACE ".*[^a-z0-9_](pith_[a-z0-9_]+)\\($" "  \\1;\n" name
    "${declaration}")
  string(APPEND exports "${name}")
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  include/pith.h include/pith_experimental.h)
file(CONFIGURE OUTPUT pith.map
  CONTENT "{\nglobal:\n@exports@local:\n  *;\n};\n" @ONLY)

include(CheckLinkerFlag)
set(map ${PROJECT_BINARY_DIR}/pith.map)
check_linker_flag(C "-Wl,--version-script=${map}" PITH_HAVE_VERSION_SCRIPT)
if(PITH_HAVE_VERSION_SCRIPT)
  target_link_options(pith_shared PRIVATE "-Wl,--version-script=${map}")
  set_target_properties(pith_shared PROPERTIES LINK_DEPENDS ${map})
endif()
