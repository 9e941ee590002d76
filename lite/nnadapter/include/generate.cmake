# What is made of the table of NNAdapter's operations: headers, the runtime's declarations, the page.
# Headers go into the package, beside those that are written by hand where the package is built in
# the tree.
find_package(Python REQUIRED COMPONENTS Interpreter)
set(NNADAPTER_INCLUDE ${CMAKE_SOURCE_DIR}/lite/nnadapter/include)
set(NNADAPTER_MADE_INCLUDE ${LITE_PACKAGE_DIR}/nnadapter/include)
set(NNADAPTER_DECLARATIONS ${CMAKE_BINARY_DIR}/nnadapter_operations.cc)
file(GLOB_RECURSE NNADAPTER_TEMPLATES CONFIGURE_DEPENDS RELATIVE ${NNADAPTER_INCLUDE}
     ${NNADAPTER_INCLUDE}/*.h.in)
set(NNADAPTER_MADE ${NNADAPTER_DECLARATIONS})
foreach(template ${NNADAPTER_TEMPLATES})
  string(REGEX REPLACE "\\.in$" "" header ${template})
  list(APPEND NNADAPTER_MADE ${NNADAPTER_MADE_INCLUDE}/${header})
endforeach()
set(NNADAPTER_PAGE)
if(LITE_PACKAGE_DIR STREQUAL "${CMAKE_SOURCE_DIR}/lite")  # a tree that is worked in
  set(NNADAPTER_PAGE ${CMAKE_SOURCE_DIR}/docs/generated/nnadapter_operations.md)
endif()
list(TRANSFORM NNADAPTER_TEMPLATES PREPEND ${NNADAPTER_INCLUDE}/)
add_custom_command(
  OUTPUT ${NNADAPTER_MADE} ${NNADAPTER_PAGE}
  COMMAND ${Python_EXECUTABLE} ${NNADAPTER_INCLUDE}/generate.py --headers ${NNADAPTER_MADE_INCLUDE}
          --declarations ${NNADAPTER_DECLARATIONS}
          "$<$<BOOL:${NNADAPTER_PAGE}>:--page;${NNADAPTER_PAGE}>"
  DEPENDS ${NNADAPTER_INCLUDE}/generate.py ${CMAKE_SOURCE_DIR}/lite/nnadapter/table.py
          ${CMAKE_SOURCE_DIR}/lite/nnadapter/making.py ${NNADAPTER_TEMPLATES}
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(nnadapter_made DEPENDS ${NNADAPTER_MADE} ${NNADAPTER_PAGE})
add_library(nnadapter_headers INTERFACE)
target_include_directories(nnadapter_headers INTERFACE ${NNADAPTER_MADE_INCLUDE}
                           ${NNADAPTER_INCLUDE})
add_dependencies(nnadapter_headers nnadapter_made)
