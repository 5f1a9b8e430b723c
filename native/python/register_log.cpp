// SPDX-License-Identifier: Apache-2.0
//
// LogRenderer: writes the records of Probes.ReadLog as lines of text.
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "codec/reader.h"
#include "python/byte_view.h"
#include "python/errors.h"
#include "python/log_text.h"
#include "python/register.h"

namespace jvmdebug::python {

namespace py = pybind11;

namespace {

enum Tag : std::uint8_t { kNull, kLong, kText, kEnd, kOther, kBox, kEnum, kArray };

constexpr char kTextLetter = 's';
constexpr char kCharLetter = 'C';
constexpr std::string_view kCut = "…";

// A literal text, or a value of a type.
struct Part {
  std::string literal;
  char letter = 0;
};

py::str to_str(std::string_view utf8) {
  PyObject* const text =
      PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "surrogatepass");
  if (text == nullptr) {
    throw py::error_already_set();
  }
  return py::reinterpret_steal<py::str>(text);
}

bool is_plain(std::string_view text) {
  for (const char each : text) {
    if (each < ' ' || each > '~') {
      return false;
    }
  }
  return true;
}

// Skips the values of a record, or the rest of them.
void skip(codec::Reader& reader) {
  while (!reader.failed()) {
    switch (reader.read_byte()) {
      case kLong:
        (void)reader.read_long();
        break;
      case kText:
        (void)reader.read_string();
        break;
      case kOther:
        (void)reader.read_int();
        (void)reader.read_string();
        break;
      case kBox:
        (void)reader.read_byte();
        (void)reader.read_long();
        break;
      case kEnum:
        (void)reader.read_string();
        (void)reader.read_string();
        break;
      case kArray:
        (void)reader.read_int();
        (void)reader.read_string();
        (void)reader.read_int();
        break;
      case kEnd:
        return;
      default:
        break;
    }
  }
}

// The numbers of the first and the last record of each thread with one of these formats, by the
// index of the thread: a number is the second value. Much cheaper than reading the calls.
std::unordered_map<std::int32_t, std::pair<std::int64_t, std::int64_t>> recorded_calls(
    const py::object& records, const std::unordered_set<std::int32_t>& formats) {
  const ByteView view(records);
  codec::Reader reader(view.bytes());
  std::unordered_map<std::int32_t, std::pair<std::int64_t, std::int64_t>> found;
  while (reader.remaining() > 0) {
    const std::int32_t format = reader.read_int();
    const std::int32_t thread = reader.read_int();
    if (formats.contains(format)) {
      codec::Reader values = reader;
      if (values.read_byte() == kLong) {
        (void)values.read_long();  // when it was
        if (values.read_byte() == kLong) {
          const std::int64_t number = values.read_long();
          found.try_emplace(thread, number, number).first->second.second = number;
        }
      }
    }
    skip(reader);
  }
  if (reader.failed()) {
    throw WireException("the records of calls are cut");
  }
  return found;
}

class LogRenderer {
 public:
  explicit LogRenderer(py::function escape) : escape_(std::move(escape)) {}

  void add(std::int32_t format, const py::list& parts) {
    std::vector<Part> found;
    for (const auto& part : parts) {
      if (py::isinstance<py::bytes>(part)) {
        found.push_back({.literal = part.cast<std::string>(), .letter = 0});
      } else {
        found.push_back({.literal = {}, .letter = part.cast<std::string>().at(0)});
      }
    }
    formats_[format] = std::move(found);
  }

  void forget(std::int32_t format) { formats_.erase(format); }

  py::list render(const py::object& records, std::size_t longest, bool by_line) {
    const ByteView view(records);
    codec::Reader reader(view.bytes());
    py::list runs;
    Run run;
    while (reader.remaining() > 0) {
      const std::int32_t format = reader.read_int();
      const std::int32_t thread = reader.read_int();
      const auto known = formats_.find(format);
      if (known == formats_.end()) {
        skip(reader);
        continue;
      }
      if (run.count > 0 && (by_line || run.format != format)) {
        end(runs, run);
      }
      if (run.count++ == 0) {
        run.format = format;
        run.thread = thread;
      } else {
        run.text += '\n';
      }
      add_or_skip(run.text, reader, known->second, longest);
    }
    if (reader.failed()) {
      throw WireException("the records of log points are cut");
    }
    if (run.count > 0) {
      end(runs, run);
    }
    return runs;
  }

