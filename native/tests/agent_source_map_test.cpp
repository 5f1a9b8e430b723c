// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <string>
#include <string_view>
#include <vector>

#include "agent/source_map.h"

namespace jvmdebug::tests {

using agent::SourceMap;

namespace {

using Table = std::vector<jvmtiLineNumberEntry>;

// Java lines 1 to 3 are lines 10 to 12 of the first file; 20 to 25 are lines 5 to 7 of the second,
// two each; 40 is line 9 of the second.
constexpr std::string_view kMap =
    "SMAP\nPage.java\nPage\n*S Java\n*F\n1 Page.java\n*L\n1#1,99:1\n"
    "*S Page\n*F\n+ 1 index.page\nweb/index.page\n2 part.page\n"
    "*L\n10#1,3:1\n5#2,3:20,2\n9:40\n*E\n";

Table table(const std::vector<jint>& lines) {
  Table entries;
  for (const jint line : lines) {
    entries.push_back({static_cast<jlocation>(entries.size()) * 2, line});
  }
  return entries;
}

std::vector<jint> translated(std::string_view map, std::string_view stratum, Table entries) {
  if (const auto parsed = SourceMap::parse(map)) {
    parsed->translate(stratum, entries);
  }
  std::vector<jint> lines;
  for (const auto& entry : entries) {
    lines.push_back(entry.line_number);
  }
  return lines;
}

constexpr jint in_file(jint file, jint line) {
  return (file << 16) + line;
}

}  // namespace

TEST_CASE("lines go to the class's own stratum when none is chosen") {
  const std::vector<jint> wanted = {in_file(1, 10), in_file(1, 12), in_file(2, 5), in_file(2, 7),
                                    in_file(2, 9)};
  CHECK(translated(kMap, "", table({1, 3, 20, 24, 40})) == wanted);
  CHECK(translated(kMap, "Page", table({1, 3, 20, 24, 40})) == wanted);
  CHECK(translated(kMap, "NoSuch", table({1, 3, 20, 24, 40})) == wanted);
}

TEST_CASE("names: the generated file's, then the sources' of all strata, without their paths") {
  const auto map = SourceMap::parse(kMap);
  const std::vector<std::string> wanted = {"Page.java", "Page.java", "index.page", "part.page"};
  CHECK((map && map->source_names() == wanted));
  const auto spaces =
      SourceMap::parse("SMAP\r\nA.java\r\nP\r\n*S P\r\n*F\r\n+ 1 a b.p \r\nx/a b.p\r\n*E\r\n");
  CHECK((spaces && spaces->source_names() == std::vector<std::string>{"A.java", "a b.p "}));
}

TEST_CASE("the stratum Java leaves the lines alone") {
  CHECK(translated(kMap, "Java", table({1, 3, 500})) == std::vector<jint>({1, 3, 500}));
}

TEST_CASE("entries without a source line go, and repetitions") {
  const std::vector<jint> wanted = {in_file(2, 5), in_file(2, 6)};
  CHECK(translated(kMap, "", table({500, 20, 21, 41, 22, 23})) == wanted);
  Table entries = table({500, 20});
  if (const auto parsed = SourceMap::parse(kMap)) {
    parsed->translate("", entries);
  }
  CHECK((entries.size() == 1 && entries.front().start_location == 2));
}

TEST_CASE("other line ends and spaces are read") {
  constexpr std::string_view map =
      "SMAP\r\nA.java\r\nX\r\n*S X\r\n*F\r\n1 a.x\r\n*L\r\n 3 # 1 , 2 : 7 , 1 \r\n*E\r\n";
  CHECK(translated(map, "", table({7, 8})) == std::vector<jint>({in_file(1, 3), in_file(1, 4)}));
}

TEST_CASE("what is no source map is none") {
  CHECK(!SourceMap::parse(""));
  CHECK(!SourceMap::parse("anything"));
  CHECK(!SourceMap::parse("SMAP\nA.java\nX\n*S X\n*L\nnonsense\n*E\n"));
  CHECK(!SourceMap::parse("SMAP\nA.java\nX\n*S X\n*L\n1:99999999999\n*E\n"));
  CHECK(!SourceMap::parse("SMAP"));
  CHECK(!SourceMap::parse("SMAP\nA.java\nX\n*S X\n*F\n1 a.x\n*L\n1:1\n"));  // without its end
  CHECK(translated("SMAP\nA.java\nX\n*E\n", "", table({1, 2})) == std::vector<jint>({1, 2}));
}

}  // namespace jvmdebug::tests
