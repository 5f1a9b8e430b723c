// SPDX-License-Identifier: Apache-2.0
//
// A second JVM TI environment, made when it is needed for the first time. It may retransform
// classes. Its hook is called after the hooks of all agents that were there before, so it sees what
// they did. It hands class files to CodeChanges, which alone decides what the VM runs in their
// place, and it reads the bytes of classes. Both get what the VM leaves out of class files, see
// kept_parameters.h and record_counts.h. While the hook is on, it sees every class that is loaded
// or redefined, and does nothing for most.
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

// The reason, for people, why classes could not be changed.
inline constexpr const char* kTransformerWaits =
    "a class file transformer of the program has not answered in time: it may wait for a thread "
    "that waits for the debugger";
// The error in that case; the VM does not return it from a retransformation.
inline constexpr jvmtiError kGivenUp = JVMTI_ERROR_INTERRUPT;

class LateEnvironment {
 public:
  // `vm_reads`: whether the memory of the VM may be read.
  static jvm::Result<std::unique_ptr<LateEnvironment>> create(const jvm::Jni& jni, bool vm_reads);

  LateEnvironment(const LateEnvironment&) = delete;
  LateEnvironment& operator=(const LateEnvironment&) = delete;
  ~LateEnvironment() = default;

  // Returns what the VM runs in place of a class file. None leaves the file as it is. Empty bytes
  // refuse it: a change that rewrite() has asked for then fails and changes nothing, and any other
  // change takes the file as it is. Any thread.
  using Rewriter = std::function<std::optional<std::vector<std::uint8_t>>(
      const jvm::Jni& jni, jclass type, std::span<const std::uint8_t> bytes)>;

  // Returns the current class file of a class where the VM would give an older one. Any thread.
  using Base =
      std::function<std::optional<std::vector<std::uint8_t>>(const jvm::Jni& jni, jclass type)>;

  // Returns what the VM loads in place of the class file of a class with that name: a/b/C. Any
  // thread.
  using Loading = std::function<std::optional<std::vector<std::uint8_t>>(
      std::string_view name, std::span<const std::uint8_t> bytes)>;

  // Sets the functions above. Called before rewrite() and watch_changes().
  void set_rewriter(Rewriter rewriter, Base base, Loading loading) {
    rewriter_ = std::move(rewriter);
    base_ = std::move(base);
    loading_ = std::move(loading);
  }

  // Runs `work` on a thread of the agent. Returns whether it has begun.
  using Starter = std::function<bool(std::function<void()> work)>;

  void set_starter(Starter starter) { starter_ = std::move(starter); }

  // Has the VM ask the rewriter for these classes; with `stay_on` also for all that are changed
  // later. Fails with kGivenUp, and changes nothing, if one of them is not initialized and a
  // transformer of the program does not return. Agent threads, one at a time.
  [[nodiscard]] jvm::Result<void> rewrite(std::span<const jclass> types, bool stay_on);

  // Switches the hook on without a change. Agent threads, one at a time.
  void watch_changes();

  // Reads the class file of a class as all agents have made it, by a retransformation that is made
  // to fail, so it changes nothing. Called while the hook is on. Fails for classes that the VM
  // allows no agent to change, such as hidden ones.
  [[nodiscard]] jvm::Result<std::vector<std::uint8_t>> class_bytes(jclass type) const;

  // Reads it whether or not the hook is on. Agent threads, one at a time.
  [[nodiscard]] jvm::Result<std::vector<std::uint8_t>> read_class(jclass type);

  // Marks that the current thread works for the agent during the lifetime of the object: exceptions
  // that are constructed meanwhile are the agent's own.
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

  // Returns the innermost one of the current thread, or null.
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
  std::atomic<int> given_up_ = 0;  // changes whose transformers have not returned
  Starter starter_;
  Rewriter rewriter_;
  Base base_;
  Loading loading_;
};

}  // namespace jvmdebug::agent::code
