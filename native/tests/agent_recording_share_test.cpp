// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <doctest/doctest.h>
#include <memory>
#include <string>
#include <vector>

#include "agent/recording/recording_share.h"

namespace jvmdebug::tests {

namespace {

using agent::recording::Levels;
using agent::recording::MethodRecords;
using agent::recording::RecordedClass;
using agent::recording::RecordingShare;

using classfile::RecordingLevel;
using std::chrono::milliseconds;

constexpr auto kAll = RecordingLevel::kAll;

std::shared_ptr<const RecordedClass> made(const std::string& name) {
  auto of = std::make_shared<RecordedClass>();
  of->name = name;
  return of;
}

// A second in which the program ran for half of it.
class Window {
 public:
  explicit Window(int percent) { share_.begin(percent, milliseconds(0), milliseconds(0)); }

  auto over(const std::vector<MethodRecords>& methods, milliseconds reading = milliseconds(0)) {
    std::int64_t records = 0;
    for (const MethodRecords& each : methods) {
      records += each.records;
    }
    share_.note(reading);
    CHECK(share_.is_due(milliseconds(1000), milliseconds(500)));
    return share_.over(milliseconds(1000), milliseconds(500), records, methods);
  }

  RecordingShare& share() { return share_; }

 private:
  RecordingShare share_;
};

TEST_CASE("a recording within its share is whole") {
  // 10 million records: 50 of 500 ms.
  Window window(10);
  CHECK(
      window
          .over({{.of = made("a/A"), .level = kAll, .records = 10'000'000, .lines = 1, .calls = 1}})
          .empty());
}

TEST_CASE("the method with most records is thinned") {
  const auto of = made("a/A");
  Window window(10);
  const auto found = window.over({{.of = of,
                                   .method = 10,
                                   .level = kAll,
                                   .records = 1'000'000,
                                   .lines = 300'000,
                                   .calls = 200'000},
                                  {.of = of,
                                   .method = 11,
                                   .level = kAll,
                                   .records = 12'000'000,
                                   .lines = 3'000'000,
                                   .calls = 2'000'000}});
  REQUIRE(found.size() == 1U);
  CHECK((found.at(of) == Levels{{11, RecordingLevel::kLines}}));
}

TEST_CASE("a method is thinned by several levels if that is needed") {
  const auto of = made("a/A");
  Window window(1);
  const auto found = window.over({{.of = of,
                                   .method = 10,
                                   .level = kAll,
                                   .records = 12'000'000,
                                   .lines = 12'000'000,
                                   .calls = 1'000'000}});
  CHECK((found.at(of) == Levels{{10, RecordingLevel::kNone}}));
}

TEST_CASE("a level that saves nothing is passed over") {
  const auto of = made("a/A");
  Window window(5);
  const auto found = window.over({{.of = of,
                                   .method = 10,
                                   .level = kAll,
                                   .records = 12'000'000,
                                   .lines = 8'000'000,
                                   .calls = 8'000'000}});
  CHECK((found.at(of) == Levels{{10, RecordingLevel::kNone}}));
}

TEST_CASE("other classes stay as they are") {
  const auto busy = made("a/A");
  const auto quiet = made("b/B");
  Window window(5);
  const auto found = window.over({{.of = busy,
                                   .method = 10,
                                   .level = RecordingLevel::kLines,
                                   .records = 20'000'000,
                                   .lines = 19'000'000,
                                   .calls = 1'000'000},
                                  {.of = quiet,
                                   .method = 10,
                                   .level = kAll,
                                   .records = 10'000,
                                   .lines = 4'000,
                                   .calls = 2'000}});
  REQUIRE(found.size() == 1U);
  CHECK((found.at(busy) == Levels{{10, RecordingLevel::kCalls}}));
}

TEST_CASE("reading counts") {
  const std::vector<MethodRecords> few{
      {.of = made("a/A"), .level = kAll, .records = 1'000'000, .lines = 1'000, .calls = 1'000}};
  Window reading(10);
  CHECK_FALSE(reading.over(few, milliseconds(60)).empty());
  Window neither(10);
  CHECK(neither.over(few).empty());
}

TEST_CASE("a window that is short or quiet is not over") {
  Window window(10);
  CHECK_FALSE(window.share().is_due(milliseconds(400), milliseconds(300)));
  CHECK_FALSE(window.share().is_due(milliseconds(5000), milliseconds(50)));
  CHECK(window.share().is_due(milliseconds(600), milliseconds(300)));
  Window without(0);
  CHECK_FALSE(without.share().is_due(milliseconds(600), milliseconds(300)));
}

TEST_CASE("where nothing could be thinned the next window is longer") {
  Window window(10);
  window.share().note_thinned(false);
  CHECK_FALSE(window.share().is_due(milliseconds(600), milliseconds(300)));
  CHECK(window.share().is_due(milliseconds(1000), milliseconds(300)));
  for (int each = 0; each < 20; ++each) {
    window.share().note_thinned(false);
  }
  CHECK(window.share().is_due(milliseconds(8000), milliseconds(300)));
  window.share().note_thinned(true);
  CHECK(window.share().is_due(milliseconds(600), milliseconds(300)));
}

}  // namespace
}  // namespace jvmdebug::tests
