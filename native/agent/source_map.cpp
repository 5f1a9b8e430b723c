// SPDX-License-Identifier: Apache-2.0
#include "agent/source_map.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

namespace jvmdebug::agent {
namespace {

constexpr std::string_view kJava = "Java";

// Removes the next line from the text and returns it without its line end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find_first_of("\r\n");
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(line.size());
  if (text.starts_with("\r\n")) {
    text.remove_prefix(2);
  } else if (!text.empty()) {
    text.remove_prefix(1);
  }
  return line;
}

std::string_view without_leading_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

std::string_view trimmed(std::string_view text) {
  text = without_leading_blanks(text);
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

// Removes a number from the front of the text; if there is none, returns nothing and leaves the
// text as it is.
std::optional<jint> take_number(std::string_view& text) {
  text = without_leading_blanks(text);
  jint number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) {
    return std::nullopt;
  }
  text = without_leading_blanks(text.substr(static_cast<std::size_t>(end - text.data())));
  return number;
}

// Removes `mark` and the number after it from the text; returns `otherwise` when the mark is
// missing.
std::optional<jint> take_marked(std::string_view& text, char mark, jint otherwise) {
  if (!text.starts_with(mark)) {
    return otherwise;
  }
  text.remove_prefix(1);
  return take_number(text);
}

}  // namespace

std::optional<SourceMap> SourceMap::parse(std::string_view text) {
  if (trimmed(take_line(text)) != "SMAP") {
    return std::nullopt;
  }
  SourceMap map;
  // Names keep trailing blanks, as in the JDK's own agent. The first is the generated file's.
  map.source_names_.emplace_back(without_leading_blanks(take_line(text)));
  map.default_stratum_ = std::string(trimmed(take_line(text)));
  char section = ' ';
  jint file = 0;
  while (!text.empty()) {
    const std::string_view whole = without_leading_blanks(take_line(text));
    const std::string_view line = trimmed(whole);
    if (line.starts_with('*')) {
      section = line.size() > 1 ? line[1] : ' ';
      if (section == 'E') {
        return map;
      }
      if (section == 'S') {
        map.strata_.push_back({std::string(trimmed(line.substr(2))), {}});
        file = 0;
      }
    } else if (section == 'F' && !line.empty()) {
      map.read_file(whole, text);
    } else if (section == 'L' && !line.empty() && !map.strata_.empty()) {
      const auto lines = parse_lines(line, file);
      if (!lines) {
        return std::nullopt;
      }
      file = lines->file;
      map.strata_.back().lines.push_back(*lines);
    }
  }
  return std::nullopt;  // truncated
}

// number name, or: + number name, and a line with the path
void SourceMap::read_file(std::string_view line, std::string_view& rest) {
  const bool has_path = line.starts_with('+');
  if (has_path) {
    line.remove_prefix(1);
    take_line(rest);
  }
  if (take_number(line) && !line.empty()) {
    source_names_.emplace_back(line);
  }
}

// source_start [# file] [, count] : java_start [, java_step]
std::optional<SourceMap::Lines> SourceMap::parse_lines(std::string_view text, jint file) {
  const auto source_start = take_number(text);
  const auto own_file = take_marked(text, '#', file);
  const auto count = take_marked(text, ',', 1);
  if (!text.starts_with(':')) {
    return std::nullopt;
  }
  text.remove_prefix(1);
  const auto java_start = take_number(text);
  const auto java_step = take_marked(text, ',', 1);
  if (!source_start || !own_file || !count || !java_start || !java_step) {
    return std::nullopt;
  }
  return Lines{*source_start, *own_file, *count, *java_start, *java_step};
}

const SourceMap::Stratum* SourceMap::find(std::string_view id) const {
  for (const Stratum& stratum : strata_) {
    if (stratum.id == id) {
      return &stratum;
    }
  }
  return nullptr;
}

std::optional<jint> SourceMap::source_line(const Stratum& stratum, jint java_line) {
  for (const Lines& lines : stratum.lines) {
    // With a step of 0 all source lines map to the same Java line; the first one is taken.
    const jint offset = java_line - lines.java_start;
    const jlong extent = jlong{lines.count} * (lines.java_step == 0 ? 1 : lines.java_step);
    if (offset >= 0 && offset < extent) {
      const jint line = lines.source_start + (lines.java_step == 0 ? 0 : offset / lines.java_step);
      return (lines.file << 16) + line;
    }
  }
  return std::nullopt;
}

void SourceMap::translate(std::string_view wanted, std::vector<jvmtiLineNumberEntry>& table) const {
  const Stratum* stratum = wanted.empty() ? nullptr : find(wanted);
  if (stratum == nullptr && wanted != kJava) {
    stratum = find(default_stratum_);
  }
  if (stratum == nullptr || stratum->id == kJava) {
    return;
  }
  std::vector<jvmtiLineNumberEntry> translated;
  for (const jvmtiLineNumberEntry& entry : table) {
    const auto line = source_line(*stratum, entry.line_number);
    if (line && (translated.empty() || translated.back().line_number != *line)) {
      translated.push_back({entry.start_location, *line});
    }
  }
  table = std::move(translated);
}

}  // namespace jvmdebug::agent
