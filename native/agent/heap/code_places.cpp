// SPDX-License-Identifier: Apache-2.0
#include "agent/heap/code_places.h"

namespace jvmdebug::agent::heap {
namespace {

constexpr std::int32_t kUnknownLine = -1;
constexpr std::int32_t kNativeLine = -3;

std::int32_t line_of(const jvm::Env& env, const jvmtiFrameInfo& frame) {
  if (frame.location < 0) {
    return kNativeLine;
  }
  std::int32_t line = kUnknownLine;
  if (const auto lines = env.get_line_number_table(frame.method)) {
    jlocation nearest = -1;
    for (const jvmtiLineNumberEntry& entry : *lines) {
      if (entry.start_location <= frame.location && entry.start_location > nearest) {
        nearest = entry.start_location;
        line = entry.line_number;
      }
    }
  }
  return line;
}

}  // namespace

CodePlace code_place(const jvm::Env& env, const jvmtiFrameInfo& frame) {
  CodePlace place;
  if (frame.method == nullptr) {
    return place;
  }
  const auto names = env.get_method_name(frame.method);
  const auto type = env.get_method_declaring_class(frame.method);
  if (!names || !type) {
    return place;  // its class was unloaded
  }
  const auto owned = env.jni().adopt(*type);
  place.method = names->name.utf8();
  if (const auto signature = env.get_class_signature_only(owned)) {
    place.type = signature->utf8();
  }
  if (const auto source = env.get_source_file_name(owned)) {
    place.source = source->utf8();
  }
  place.line = line_of(env, frame);
  return place;
}

}  // namespace jvmdebug::agent::heap
