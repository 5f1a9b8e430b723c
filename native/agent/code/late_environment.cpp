// SPDX-License-Identifier: Apache-2.0
#include "agent/code/late_environment.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/code/foreign_wait.h"
#include "agent/jvm/contain_exceptions.h"
#include "agent/jvm/local_capacity.h"
#include "classfile/record_counts.h"

namespace jvmdebug::agent::code {
namespace {

// Bytes that are no class file: the VM refuses them before it changes anything.
constexpr std::array<std::uint8_t, 4> kRefused{};

constexpr std::chrono::seconds kDeadline{3};  // for the transformers of a class

constexpr jvmtiEvent kHook = JVMTI_EVENT_CLASS_FILE_LOAD_HOOK;

}  // namespace

LateEnvironment::Use::Use(const LateEnvironment& late) : late_(late), outer_(late.use()) {
  // Fails only for a thread that has ended.
  (void)late_.env_.set_thread_local_storage(nullptr, this);
}

LateEnvironment::Use::~Use() {
  (void)late_.env_.set_thread_local_storage(nullptr, outer_);
}

LateEnvironment::Use* LateEnvironment::use() const {
  return static_cast<Use*>(env_.get_thread_local_storage(nullptr).value_or(nullptr));
}

jvm::Result<std::unique_ptr<LateEnvironment>> LateEnvironment::create(const jvm::Jni& jni,
                                                                      bool vm_reads) {
  JVMDEBUG_ASSIGN(jvm::Env env, jvm::Env::create(jni.vm()));
  const jvm::Capabilities wanted{jvm::Capability::kRetransformClasses,
                                 jvm::Capability::kRetransformAnyClass,
                                 jvm::Capability::kGetConstantPool};
  JVMDEBUG_ASSIGN(const jvm::Capabilities taken, jvm::take(env, wanted));
  if (!taken.has(jvm::Capability::kRetransformClasses)) {
    return std::unexpected(jvm::Error{JVMTI_ERROR_NOT_AVAILABLE});
  }
  std::unique_ptr<LateEnvironment> late(new LateEnvironment(std::move(env), vm_reads));
  JVMDEBUG_CHECK(late->env_.set_environment_local_storage(late.get()));
  jvmtiEventCallbacks callbacks{};
  callbacks.ClassFileLoadHook = class_file_load;
  JVMDEBUG_CHECK(late->env_.set_event_callbacks(callbacks, sizeof callbacks));
  return late;
}

jvm::Result<void> LateEnvironment::rewrite(std::span<const jclass> types, bool stay_on) {
  const auto told = parameters_.tell(env_, types, starter_);
  rewriting_ = true;
  JVMDEBUG_CHECK(env_.set_event_notification_mode(JVMTI_ENABLE, kHook));
  const auto done = may_need_to_wait(types) ? retransform_elsewhere(types, told)
                                            : retransform(types, nullptr, told.get());
  rewriting_ = stay_on || given_up_ > 0;  // changes that were given up still have to be refused
  if (!rewriting_) {
    JVMDEBUG_CHECK(env_.set_event_notification_mode(JVMTI_DISABLE, kHook));
  }
  return done;
}

// Whether a class is not initialized yet: the thread that is initializing it may wait for the
// debugger, and a transformer for that thread.
bool LateEnvironment::may_need_to_wait(std::span<const jclass> types) const {
  return std::ranges::any_of(types, [this](jclass type) {
    const auto status = env_.get_class_status(type);
    return status && (*status & JVMTI_CLASS_STATUS_INITIALIZED) == 0;
  });
}

jvm::Result<void> LateEnvironment::retransform(std::span<const jclass> types, ForeignWait* wait,
                                               const ToldParameters* told) const {
  Use current(*this);
  current.told_ = told;
  current.rewrites_ = true;
  current.wait_ = wait;
  return env_.retransform_classes(types);
}

jvm::Result<void> LateEnvironment::retransform_elsewhere(
    std::span<const jclass> types, const std::shared_ptr<const ToldParameters>& told) {
  if (given_up_ > 0) {
    return std::unexpected(jvm::Error{kGivenUp});
  }
  const jvm::Jni jni = env_.jni();
  auto wait = std::make_shared<ForeignWait>(types.size());
  auto kept = std::make_shared<std::vector<jvm::GlobalRef<jclass>>>();
  for (jclass const type : types) {
    kept->push_back(jni.global(type));
  }
  const bool has_begun = starter_([this, wait, kept, told] {
    const std::vector<jclass> plain(kept->begin(), kept->end());
    if (wait->ended(retransform(plain, wait.get(), told.get()))) {
      --given_up_;
    }
  });
  if (!has_begun) {
    return retransform(types, nullptr, told.get());
  }
  ++given_up_;
  const auto result = wait->wait(kDeadline);
  if (!result) {
    return std::unexpected(jvm::Error{kGivenUp});
  }
  --given_up_;
  return *result;
}

void LateEnvironment::watch_changes() {
  rewriting_ = true;
  (void)env_.set_event_notification_mode(JVMTI_ENABLE, kHook);
}

jvm::Result<std::vector<std::uint8_t>> LateEnvironment::class_bytes(jclass type) const {
  const std::array<jclass, 1> types{type};
  Use::ReadClass read{.type = type, .bytes = {}};
  Use current(*this);
  current.reading_ = &read;
  const auto done = env_.retransform_classes(types);
  if (read.bytes.empty()) {
    return std::unexpected(done ? jvm::Error{JVMTI_ERROR_INTERNAL} : done.error());
  }
  return std::move(read.bytes);
}

jvm::Result<std::vector<std::uint8_t>> LateEnvironment::read_class(jclass type) {
  if (rewriting_) {
    return class_bytes(type);
  }
  JVMDEBUG_CHECK(env_.set_event_notification_mode(JVMTI_ENABLE, kHook));
  auto bytes = class_bytes(type);
  JVMDEBUG_CHECK(env_.set_event_notification_mode(JVMTI_DISABLE, kHook));
  return bytes;
}

void JNICALL LateEnvironment::class_file_load(jvmtiEnv* raw, JNIEnv* env, jclass redefined,
                                              jobject /*loader*/, const char* name,
                                              jobject /*domain*/, jint length,
                                              const unsigned char* bytes, jint* new_length,
                                              unsigned char** new_bytes) {
  if (name == nullptr) {
    return;
  }
  void* stored = nullptr;
  if (raw->GetEnvironmentLocalStorage(&stored) != JVMTI_ERROR_NONE || stored == nullptr) {
    return;
  }
  jvm::contain_exceptions("a class was not looked at", [&] {
    const auto& late = *static_cast<const LateEnvironment*>(stored);
    const std::span file(bytes, static_cast<std::size_t>(length));
    if (redefined == nullptr) {
      late.load(name, file, new_length, new_bytes);
    } else {
      jvm::announce_callback(env);  // the classes of a change
      late.answer(jvm::Jni(env), redefined, name, file, new_length, new_bytes);
    }
  });
}

// Answers the hook for a class that is redefined. While one is, the VM names it also for other
// classes that it loads, so the names are compared.
void LateEnvironment::answer(const jvm::Jni& jni, jclass redefined, std::string_view name,
                             std::span<const std::uint8_t> bytes, jint* new_length,
                             unsigned char** new_bytes) const {
  const Use* const current = use();
  Use::ReadClass* const reading = current == nullptr ? nullptr : current->reading_;
  const auto signature = env_.get_class_signature_only(redefined);
  if (!signature || signature->view() != "L" + std::string(name) + ";") {
    load(name, bytes, new_length, new_bytes);
    return;
  }
  const auto base = base_ ? base_(jni, redefined) : std::nullopt;
  // Changes by other agents get what they would get without this agent.
  const bool is_asked = reading != nullptr || (current != nullptr && current->rewrites_);
  const auto whole = is_asked && !base ? made_whole(redefined, bytes, current->told_) : base;
  const auto from = whole ? std::span<const std::uint8_t>(*whole) : bytes;
  if (current != nullptr && current->wait_ != nullptr && !current->wait_->is_wanted()) {
    give(kRefused, new_length, new_bytes);
    return;
  }
  if (reading != nullptr && jni.same(redefined, reading->type)) {
    reading->bytes.assign(from.begin(), from.end());
    give(kRefused, new_length, new_bytes);
  } else if (rewriting_) {
    const auto rewritten = rewriter_(jni, redefined, from);
    const bool is_refused = rewritten && rewritten->empty();
    if (is_refused && current != nullptr && current->rewrites_) {
      give(kRefused, new_length, new_bytes);
    } else if (rewritten && !is_refused) {
      give(*rewritten, new_length, new_bytes);
    } else if (whole) {
      give(*whole, new_length, new_bytes);
    }
  }
}

// Returns the class file that the VM has made of a class, with what the VM leaves out of it; none
// if it leaves out nothing.
std::optional<std::vector<std::uint8_t>> LateEnvironment::made_whole(
    jclass type, std::span<const std::uint8_t> bytes, const ToldParameters* told) const {
  auto counted = classfile::with_record_counts(bytes);
  const auto from = counted ? std::span<const std::uint8_t>(*counted) : bytes;
  auto whole = parameters_.put_back(env_, type, from, told);
  return whole ? std::move(whole) : std::move(counted);
}

void LateEnvironment::load(std::string_view name, std::span<const std::uint8_t> bytes,
                           jint* new_length, unsigned char** new_bytes) const {
  if (const auto loaded = rewriting_ && loading_ ? loading_(name, bytes) : std::nullopt) {
    give(*loaded, new_length, new_bytes);
  }
}

void LateEnvironment::give(std::span<const std::uint8_t> bytes, jint* new_length,
                           unsigned char** new_bytes) const {
  if (const auto memory = env_.allocate(bytes.size())) {
    std::ranges::copy(bytes, *memory);
    *new_bytes = *memory;
    *new_length = static_cast<jint>(bytes.size());
  }
}

}  // namespace jvmdebug::agent::code
