// SPDX-License-Identifier: Apache-2.0
#include "agent/thread_dump/jdk_fields.h"

#include <array>
#include <string_view>
#include <utility>

namespace jvmdebug::agent::thread_dump {
namespace {

constexpr std::string_view kThread = "Ljava/lang/Thread;";
constexpr std::string_view kSynchronizer =
    "Ljava/util/concurrent/locks/AbstractOwnableSynchronizer;";
constexpr std::string_view kVirtualThread = "Ljava/lang/VirtualThread;";
constexpr std::string_view kContainers = "Ljdk/internal/vm/ThreadContainers;";
constexpr std::string_view kScope = "Ljdk/internal/vm/StackableScope;";
constexpr std::string_view kExecutor = "Ljava/util/concurrent/ThreadPerTaskExecutor;";
constexpr std::string_view kShared = "Ljdk/internal/vm/SharedThreadContainer;";
constexpr std::string_view kFlock = "Ljdk/internal/misc/ThreadFlock;";
constexpr std::string_view kFlockContainer = "Ljdk/internal/misc/ThreadFlock$ThreadContainerImpl;";
constexpr std::string_view kMap = "Ljava/util/concurrent/ConcurrentHashMap;";
constexpr std::string_view kView = "Ljava/util/concurrent/ConcurrentHashMap$CollectionView;";
constexpr std::string_view kNode = "Ljava/util/concurrent/ConcurrentHashMap$Node;";
constexpr std::string_view kForwarding = "Ljava/util/concurrent/ConcurrentHashMap$ForwardingNode;";
constexpr std::string_view kTree = "Ljava/util/concurrent/ConcurrentHashMap$TreeBin;";
constexpr std::string_view kReference = "Ljava/lang/ref/Reference;";

constexpr std::array kWanted{kThread,   kSynchronizer, kVirtualThread, kContainers,     kScope,
                             kExecutor, kShared,       kFlock,         kFlockContainer, kMap,
                             kView,     kNode,         kForwarding,    kTree,           kReference};

// Finds the wanted classes of the boot loader. A field is looked up only in an initialized class,
// because JNI would initialize it, which runs code.
class BootClasses {
 public:
  static jvm::Result<BootClasses> find(const jvm::Env& env) {
    BootClasses found(env.jni());
    JVMDEBUG_ASSIGN(const auto classes, env.get_class_loader_classes(nullptr));
    for (jclass loaded : classes) {
      auto type = found.jni_.adopt(loaded);
      const auto signature = env.get_class_signature_only(type);
      if (!signature) {
        continue;
      }
      for (std::size_t index = 0; index < kWanted.size(); ++index) {
        if (signature->view() == kWanted.at(index) &&
            (env.get_class_status(type).value_or(0) & JVMTI_CLASS_STATUS_INITIALIZED) != 0) {
          found.types_.at(index) = std::move(type);
          break;
        }
      }
    }
    return found;
  }

  [[nodiscard]] Type type(std::string_view signature) const {
    return jni_.local<jclass>(raw(signature));
  }

  [[nodiscard]] jfieldID field(std::string_view of, const char* name,
                               const char* descriptor) const {
    return look(&JNIEnv::GetFieldID, of, name, descriptor);
  }

  [[nodiscard]] jfieldID static_field(std::string_view of, const char* name,
                                      const char* descriptor) const {
    return look(&JNIEnv::GetStaticFieldID, of, name, descriptor);
  }

 private:
  explicit BootClasses(const jvm::Jni& jni) : jni_(jni) {}

  [[nodiscard]] jclass raw(std::string_view signature) const {
    for (std::size_t index = 0; index < kWanted.size(); ++index) {
      if (kWanted.at(index) == signature) {
        return types_.at(index);
      }
    }
    return nullptr;
  }

