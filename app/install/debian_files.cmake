# SPDX-License-Identifier: Apache-2.0
# Run by cpack on what it has installed, before it is packed: the files that Debian asks of each
# package, and not the licence's text, which Debian has elsewhere.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(name ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX})
  set(docs ${root}/share/doc/${name})
  file(REMOVE ${docs}/LICENSE)
  file(MAKE_DIRECTORY ${docs})
  configure_file(${CPACK_SLIPFIELD_FOLDER}/copyright ${docs}/copyright COPYONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  file(WRITE ${docs}/changelog "${name} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
    "  * Packed from the sources; CHANGELOG.md of slipfield tells what changed.\n\n"
    " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  file(GLOB compressed ${docs}/changelog ${root}/share/man/man1/*.1)
  execute_process(COMMAND gzip -9n ${compressed} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
