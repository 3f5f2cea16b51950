# The headers, both libraries, the command, and what lets others find them.
include(CMakePackageConfigHelpers)

install(FILES include/pith.h include/pith_experimental.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS pith_static pith_shared EXPORT pith
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# find_package(pith)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/pith)
configure_package_config_file(cmake/pith-config.cmake.in
  ${PROJECT_BINARY_DIR}/pith-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pith-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pith-config.cmake
  ${PROJECT_BINARY_DIR}/pith-config-version.cmake DESTINATION ${package_dir})
install(EXPORT pith NAMESPACE pith:: FILE pith-targets.cmake
  DESTINATION ${package_dir})

# pkg-config pith. Paths are relative to the file, so the tree can be moved.
file(RELATIVE_PATH pc_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
list(JOIN PITH_OPTIONAL_MODULES " " pc_requires)
set(pc_loader)
if(CMAKE_DL_LIBS)
  set(pc_loader " -l${CMAKE_DL_LIBS}")
endif()
configure_file(cmake/pith.pc.in ${PROJECT_BINARY_DIR}/pith.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/pith.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The command writes its own man page and completions, from the one table of
# its options; they are made with it, but not when it is built for another
# machine.
function(pith_page option file folder name)
  set(page ${PROJECT_BINARY_DIR}/pages/${file})
  add_custom_command(OUTPUT ${page} DEPENDS pith_command VERBATIM
    COMMAND pith_command ${option} > ${page})
  set_property(GLOBAL APPEND PROPERTY pith_pages ${page})
  install(FILES ${page} DESTINATION ${folder} RENAME ${name})
endfunction()

if(TARGET pith_command)
  install(TARGETS pith_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(NOT CMAKE_CROSSCOMPILING)
    set(share ${CMAKE_INSTALL_DATADIR})
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/pages)
    pith_page(--man pith.1 ${CMAKE_INSTALL_MANDIR}/man1 pith.1)
    pith_page(--completions=bash bash ${share}/bash-completion/completions pith)
    pith_page(--completions=zsh zsh ${share}/zsh/site-functions _pith)
    pith_page(--completions=fish fish
      ${share}/fish/vendor_completions.d pith.fish)
    get_property(pages GLOBAL PROPERTY pith_pages)
    add_custom_target(pith_pages ALL DEPENDS ${pages})
  endif()
endif()
