// SPDX-License-Identifier: Apache-2.0
//
// The flags that were set at one moment, by class file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agent/coverage/covered_classes.h"

namespace jvmdebug::agent::coverage {

class SeenFlags {
 public:
  using Classes = std::vector<std::shared_ptr<const CoveredClass>>;
  // Returns the flags of a block.
  using ReadBlock = std::function<std::vector<std::int8_t>(std::size_t block)>;

  SeenFlags(const Classes& classes, const ReadBlock& read);

  // Returns the class file with that name (a/b/C); null if there are several.
  [[nodiscard]] std::shared_ptr<const CoveredClass> only(std::string_view name) const;
  // Returns which flags of the class file are set, by their numbers.
  [[nodiscard]] std::vector<bool> of(const CoveredClass& covered) const;
  // Whether a flag is set that is not among `gone`.
  [[nodiscard]] bool has_other(const CoveredClass& covered, const std::vector<bool>& gone) const;

 private:
  std::map<std::string, std::shared_ptr<const CoveredClass>, std::less<>> by_name_;
  std::map<std::size_t, std::vector<std::int8_t>> blocks_;
};

}  // namespace jvmdebug::agent::coverage
