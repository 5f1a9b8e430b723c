// SPDX-License-Identifier: Apache-2.0
#include "heap/names.h"

#include <algorithm>
#include <cstddef>

namespace jvmdebug::heap {
namespace {

constexpr std::string_view kDecimals = "0123456789";

// Returns where the name ends with which the class was defined. Behind it is the suffix that a VM
// adds to tell hidden classes apart: `a/B.0x01` in our dumps, `a/B+0x01` in those of HotSpot, and
// before JDK 15 `a/B$$Lambda$1/4711` in both.
std::size_t defined_name_end(std::string_view binary) {
  if (const std::size_t dot = binary.find('.'); dot != std::string_view::npos) {
    return dot;
  }
  if (const std::size_t plus = binary.rfind("+0x"); plus != std::string_view::npos) {
    return plus;
  }
  const std::size_t slash = binary.rfind('/');
  if (slash == std::string_view::npos || slash + 1 == binary.size() ||
      binary.find_first_not_of(kDecimals, slash + 1) != std::string_view::npos) {
    return binary.size();
  }
  const std::string_view host = binary.substr(0, slash);
  const std::size_t package = host.rfind('/');
  const std::size_t simple = package == std::string_view::npos ? 0 : package;
  return host.find('$', simple) == std::string_view::npos ? binary.size() : slash;
}

}  // namespace

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
    const std::size_t end = defined_name_end(element);
    name = element;
    std::replace(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(end), '/', '.');
    if (end < name.size()) {
      name[end] = '/';
    }
  }
  for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
    name += "[]";
  }
  return name;
}

}  // namespace jvmdebug::heap
