// SPDX-License-Identifier: Apache-2.0
#include "agent/launch.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/platform/process.h"

namespace jvmdebug::agent {
namespace {

std::vector<std::string> words_of(std::string_view command) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<std::string> words;
  for (auto begin = command.find_first_not_of(kBlanks); begin != std::string_view::npos;
       begin = command.find_first_not_of(kBlanks, begin)) {
    const auto end = std::min(command.find_first_of(kBlanks, begin), command.size());
    words.emplace_back(command.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

}  // namespace

std::optional<std::string> launch_debugger(const std::string& command, std::string_view transport,
                                           const std::string& address) {
  std::vector<std::string> words = words_of(command);
  words.emplace_back(transport);
  words.push_back(address);
  if (const auto why = platform::start_program(std::move(words))) {
    return "cannot run launch=" + command + ": " + *why;
  }
  return std::nullopt;
}

}  // namespace jvmdebug::agent
