// SPDX-License-Identifier: Apache-2.0
//
// The code that sets flags at the sites of a class (coverage_sites.h). Makes bytes only; Coverage
// puts it into classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/coverage_sites.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::agent::coverage {

// The class whose methods set the flags of branches:
// native/agent/java/java/lang/JvmdebugCoverage.java.
inline constexpr const char* kHelperClass = "java/lang/JvmdebugCoverage";

// The sites of a method. `first`: the number of its first flag in the class.
struct MethodSites {
  std::size_t number = 0;  // in the class file
  std::string name;        // with its descriptor
  std::size_t first = 0;
  std::vector<classfile::CoverageSite> sites;

  [[nodiscard]] std::size_t flags() const;
};

struct ClassSites {
  std::vector<MethodSites> methods;
  std::size_t flags = 0;
};

[[nodiscard]] ClassSites sites_of(const classfile::ClassFile& file, bool has_branches);

// Returns the code that sets the flags of a method. `owner`: the class that has the array of flags;
// `first`: the index in it of the first flag of the class. A site whose flags are all `gone`, by
// their numbers in the class, gets none; fewer entries than flags mean that the others stay.
[[nodiscard]] classfile::Rewritten<std::vector<classfile::Insertion>> flag_stores(
    classfile::ClassFile& file, const classfile::Method& method, const MethodSites& sites,
    const std::string& owner, std::size_t first, const std::vector<bool>& gone);

}  // namespace jvmdebug::agent::coverage