  [[nodiscard]] jfieldID look(jfieldID (JNIEnv::*function)(jclass, const char*, const char*),
                              std::string_view of, const char* name, const char* descriptor) const {
    const jclass type = raw(of);
    if (type == nullptr) {
      return nullptr;
    }
    const jfieldID found = (jni_.raw()->*function)(type, name, descriptor);
    return jni_.clear_exception() ? nullptr : found;
  }

  jvm::Jni jni_;
  std::array<Type, kWanted.size()> types_;
};

constexpr const char* kSetDescriptor = "Ljava/util/Set;";
constexpr const char* kNodesDescriptor = "[Ljava/util/concurrent/ConcurrentHashMap$Node;";

}  // namespace

jvm::Result<JdkFields> JdkFields::find(const jvm::Env& env) {
  JVMDEBUG_ASSIGN(const auto boot, BootClasses::find(env));
  return JdkFields{
      .number = boot.field(kThread, "tid", "J"),
      .name = boot.field(kThread, "name", "Ljava/lang/String;"),
      .park_blocker = boot.field(kThread, "parkBlocker", "Ljava/lang/Object;"),
      .scopes = boot.field(kThread, "headStackableScopes", "Ljdk/internal/vm/StackableScope;"),
      .synchronizer = boot.type(kSynchronizer),
      .owner = boot.field(kSynchronizer, "exclusiveOwnerThread", "Ljava/lang/Thread;"),
      .virtual_thread = boot.type(kVirtualThread),
      .state = boot.field(kVirtualThread, "state", "I"),
      .containers = boot.type(kContainers),
      .tracks_all = boot.static_field(kContainers, "TRACK_ALL_THREADS", "Z"),
      .root = boot.static_field(kContainers, "ROOT_CONTAINER",
                                "Ljdk/internal/vm/ThreadContainers$RootContainer;"),
      .registry = boot.static_field(kContainers, "CONTAINER_REGISTRY", kSetDescriptor),
      .previous_scope = boot.field(kScope, "previous", "Ljdk/internal/vm/StackableScope;"),
      .executor = boot.type(kExecutor),
      .executor_threads = boot.field(kExecutor, "threads", kSetDescriptor),
      .shared = boot.type(kShared),
      .shared_threads = boot.field(kShared, "virtualThreads", kSetDescriptor),
      .flock_container = boot.type(kFlockContainer),
      .flock = boot.field(kFlockContainer, "flock", "Ljdk/internal/misc/ThreadFlock;"),
      .flock_threads = boot.field(kFlock, "threads", kSetDescriptor),
      .map = boot.field(kView, "map", "Ljava/util/concurrent/ConcurrentHashMap;"),
      .table = boot.field(kMap, "table", kNodesDescriptor),
      .hash = boot.field(kNode, "hash", "I"),
      .key = boot.field(kNode, "key", "Ljava/lang/Object;"),
      .next = boot.field(kNode, "next", "Ljava/util/concurrent/ConcurrentHashMap$Node;"),
      .forwarding = boot.type(kForwarding),
      .next_table = boot.field(kForwarding, "nextTable", kNodesDescriptor),
      .tree = boot.type(kTree),
      .first = boot.field(kTree, "first", "Ljava/util/concurrent/ConcurrentHashMap$TreeNode;"),
      .referent = boot.field(kReference, "referent", "Ljava/lang/Object;"),
  };
}

bool JdkFields::know_containers() const {
  const bool has_maps =
      map != nullptr && table != nullptr && hash != nullptr && key != nullptr && next != nullptr;
  // A class that is not initialized has no objects.
  const bool has_sets = (!executor || executor_threads != nullptr) &&
                        (!shared || shared_threads != nullptr) &&
                        (!flock_container || (flock != nullptr && flock_threads != nullptr)) &&
                        (!forwarding || next_table != nullptr) && (!tree || first != nullptr);
  return tracks_all != nullptr && root != nullptr && registry != nullptr && referent != nullptr &&
         scopes != nullptr && previous_scope != nullptr && has_maps && has_sets;
}

}  // namespace jvmdebug::agent::thread_dump
