// SPDX-License-Identifier: Apache-2.0
#include "classfile/descriptor.h"

namespace jvmdebug::classfile {
namespace {

// Returns the length of the descriptor with which the text begins; 0 for none.
std::size_t type_length(std::string_view text) {
  const std::size_t at = text.find_first_not_of('[');
  if (at == std::string_view::npos) {
    return 0;
  }
  if (text[at] != 'L') {
    return std::string_view("ZBCSIJFDV").contains(text[at]) ? at + 1 : 0;
  }
  const std::size_t end = text.find(';', at);
  return end == std::string_view::npos ? 0 : end + 1;
}

}  // namespace

std::optional<MethodTypes> method_types(std::string_view descriptor) {
  if (!descriptor.starts_with('(')) {
    return std::nullopt;
  }
  MethodTypes found;
  descriptor.remove_prefix(1);
  while (!descriptor.starts_with(')')) {
    const std::size_t length = type_length(descriptor);
    if (length == 0) {
      return std::nullopt;
    }
    found.parameters.push_back(descriptor.substr(0, length));
    descriptor.remove_prefix(length);
  }
  found.result = descriptor.substr(1);
  if (found.result.empty() || type_length(found.result) != found.result.size()) {
    return std::nullopt;
  }
  return found;
}

}  // namespace jvmdebug::classfile
