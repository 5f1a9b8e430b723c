// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/own_threads.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "agent/jvm/contain_exceptions.h"
#include "agent/scope.h"

namespace jvmdebug::agent::threads {
namespace {

struct Start {
  std::function<void()> body;
};

void JNICALL run(jvmtiEnv* raw, JNIEnv* /*jni*/, void* argument) {
  const std::unique_ptr<Start> start(static_cast<Start*>(argument));
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a number kept where the VM keeps a pointer for us
  const auto* const key = reinterpret_cast<const void*>(OwnThreads::kKey);
  // Fails only when the VM is shutting down; then the key is not read again.
  (void)raw->SetThreadLocalStorage(nullptr, key);
  jvm::contain_exceptions("a thread of the agent has ended", std::ref(start->body));
}

jvm::LocalRef<jobject> new_java_thread(const jvm::Jni& jni, const char* name) {
  const auto type = jni.find_class("java/lang/Thread");
  if (!type) {
    return {};
  }
  const jmethodID constructor = jni->GetMethodID(type, "<init>", "(Ljava/lang/String;)V");
  const auto text = jni.new_string(name);
  if (constructor == nullptr || !text) {
    (void)jni.clear_exception();
    return {};
  }
  auto thread = jni.adopt(jni->NewObject(type, constructor, text->get()));
  if (jni.clear_exception()) {
    return {};
  }
  return thread;
}

}  // namespace

Result<void> OwnThreads::start(const jvm::Jni& jni, const char* name, std::function<void()> body) {
  const auto thread = new_java_thread(jni, name);
  if (!thread) {
    return fail(protocol::Error::kOutOfMemory);
  }
  auto reference = std::make_shared<const jvm::GlobalRef<jobject>>(jni.global(thread.get()));
  {
    const std::scoped_lock lock(starting_);
    List more = *list_.load();
    more.push_back(std::move(reference));
    list_.store(std::make_shared<const List>(std::move(more)));
  }
  auto start = std::make_unique<Start>([running = running_, work = std::move(body)] {
    const AtExit left([&] { count(*running, -1); });
    work();
  });
  count(*running_, 1);
  const auto started =
      env_.run_agent_thread(thread.get(), run, start.get(), JVMTI_THREAD_MAX_PRIORITY);
  if (!started) {
    count(*running_, -1);
    return std::unexpected(started.error());
  }
  (void)start.release();  // the thread owns it now
  return {};
}

void OwnThreads::count(Running& running, int more) {
  const std::scoped_lock lock(running.mutex);
  running.threads += more;
  running.changed.notify_all();
}

void OwnThreads::wait_for_others() const {
  std::unique_lock lock(running_->mutex);
  running_->changed.wait(lock, [this] { return running_->threads <= 1; });
}

bool OwnThreads::wait_until_left(int left, std::chrono::steady_clock::time_point deadline) const {
  std::unique_lock lock(running_->mutex);
  return running_->changed.wait_until(lock, deadline, [&] { return running_->threads <= left; });
}

// There are few of them, and a comparison costs less than reading a thread's storage.
bool OwnThreads::contains(const jvm::Jni& jni, jthread thread) const {
  const auto list = list_.load();
  return std::ranges::any_of(*list, [&](const auto& own) { return jni.same(*own, thread); });
}

}  // namespace jvmdebug::agent::threads
