// SPDX-License-Identifier: Apache-2.0
//
// A second JVM TI environment, made when it is needed first: it may retransform classes, and its
// hook is called after those of all agents that were there before, so that it sees what they did.
// It has classes rewritten by CodeChanges, which alone decides what the VM is to run in place of a
// class file, and reads the bytes of classes. Both see what the VM has given up of the class file,
// see kept_parameters.h and record_counts.h. While it is on, the hook sees every class that is
// loaded or redefined, and does nothing for most.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <jvmti.h>

#include "agent/code/kept_parameters.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::code {

class ForeignWait;

// Why classes could not be changed, for people.
inline constexpr const char* kTransformerWaits =
    "a class file transformer of the program has not answered in time: it may wait for a thread "
    "that waits for the debugger";
// The error then, which the VM does not give for that.
inline constexpr jvmtiError kGivenUp = JVMTI_ERROR_INTERRUPT;

class LateEnvironment {
 public:
  // `vm_reads`: whether the memory of the VM may be read.
  static jvm::Result<std::unique_ptr<LateEnvironment>> create(const jvm::Jni& jni, bool vm_reads);

  LateEnvironment(const LateEnvironment&) = delete;
  LateEnvironment& operator=(const LateEnvironment&) = delete;
  ~LateEnvironment() = default;

  // What the VM is to run in place of a class file; none: that file; without bytes: that file too,
  // but where rewrite() asks, which fails then and changes nothing. On any thread.
  using Rewriter = std::function<std::optional<std::vector<std::uint8_t>>(
      const jvm::Jni& jni, jclass type, std::span<const std::uint8_t> bytes)>;

  // The class file that a class has now, where the VM would give an older one. On any thread.
  using Base =
      std::function<std::optional<std::vector<std::uint8_t>>(const jvm::Jni& jni, jclass type)>;

  // What the VM is to load in place of a class file, of a class of that name: a/b/C. On any thread.
  using Loading = std::function<std::optional<std::vector<std::uint8_t>>(
      std::string_view name, std::span<const std::uint8_t> bytes)>;

  // Before rewrite() or watch_changes() is called.
  void set_rewriter(Rewriter rewriter, Base base, Loading loading) {
    rewriter_ = std::move(rewriter);
    base_ = std::move(base);
    loading_ = std::move(loading);
  }

  // Runs something on a thread of the agent; whether it has begun.
  using Starter = std::function<bool(std::function<void()> work)>;

  void set_starter(Starter starter) { starter_ = std::move(starter); }

  // Has the VM ask the rewriter for these; from then on for all that are changed, while it is on.
  // kGivenUp if one is not initialized, and a transformer of the program does not come back: then
  // nothing is changed. Agent threads, one at a time.
  [[nodiscard]] jvm::Result<void> rewrite(std::span<const jclass> types, bool stay_on);

  // The same without a change. Agent threads, one at a time.
  void watch_changes();

  // The class file of a class as all agents have made it, read by a retransformation that is made
  // to fail, which changes nothing. While the hook is on. An error for classes that the VM does
  // not let anybody change, hidden ones for instance.
  [[nodiscard]] jvm::Result<std::vector<std::uint8_t>> class_bytes(jclass type) const;

  // The same while the hook may be off. Agent threads, one at a time.
  [[nodiscard]] jvm::Result<std::vector<std::uint8_t>> read_class(jclass type);

  // While it lives the current thread works for the agent here: exceptions that are made meanwhile
  // are the agent's own.
  class Use {
   public:
    explicit Use(const LateEnvironment& late);
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    Use(Use&&) = delete;
    Use& operator=(Use&&) = delete;
    ~Use();

   private:
    friend class LateEnvironment;

    struct ReadClass {
      jclass type = nullptr;
      std::vector<std::uint8_t> bytes;
    };

    const LateEnvironment& late_;
    Use* const outer_;
    ReadClass* reading_ = nullptr;
    bool rewrites_ = false;
    ForeignWait* wait_ = nullptr;
    const ToldParameters* told_ = nullptr;
  };

  // The innermost one of the current thread; null if there is none.
  [[nodiscard]] Use* use() const;

 private:
  LateEnvironment(jvm::Env env, bool vm_reads)
      : env_(std::move(env)), parameters_(env_, vm_reads) {}

  static void JNICALL class_file_load(jvmtiEnv* raw, JNIEnv* env, jclass redefined, jobject loader,
                                      const char* name, jobject domain, jint length,
                                      const unsigned char* bytes, jint* new_length,
                                      unsigned char** new_bytes);
  [[nodiscard]] bool may_need_to_wait(std::span<const jclass> types) const;
  [[nodiscard]] jvm::Result<void> retransform(std::span<const jclass> types, ForeignWait* wait,
                                              const ToldParameters* told) const;
  [[nodiscard]] jvm::Result<void> retransform_elsewhere(
      std::span<const jclass> types, const std::shared_ptr<const ToldParameters>& told);
  void answer(const jvm::Jni& jni, jclass redefined, std::string_view name,
              std::span<const std::uint8_t> bytes, jint* new_length,
              unsigned char** new_bytes) const;
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> made_whole(
      jclass type, std::span<const std::uint8_t> bytes, const ToldParameters* told) const;
  void load(std::string_view name, std::span<const std::uint8_t> bytes, jint* new_length,
            unsigned char** new_bytes) const;
  void give(std::span<const std::uint8_t> bytes, jint* new_length, unsigned char** new_bytes) const;

  jvm::Env env_;
  KeptParameters parameters_;
  std::atomic<bool> rewriting_ = false;
  std::atomic<int> given_up_ = 0;  // changes that transformers have not come back from
  Starter starter_;
  Rewriter rewriter_;
  Base base_;
  Loading loading_;
};

}  // namespace jvmdebug::agent::code