 private:
  // Consecutive lines of one format.
  struct Run {
    std::int32_t format = 0;
    std::int32_t thread = 0;
    std::int64_t count = 0;
    std::string text;
  };

  static void end(py::list& runs, Run& run) {
    runs.append(py::make_tuple(run.format, run.thread, run.count, to_str(run.text)));
    run.text.clear();
    run.count = 0;
  }

  // Adds a line. If it cannot be written, a message takes its place, so that the lines around it
  // are not lost.
  void add_or_skip(std::string& out, codec::Reader& reader, const std::vector<Part>& parts,
                   std::size_t longest) {
    const codec::Reader values = reader;
    std::string reason;
    line_.clear();
    try {
      add_line(line_, reader, parts, longest);
      out += line_;
      return;
    } catch (const WireException& error) {
      reason = error.what();
    } catch (const py::error_already_set& error) {
      reason = error.what();
    }
    out += "<this line cannot be written: " + reason.substr(0, reason.find('\n')) + ">";
    reader = values;
    skip(reader);
  }

  void add_line(std::string& out, codec::Reader& reader, const std::vector<Part>& parts,
                std::size_t longest) {
    for (const Part& part : parts) {
      if (part.letter == 0) {
        out += part.literal;
      } else {
        add_value(out, reader, part.letter, longest);
      }
    }
    if (reader.read_byte() != kEnd) {
      throw WireException("a record of a log point has other values than its message");
    }
  }

  void add_value(std::string& out, codec::Reader& reader, char letter, std::size_t longest) {
    const auto tag = reader.read_byte();
    if (tag == kText && letter == kTextLetter) {
      const std::string text = reader.read_string();
      if (is_plain(text)) {
        out += text;
      } else {
        out += escape_(to_str(text)).cast<std::string>();
      }
      return;
    }
    if (tag == kNull) {
      add_cut(out, "null", longest);
      return;
    }
    if (tag != kLong || letter == kTextLetter) {
      throw WireException("a record of a log point has other values than its message");
    }
    const std::int64_t bits = reader.read_long();
    if (letter == kCharLetter) {
      add_character(out, bits);
      return;
    }
    number_.clear();
    append_number(number_, letter, bits);
    add_cut(out, number_, longest);
  }

  void add_character(std::string& out, std::int64_t unit) {
    if (unit >= ' ' && unit <= '~') {
      out += static_cast<char>(unit);
      return;
    }
    PyObject* const text = PyUnicode_FromOrdinal(static_cast<int>(unit & UINT16_MAX));
    if (text == nullptr) {
      throw py::error_already_set();
    }
    out += escape_(py::reinterpret_steal<py::str>(text)).cast<std::string>();
  }

  static void add_cut(std::string& out, std::string_view text, std::size_t longest) {
    if (text.size() <= longest) {
      out += text;
      return;
    }
    out += text.substr(0, longest == 0 ? 0 : longest - 1);
    out += kCut;
  }

  py::function escape_;
  std::unordered_map<std::int32_t, std::vector<Part>> formats_;
  std::string number_;
  std::string line_;  // being written
};

}  // namespace

void register_log(py::module_& module) {
  py::class_<LogRenderer>(module, "LogRenderer", "Writes the records of log points as lines.")
      .def(py::init<py::function>(), py::arg("escape"))
      .def(
          "add", &LogRenderer::add, py::arg("format"), py::arg("parts"),
          "What records with this number mean: texts as bytes, values by the letter of their type.")
      .def("forget", &LogRenderer::forget, py::arg("format"), "None for one that is not known.")
      .def("render", &LogRenderer::render, py::arg("records"), py::arg("longest"), py::kw_only(),
           py::arg("by_line"),
           "Tuples (format, thread, lines, text). WireError: the records are not what was added.");
  module.def("recorded_calls", &recorded_calls, py::arg("records"), py::arg("formats"),
             "The first and last number of each thread, by its index. WireError if they are cut.");
}

}  // namespace jvmdebug::python
