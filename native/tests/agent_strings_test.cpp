// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <string>
#include <string_view>

#include "agent/jvm/strings.h"

namespace jvmdebug::tests {

using namespace std::string_view_literals;

using agent::jvm::modified_from_utf8;
using agent::jvm::utf16_from_utf8;
using agent::jvm::utf8_from_modified;
using agent::jvm::utf8_from_utf16;

namespace {

constexpr std::string_view kFace = "\xF0\x9F\x98\x80";                  // U+1F600
constexpr std::string_view kFaceModified = "\xED\xA0\xBD\xED\xB8\x80";  // its two surrogates
constexpr std::string_view kLoneHigh = "\xED\xA0\xBD";                  // U+D83D
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";               // U+FFFD

std::string joined(std::string_view first, std::string_view second) {
  return std::string(first) + std::string(second);
}

}  // namespace

TEST_CASE("plain text is the same everywhere") {
  CHECK(utf8_from_modified("plain") == "plain");
  CHECK(modified_from_utf8("plain") == "plain");
  CHECK(utf16_from_utf8("plain") == u"plain");
  CHECK(utf8_from_utf16(u"plain"sv) == "plain");
  CHECK(utf8_from_modified("").empty());
  CHECK(modified_from_utf8("\xC3\xA9\xE2\x82\xAC") == "\xC3\xA9\xE2\x82\xAC");
}

TEST_CASE("U+0000 is two bytes in modified UTF-8") {
  CHECK(modified_from_utf8("a\0b"sv) ==
        "a\xC0\x80"
        "b");
  CHECK(utf8_from_modified("a\xC0\x80"
                           "b") == "a\0b"sv);
  CHECK(utf8_from_utf16(u"a\0b"sv) == "a\0b"sv);
  CHECK(utf16_from_utf8("a\0b"sv) == u"a\0b"sv);
}

TEST_CASE("a character beyond the BMP is two surrogates in modified UTF-8") {
  CHECK(modified_from_utf8(kFace) == kFaceModified);
  CHECK(utf8_from_modified(kFaceModified) == kFace);
  CHECK(utf16_from_utf8(kFace) == u"\xD83D\xDE00"sv);
  CHECK(utf8_from_utf16(u"\xD83D\xDE00"sv) == kFace);
}

TEST_CASE("lone surrogates survive") {
  CHECK(utf8_from_modified(kLoneHigh) == kLoneHigh);
  CHECK(modified_from_utf8(kLoneHigh) == kLoneHigh);
  CHECK(utf8_from_utf16(u"\xD83D"sv) == kLoneHigh);
  CHECK(utf16_from_utf8(kLoneHigh) == u"\xD83D"sv);
  CHECK(utf8_from_utf16(u"\xD83D\xD83D\xDE00"sv) == joined(kLoneHigh, kFace));
  CHECK(utf8_from_modified(joined(kLoneHigh, "x")) == joined(kLoneHigh, "x"));
}

TEST_CASE("runs of ASCII of any length between other characters") {
  for (std::size_t before = 0; before < 10; ++before) {
    for (std::size_t after = 0; after < 10; ++after) {
      const std::u16string units = std::u16string(before, u'a') + u"\u00E9\xD83D\xDE00" +
                                   std::u16string(after, u'z') + u"\xD83D";
      const std::string text = std::string(before, 'a') + "\xC3\xA9" + std::string(kFace) +
                               std::string(after, 'z') + std::string(kLoneHigh);
      CHECK(utf8_from_utf16(units) == text);
    }
  }
}

TEST_CASE("what is no UTF-8 is replaced, byte by byte") {
  CHECK(modified_from_utf8("\xFF") == kReplacement);
  CHECK(modified_from_utf8("\xC3") == kReplacement);
  CHECK(modified_from_utf8("\xE2\x82") == joined(kReplacement, kReplacement));
  CHECK(modified_from_utf8("\xC1\xBF") == joined(kReplacement, kReplacement));
  CHECK(modified_from_utf8("\xF8") == kReplacement);
  CHECK(modified_from_utf8("\xC3(") == joined(kReplacement, "("));
  CHECK(utf16_from_utf8("\x80"
                        "a") ==
        u"\xFFFD"
        u"a");
}

}  // namespace jvmdebug::tests
