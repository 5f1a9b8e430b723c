// SPDX-License-Identifier: Apache-2.0
#include "python/log_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace jvmdebug::python {
namespace {

constexpr std::size_t kLongest = 40;  // the longest number in scientific notation
constexpr int kMostFloatDigits = 9;

// The digits d1 d2 d3… with the point behind d1, and the power of ten.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

class Scientific {
 public:
  // Finds the shortest text that reads back as the same double.
  explicit Scientific(double number) {
    end_ = std::to_chars(text_.data(), text_.data() + text_.size(), number,
                         std::chars_format::scientific)
               .ptr;
  }

  Scientific(double number, int digits) {
    end_ = std::to_chars(text_.data(), text_.data() + text_.size(), number,
                         std::chars_format::scientific, digits - 1)
               .ptr;
  }

  [[nodiscard]] bool reads_back(double number, bool is_float) const {
    double read = 0;
    (void)std::from_chars(text_.data(), end_, read);
    return (is_float ? static_cast<double>(static_cast<float>(read)) : read) == number;
  }

  // Returns the digits without trailing zeros.
  [[nodiscard]] Decimal decimal() const {
    const std::string_view text(text_.data(), static_cast<std::size_t>(end_ - text_.data()));
    const std::size_t mark = text.find('e');
    Decimal found;
    std::ranges::copy_if(text.substr(0, mark), std::back_inserter(found.digits),
                         [](char each) { return each != '.'; });
    found.digits.erase(std::max<std::size_t>(found.digits.find_last_not_of('0') + 1, 1));
    const std::size_t from = mark + (text[mark + 1] == '+' ? 2 : 1);
    (void)std::from_chars(text.data() + from, text.data() + text.size(), found.exponent);
    return found;
  }

 private:
  std::array<char, kLongest> text_{};
  char* end_ = nullptr;
};

Scientific shortest_float(double magnitude) {
  for (int digits = 1; digits < kMostFloatDigits; ++digits) {
    const Scientific text(magnitude, digits);
    if (text.reads_back(magnitude, true)) {
      return text;
    }
  }
  return {magnitude, kMostFloatDigits};
}

// Finds the shortest decimal. Java writes at least two digits: of the two-digit decimals that read
// back as the number, the closest.
Decimal shortest(double magnitude, bool is_float) {
  Decimal found = (is_float ? shortest_float(magnitude) : Scientific(magnitude)).decimal();
  if (found.digits.size() == 1) {
    const Scientific two(magnitude, 2);
    if (two.reads_back(magnitude, is_float)) {
      return two.decimal();
    }
  }
  return found;
}

void append_decimal(std::string& out, const Decimal& number) {
  constexpr int kLeastPlain = -3;
  constexpr int kFirstScientific = 7;
  const auto& [digits, exponent] = number;
  if (exponent < kLeastPlain || exponent >= kFirstScientific) {
    out += digits.front();
    out += '.';
    out += digits.size() > 1 ? std::string_view(digits).substr(1) : "0";
    out += 'E';
    out += std::to_string(exponent);
  } else if (exponent < 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-exponent - 1), '0');
    out += digits;
  } else {
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    out += std::string_view(digits).substr(0, whole);
    out.append(whole - std::min(whole, digits.size()), '0');
    out += '.';
    out += digits.size() > whole ? std::string_view(digits).substr(whole) : "0";
  }
}

}  // namespace

void append_floating(std::string& out, double number, bool is_float) {
  if (std::isnan(number)) {
    out += "NaN";
    return;
  }
  if (std::signbit(number)) {
    out += '-';
  }
  const double magnitude = std::fabs(number);
  if (std::isinf(magnitude)) {
    out += "Infinity";
  } else if (magnitude == 0) {
    out += "0.0";
  } else {
    append_decimal(out, shortest(magnitude, is_float));
  }
}

void append_number(std::string& out, char letter, std::int64_t bits) {
  switch (letter) {
    case 'Z':
      out += bits != 0 ? "true" : "false";
      return;
    case 'F':
      append_floating(
          out, static_cast<double>(std::bit_cast<float>(static_cast<std::int32_t>(bits))), true);
      return;
    case 'D':
      append_floating(out, std::bit_cast<double>(bits), false);
      return;
    default: {
      std::array<char, kLongest> text{};
      const auto written = std::to_chars(text.data(), text.data() + text.size(), bits);
      out.append(text.data(), written.ptr);
    }
  }
}

}  // namespace jvmdebug::python
