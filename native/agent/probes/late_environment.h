// SPDX-License-Identifier: Apache-2.0
//
// A second JVM TI environment, made when it is needed first: it may retransform classes, and its
// hook is called after those of all agents that were there before, so that it sees what they did.
// It has classes rewritten by ProbeTable, which alone decides what the VM is to run in place of a
// class file, and reads the bytes of classes. While it is on, the hook sees every class that is
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

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::probes {

class LateEnvironment {
 public:
  static jvm::Result<std::unique_ptr<LateEnvironment>> create(const jvm::Jni& jni);

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

  // Before rewrite() or watch_changes() is called.
  void set_rewriter(Rewriter rewriter, Base base) {
    rewriter_ = std::move(rewriter);
    base_ = std::move(base);
  }

  // Has the VM ask the rewriter for these; from then on for all that are changed, while it is on.
  // Agent threads, one at a time.
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
  };

  // The innermost one of the current thread; null if there is none.
  [[nodiscard]] Use* use() const;

 private:
  explicit LateEnvironment(jvm::Env env) : env_(std::move(env)) {}

  static void JNICALL class_file_load(jvmtiEnv* raw, JNIEnv* env, jclass redefined, jobject loader,
                                      const char* name, jobject domain, jint length,
                                      const unsigned char* bytes, jint* new_length,
                                      unsigned char** new_bytes);
  void answer(const jvm::Jni& jni, jclass redefined, std::string_view name,
              std::span<const std::uint8_t> bytes, jint* new_length,
              unsigned char** new_bytes) const;
  void give(std::span<const std::uint8_t> bytes, jint* new_length, unsigned char** new_bytes) const;

  jvm::Env env_;
  std::atomic<bool> rewriting_ = false;
  Rewriter rewriter_;
  Base base_;
};

}  // namespace jvmdebug::agent::probes
