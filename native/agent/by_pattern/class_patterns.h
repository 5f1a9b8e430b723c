// SPDX-License-Identifier: Apache-2.0
//
// Decides which classes get code, by their names.
#pragma once

#include <algorithm>
#include <array>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace jvmdebug::agent::by_pattern {

// Whether the text matches the pattern, in which `*` stands for any characters.
[[nodiscard]] constexpr bool matches(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t in_text = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resumed = 0;
  while (in_text < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      resumed = in_text;
    } else if (at < pattern.size() && pattern[at] == text[in_text]) {
      ++at;
      ++in_text;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      in_text = ++resumed;
    } else {
      return false;
    }
  }
  return std::ranges::all_of(pattern.substr(at), [](char each) { return each == '*'; });
}

class ClassPatterns {
 public:
  ClassPatterns() = default;

  ClassPatterns(std::vector<std::string> included, std::vector<std::string> excluded)
      : included_(std::move(included)), excluded_(std::move(excluded)) {
    for (auto* const all : {&included_, &excluded_}) {
      for (std::string& each : *all) {
        std::ranges::replace(each, '.', '/');
      }
    }
  }

  // Whether a class gets code, by its name: a/b/C.
  [[nodiscard]] bool includes(std::string_view name) const {
    const auto fits = [&](const std::string& pattern) { return matches(pattern, name); };
    return std::ranges::any_of(included_, fits) && std::ranges::none_of(excluded_, fits) &&
           may_include(name);
  }

  // Whether any patterns include such a class: not those of the JDK, nor the agent's own.
  [[nodiscard]] static bool may_include(std::string_view name) {
    const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
    return std::ranges::none_of(kOfJdk, begins) &&
           !name.substr(name.rfind('/') + 1).starts_with(kOwnPrefix);
  }

 private:
  static constexpr std::array kOfJdk = {std::string_view("java/"), std::string_view("jdk/"),
                                        std::string_view("sun/"), std::string_view("com/sun/")};
  static constexpr std::string_view kOwnPrefix = "Jvmdebug";

  std::vector<std::string> included_;
  std::vector<std::string> excluded_;
};

}  // namespace jvmdebug::agent::by_pattern
