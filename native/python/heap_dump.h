// SPDX-License-Identifier: Apache-2.0
//
// A heap dump for Python, with the results that were computed from it so far. Used by register_heap
// and register_heap_tables.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include <pybind11/pybind11.h>

#include "heap/dominators.h"
#include "heap/dump.h"
#include "heap/graph.h"
#include "heap/strings.h"

namespace jvmdebug::python {

// Runs `work` without the GIL, which is taken for each report of progress. An exception of a report
// is rethrown here.
template <class Work>
auto while_reporting(const pybind11::object& report, const Work& work) {
  std::exception_ptr raised;
  const heap::Progress progress = [&](double done) {
    const pybind11::gil_scoped_acquire held;
    try {
      if (PyErr_CheckSignals() != 0) {
        throw pybind11::error_already_set();
      }
      if (!report.is_none()) {
        report(done);
      }
      return true;
    } catch (const pybind11::error_already_set&) {
      raised = std::current_exception();
      return false;
    }
  };
  try {
    const pybind11::gil_scoped_release released;
    return work(progress);
  } catch (const heap::CancelledError&) {
    if (raised) {
      std::rethrow_exception(raised);
    }
    throw;
  }
}

class HeapDump {
 public:
  HeapDump(const std::string& path, const pybind11::object& progress)
      : dump_(while_reporting(progress,
                              [&](const heap::Progress& report) {
                                return std::make_unique<heap::Dump>(path, report);
                              })),
        strings_(*dump_) {}

  [[nodiscard]] const heap::Dump& dump() const { return *dump_; }

  [[nodiscard]] const heap::Strings& strings() const { return strings_; }

  void find_references(const pybind11::object& progress) {
    if (!graph_) {
      graph_ = while_reporting(progress, [&](const heap::Progress& report) {
        return std::make_unique<heap::Graph>(*dump_, report);
      });
    }
  }

  void find_dominators(const pybind11::object& progress) {
    find_references(progress);
    if (!dominators_) {
      dominators_ = while_reporting(progress, [&](const heap::Progress& report) {
        return std::make_unique<heap::Dominators>(*dump_, *graph_, report);
      });
    }
  }

  const heap::Graph& graph() {
    find_references(pybind11::none());
    return *graph_;
  }

  const heap::Dominators& dominators() {
    find_dominators(pybind11::none());
    return *dominators_;
  }

  heap::Object checked(std::uint64_t object) const {
    if (object >= dump_->object_count()) {
      throw pybind11::index_error("the dump has no object " + std::to_string(object));
    }
    return static_cast<heap::Object>(object);
  }

 private:
  std::unique_ptr<heap::Dump> dump_;
  heap::Strings strings_;
  std::unique_ptr<heap::Graph> graph_;
  std::unique_ptr<heap::Dominators> dominators_;
};

// Converts a text of a dump, which may be invalid UTF-8.
[[nodiscard]] inline pybind11::str to_str(std::string_view text) {
  return pybind11::reinterpret_steal<pybind11::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<pybind11::ssize_t>(text.size()), "replace"));
}

void register_heap_tables(pybind11::module_& module, pybind11::class_<HeapDump>& type);

}  // namespace jvmdebug::python
