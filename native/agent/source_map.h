// SPDX-License-Identifier: Apache-2.0
//
// The source map of a class that was translated from another language (JSR-45, the attribute
// SourceDebugExtension): which lines of which sources its Java lines stand for, one view (stratum)
// for each language. Works on text only, without a VM. Used by steps by line, and by the modifier
// SourceNameMatch.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <jvmti.h>

namespace jvmdebug::agent {

class SourceMap {
 public:
  // Parses a source map; nothing when the text is not one or is truncated.
  static std::optional<SourceMap> parse(std::string_view text);

  // Translates a line table of the class to a stratum: `wanted` or, if the class does not have
  // that, its own default. Each line becomes a number that is unique for a source and a line and
  // has no other meaning; entries without a source line and repetitions are removed. The stratum
  // "Java" leaves the table as it is.
  void translate(std::string_view wanted, std::vector<jvmtiLineNumberEntry>& table) const;

  // The names of the sources of all strata, without paths. The first is the generated file, which
  // is the source of the stratum "Java".
  [[nodiscard]] const std::vector<std::string>& source_names() const { return source_names_; }

 private:
  struct Lines {
    jint source_start = 0;
    jint file = 0;
    jint count = 1;
    jint java_start = 0;
    jint java_step = 1;
  };

  struct Stratum {
    std::string id;
    std::vector<Lines> lines;
  };

  static std::optional<Lines> parse_lines(std::string_view text, jint file);
  // Reads a line of the section of files, and the path that follows if there is one.
  void read_file(std::string_view line, std::string_view& rest);
  [[nodiscard]] const Stratum* find(std::string_view id) const;
  // Returns a unique number for the source line; nothing when the Java line has none.
  [[nodiscard]] static std::optional<jint> source_line(const Stratum& stratum, jint java_line);

  std::string default_stratum_;
  std::vector<Stratum> strata_;
  std::vector<std::string> source_names_;
};

}  // namespace jvmdebug::agent
