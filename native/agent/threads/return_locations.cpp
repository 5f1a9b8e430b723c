// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/return_locations.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "classfile/code_flow.h"

namespace jvmdebug::agent::threads {
namespace {

using Code = std::span<const std::uint8_t>;

// The names of methods that the VM itself calls while it resolves an instruction of Java code. A
// Java method with such a name is treated the same, which costs only time.
constexpr std::array<std::string_view, 10> kCalledByVm = {"<clinit>",
                                                          "checkPackageAccess",
                                                          "findMethodHandleType",
                                                          "linkCallSite",
                                                          "linkDynamicConstant",
                                                          "linkMethod",
                                                          "linkMethodHandleConstant",
                                                          "loadClass",
                                                          "loadClassInternal",
                                                          "transform"};

bool is_native(const jvmtiFrameInfo& frame) {
  return frame.location < 0;
}

class Finder {
 public:
  Finder(const jvm::Env& env, std::span<const jvmtiFrameInfo> frames)
      : env_(env), frames_(frames) {}

  // `own` and `first` as in FramesLeft, within the frames.
  jvm::Result<ReturnLocations> find(std::size_t own, std::size_t first) {
    for (std::size_t depth = first; depth < frames_.size(); ++depth) {
      JVMDEBUG_CHECK(add_handlers(frames_[depth]));
      // Native code may have swallowed an exception.
      if (depth == first || is_native(frames_[depth - 1])) {
        JVMDEBUG_CHECK(add_return_to(frames_[depth]));
      }
    }
    if (first > 0) {
      JVMDEBUG_ASSIGN(const Caller caller, caller_of(first - 1));
      found_.entries = first > own && caller != Caller::kJava;
      found_.throws_next = caller == Caller::kThrowing;
    }
    return std::move(found_);
  }

 private:
  jvm::Result<Code> code_of(jmethodID method) {
    const auto known = codes_.find(method);
    if (known != codes_.end()) {
      return known->second.span();
    }
    JVMDEBUG_ASSIGN(auto code, env_.get_bytecodes(method));
    return codes_.emplace(method, std::move(code)).first->second.span();
  }

  // kJava: the caller is at the call of this frame. Otherwise the caller is native code, or in the
  // middle of an instruction for which the VM has called something, such as an initialiser, or for
  // which it throws.
  enum class Caller : std::uint8_t { kJava, kNative, kVm, kThrowing };

  jvm::Result<Caller> caller_of(std::size_t depth) {
    if (depth + 1 == frames_.size() || is_native(frames_[depth + 1])) {
      return Caller::kNative;
    }
    const jvmtiFrameInfo& caller = frames_[depth + 1];
    JVMDEBUG_ASSIGN(const Code code, code_of(caller.method));
    JVMDEBUG_ASSIGN(const auto names, env_.get_method_name(frames_[depth].method));
    const std::string_view name = names.name.view();
    const auto at = static_cast<std::size_t>(caller.location);
    if (name == "<init>") {
      return classfile::is_invokespecial(code, at) ? Caller::kJava : Caller::kThrowing;
    }
    const bool named_by_java = std::ranges::find(kCalledByVm, name) == kCalledByVm.end();
    return classfile::is_invoke(code, at) && named_by_java ? Caller::kJava : Caller::kVm;
  }

  jvm::Result<void> add_return_to(const jvmtiFrameInfo& caller) {
    if (is_native(caller)) {
      return {};  // the Java code that called it is examined separately
    }
    JVMDEBUG_ASSIGN(const Code code, code_of(caller.method));
    if (const auto next =
            classfile::next_instruction(code, static_cast<std::size_t>(caller.location))) {
      found_.locations.insert({.method = caller.method, .index = static_cast<jlocation>(*next)});
    }
    return {};
  }

  jvm::Result<void> add_handlers(const jvmtiFrameInfo& frame) {
    if (is_native(frame) || !searched_.insert(frame.method).second) {
      return {};
    }
    JVMDEBUG_ASSIGN(const Code code, code_of(frame.method));
    for (const std::size_t block : classfile::exception_blocks(code)) {
      found_.locations.insert({.method = frame.method, .index = static_cast<jlocation>(block)});
    }
    return {};
  }

  const jvm::Env& env_;
  const std::span<const jvmtiFrameInfo> frames_;
  ReturnLocations found_;
  std::unordered_map<jmethodID, jvm::Buffer<unsigned char>> codes_;
  std::unordered_set<jmethodID> searched_;  // for handlers
};

}  // namespace

jvm::Result<ReturnLocations> return_locations(const jvm::Env& env, jthread thread,
                                              const FramesLeft& left) {
  JVMDEBUG_ASSIGN(const jint count, env.get_frame_count(thread));
  std::vector<jvmtiFrameInfo> frames(static_cast<std::size_t>(std::max(count, jint{0})));
  JVMDEBUG_ASSIGN(const jint filled, env.get_stack_trace(thread, 0, frames));
  frames.resize(static_cast<std::size_t>(filled));
  if (left.own < 0 || left.own >= filled || left.first < left.own || left.first > filled) {
    return std::unexpected(jvm::Error{JVMTI_ERROR_NO_MORE_FRAMES});
  }
  return Finder(env, frames)
      .find(static_cast<std::size_t>(left.own), static_cast<std::size_t>(left.first));
}

}  // namespace jvmdebug::agent::threads
