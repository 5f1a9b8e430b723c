// SPDX-License-Identifier: Apache-2.0
#include "heap/names.h"

#include <algorithm>
#include <cstddef>

namespace jvmdebug::heap {

std::string_view primitive_name(char letter) {
  switch (letter) {
    case 'Z':
      return "boolean";
    case 'B':
      return "byte";
    case 'C':
      return "char";
    case 'S':
      return "short";
    case 'I':
      return "int";
    case 'J':
      return "long";
    case 'F':
      return "float";
    case 'D':
      return "double";
    default:
      return {};
  }
}

std::string java_name(std::string_view internal) {
  const std::size_t dimensions = std::min(internal.find_first_not_of('['), internal.size());
  std::string_view element = internal.substr(dimensions);
  std::string name;
  if (dimensions > 0 && element.size() == 1) {
    name = primitive_name(element.front());
  } else {
    if (dimensions > 0 && element.size() > 2 && element.front() == 'L') {
      element = element.substr(1, element.size() - 2);
    }
    name = element;
    std::ranges::replace(name, '/', '.');
  }
  for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
    name += "[]";
  }
  return name;
}

}  // namespace jvmdebug::heap
