// SPDX-License-Identifier: Apache-2.0
#include "agent/thread_dump/virtual_threads.h"

#include <utility>

#include "agent/jvm/heap_walk.h"

namespace jvmdebug::agent::thread_dump {
namespace {

// java.lang.VirtualThread.state
constexpr jint kNew = 0;
constexpr jint kTerminated = 99;

}  // namespace

jvm::Result<void> VirtualThreads::find(const std::vector<jthread>& platform_threads) {
  if (!fields_.virtual_thread || fields_.state == nullptr || !fields_.containers) {
    return {};  // no virtual thread has begun yet
  }
  if (!fields_.know_containers() ||
      jni_->GetStaticBooleanField(fields_.containers, fields_.tracks_all) == JNI_FALSE) {
    return search_heap();
  }
  read_root();
  read_registry();
  for (jthread thread : platform_threads) {
    read_scopes(thread);
  }
  return {};
}

jvm::Result<void> VirtualThreads::search_heap() {
  JVMDEBUG_ASSIGN(const auto found, jvm::HeapWalk::virtual_threads_to_visit(env_));
  for (const auto& thread : found.built) {
    add(thread);
  }
  return {};
}

// Reads the threads that were started without an executor.
void VirtualThreads::read_root() {
  const auto root = jni_.adopt(jni_->GetStaticObjectField(fields_.containers, fields_.root));
  if (!root) {
    return;
  }
  const auto type = jni_.object_class(root);
  const jfieldID threads = jni_->GetStaticFieldID(type, "VTHREADS", "Ljava/util/Set;");
  if (jni_.clear_exception() || threads == nullptr) {
    return;
  }
  const auto set = jni_.adopt(jni_->GetStaticObjectField(type, threads));
  read_set(set, [this](jobject thread) { add(thread); });
}

void VirtualThreads::read_registry() {
  const auto registry =
      jni_.adopt(jni_->GetStaticObjectField(fields_.containers, fields_.registry));
  read_set(registry, [this](jobject reference) {
    if (const auto container = field(reference, fields_.referent)) {
      read_container(container);
    }
  });
}

// Reads the containers of structured concurrency: a thread is inside nested containers. Containers
// of virtual threads are in the registry.
void VirtualThreads::read_scopes(jthread owner) {
  auto scope = field(owner, fields_.scopes);
  while (scope) {
    read_container(scope);
    scope = field(scope, fields_.previous_scope);
  }
}

void VirtualThreads::read_container(jobject container) {
  const auto add_thread = [this](jobject thread) { add(thread); };
  if (fields_.executor && jni_.instance_of(container, fields_.executor)) {
    read_set(field(container, fields_.executor_threads), add_thread);
  } else if (fields_.shared && jni_.instance_of(container, fields_.shared)) {
    read_set(field(container, fields_.shared_threads), add_thread);
  } else if (fields_.flock_container && jni_.instance_of(container, fields_.flock_container)) {
    if (const auto flock = field(container, fields_.flock)) {
      read_set(field(flock, fields_.flock_threads), add_thread);
    }
  }
}

template <class Use>
void VirtualThreads::read_set(jobject set, const Use& use) {
  const auto map = set == nullptr ? jvm::LocalRef<jobject>() : field(set, fields_.map);
  const auto table =
      map ? field(map, fields_.table).template as<jobjectArray>() : jvm::LocalRef<jobjectArray>();
  if (!table) {
    return;
  }
  const jsize length = jni_->GetArrayLength(table);
  for (jsize index = 0; index < length; ++index) {
    read_bin(table, index, use);
  }
}

// Reads one slot of the map's table: a chain of nodes or similar. While the map grows, moved
// entries are in two slots of the next table.
template <class Use>
void VirtualThreads::read_bin(jobjectArray table, jsize index, const Use& use) {
  auto node = jni_.adopt(jni_->GetObjectArrayElement(table, index));
  if (node && jni_->GetIntField(node, fields_.hash) < 0) {
    if (fields_.forwarding && jni_.instance_of(node, fields_.forwarding)) {
      const auto next = field(node, fields_.next_table).template as<jobjectArray>();
      const jsize length = jni_->GetArrayLength(table);
      if (next && jni_->GetArrayLength(next) >= 2 * length) {
        read_bin(next, index, use);
        read_bin(next, index + length, use);
      }
      return;
    }
    const bool is_tree = fields_.tree && jni_.instance_of(node, fields_.tree);
    node = is_tree ? field(node, fields_.first) : jvm::LocalRef<jobject>();
  }
  while (node) {
    if (const auto key = field(node, fields_.key)) {
      use(key.get());
    }
    node = field(node, fields_.next);
  }
}

void VirtualThreads::add(jobject thread) {
  if (!jni_.instance_of(thread, fields_.virtual_thread)) {
    return;  // an executor may have platform threads
  }
  const jint state = jni_->GetIntField(thread, fields_.state);
  if (state == kNew || state == kTerminated) {
    return;
  }
  ++count_;
  if (threads_.size() < most_) {
    threads_.push_back(jni_.local<jthread>(thread));
  }
}

}  // namespace jvmdebug::agent::thread_dump
