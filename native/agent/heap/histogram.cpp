// SPDX-License-Identifier: Apache-2.0
#include "agent/heap/histogram.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "agent/jvm/vm_library.h"

namespace jvmdebug::agent::heap {
namespace {

// JVM TI prescribes the parameters.
// NOLINTBEGIN(readability-non-const-parameter)
jint JNICALL on_object(jlong class_tag, jlong size, jlong* /*tag*/, jint /*length*/,
                       void* context) {
  auto& usages = *static_cast<std::vector<ClassUsage>*>(context);
  // 0: the class was loaded later.
  if (class_tag > 0 && static_cast<std::size_t>(class_tag) <= usages.size()) {
    ClassUsage& usage = usages[static_cast<std::size_t>(class_tag) - 1];
    ++usage.instances;
    usage.size += size;
  }
  return 0;
}

// NOLINTEND(readability-non-const-parameter)

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

// Removes blanks and a number from the front of the text.
std::optional<std::int64_t> take_number(std::string_view& text) {
  text = without_blanks(text);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// Converts `a.B` to `La/B;` and `[La.B;` to `[La/B;`. A hidden class `a.B/0x01` becomes
// `La/B.0x01;`, as JVM TI names it since JDK 15; before that JVM TI uses another number, which the
// VM does not print.
std::string signature_of(std::string_view name) {
  std::string signature(name);
  for (char& each : signature) {
    if (each == '.') {
      each = '/';
    } else if (each == '/') {
      each = '.';
    }
  }
  return name.starts_with('[') ? signature : 'L' + signature + ';';
}

// Parses `   1:   710   3428168  [I (java.base@17.0.15)`; nothing for other lines.
std::optional<ClassUsage> usage_of(std::string_view line) {
  if (!take_number(line) || !line.starts_with(':')) {
    return std::nullopt;
  }
  line.remove_prefix(1);
  const auto instances = take_number(line);
  const auto size = take_number(line);
  const std::string_view name = without_blanks(line.substr(0, line.rfind(" (")));
  if (!instances || !size || name.empty()) {
    return std::nullopt;
  }
  return ClassUsage{.signature = signature_of(name), .instances = *instances, .size = *size};
}

// Uses the VM's own histogram, which takes a third of the time: it knows the class of each object
// without looking for tags, and counts with the threads of its collector. Empty if it is not
// available.
std::vector<ClassUsage> ask_vm(const jvm::Env& env) {
  // A line is much shorter, but a collector may need several times the size of a large object.
  constexpr std::size_t kBytesOfLine = 1024;
  constexpr std::size_t kLeast = 2 << 20;
  std::vector<ClassUsage> usages;
  const auto types = env.get_loaded_classes();
  if (!types) {
    return usages;
  }
  const std::size_t count = types->size();
  for (jclass type : *types) {
    (void)env.jni().adopt(type);
  }
  const auto printed = jvm::diagnostic_command(env, "GC.class_histogram -all",
                                               std::max(kLeast, count * kBytesOfLine));
  if (!printed) {
    return usages;
  }
  std::string_view rest = *printed;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (auto usage = usage_of(line)) {
      usages.push_back(std::move(*usage));
    }
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return usages;
}

}  // namespace

jvm::Result<void> leave_out(const jvm::Env& env, std::vector<ClassUsage>& usages,
                            std::span<const jvm::LocalRef<jobject>> objects) {
  for (const auto& each : objects) {
    const auto type = env.jni().object_class(each);
    JVMDEBUG_ASSIGN(const auto signature, env.get_class_signature_only(type));
    JVMDEBUG_ASSIGN(const jlong size, env.get_object_size(each));
    const auto usage = std::ranges::find(usages, signature.utf8(), &ClassUsage::signature);
    if (usage != usages.end()) {
      --usage->instances;
      usage->size -= size;
    }
  }
  std::erase_if(usages, [](const ClassUsage& usage) { return usage.instances <= 0; });
  return {};
}

jvm::Result<std::vector<ClassUsage>> count_objects(const jvm::Env& env) {
  if (auto usages = ask_vm(env); !usages.empty()) {
    return usages;
  }
  JVMDEBUG_ASSIGN(const auto own, jvm::Env::create(env.vm()));
  JVMDEBUG_CHECK(own.add_capabilities({jvm::Capability::kTagObjects}));
  JVMDEBUG_ASSIGN(const auto types, own.get_loaded_classes());
  const jvm::Jni jni = own.jni();
  std::vector<ClassUsage> usages;
  usages.reserve(types.size());
  for (jclass type : types) {
    const auto owned = jni.adopt(type);
    JVMDEBUG_ASSIGN(const auto signature, own.get_class_signature_only(type));
    usages.push_back({.signature = signature.utf8()});
    JVMDEBUG_CHECK(own.set_tag(type, static_cast<jlong>(usages.size())));
  }
  jvmtiHeapCallbacks callbacks{};
  callbacks.heap_iteration_callback = on_object;
  JVMDEBUG_CHECK(own.iterate_through_heap(0, nullptr, callbacks, &usages));
  std::erase_if(usages, [](const ClassUsage& usage) { return usage.instances == 0; });
  return usages;
}

}  // namespace jvmdebug::agent::heap
