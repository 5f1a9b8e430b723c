// SPDX-License-Identifier: Apache-2.0
#include "agent/origins/origin_stacks.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "agent/code/thread_stacks.h"
#include "agent/code/trace_frames.h"
#include "agent/origins/origin_points.h"

namespace jvmdebug::agent::origins {
namespace {

constexpr const char* kString = "Ljava/lang/String;";
constexpr std::size_t kMostFrames = 200;
constexpr std::string_view kOwn = "java.lang.JvmdebugProbe";

// Methods in whose frames `this` may be the task that the thread runs. In other methods of a task,
// as in Future.get(), another thread asks something of it.
constexpr std::array<std::string_view, 7> kRunning = {"run",    "runAndReset", "call",   "exec",
                                                      "doExec", "compute",     "tryFire"};
// The methods of a pool's threads: why such a thread was started does not matter to its task.
constexpr std::array<std::string_view, 2> kPooled = {"runWorker", "topLevelExec"};

bool is_in(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

class Reader {
 public:
  Reader(const jvm::Env& env, const jvm::Jni& jni, jclass table)
      : env_(env), jni_(jni), table_(table) {}

  ThreadOrigin of_thread(jthread thread) const {
    auto* const find = jni_->GetStaticMethodID(
        table_, "linksOf", "(Ljava/lang/Object;)[Ljava/lang/JvmdebugProbeTrace;");
    if (jni_.clear_exception() || find == nullptr) {
      return {};
    }
    const auto frames = code::actual_frames(env_, thread);
    bool is_pooled = false;
    for (std::size_t depth = 0; depth < frames.size(); ++depth) {
      const auto name = env_.get_method_name(frames[depth].method);
      const std::string_view text = name ? name->name.view() : std::string_view();
      is_pooled |= is_in(kPooled, text);
      if (!is_in(kRunning, text)) {
        continue;
      }
      const auto self =
          jni_.adopt(env_.get_local_instance(thread, static_cast<jint>(depth)).value_or(nullptr));
      if (!self || (is_pooled && jni_.same(self, thread))) {
        continue;
      }
      if (auto found = of_task(find, self); found.is_known) {
        return found;
      }
    }
    if (auto found = of_running(thread); found.is_known) {
      return found;
    }
    return is_pooled ? ThreadOrigin{} : of_task(find, thread);
  }

 private:
  // Looks the task up that the thread has begun last. An agent that was attached gets no `this` of
  // frames. What the thread has noted is among its ThreadLocals, which are read here without a
  // call.
  ThreadOrigin of_running(jthread thread) const {
    const auto map = object(thread, "java/lang/Thread", "threadLocals",
                            "Ljava/lang/ThreadLocal$ThreadLocalMap;");
    const auto entries = object(map, "java/lang/ThreadLocal$ThreadLocalMap", "table",
                                "[Ljava/lang/ThreadLocal$ThreadLocalMap$Entry;");
    auto* const find = jni_->GetStaticMethodID(
        table_, "linksOfRunning",
        "(Ljava/lang/JvmdebugProbeOrigins;)[Ljava/lang/JvmdebugProbeTrace;");
    if (jni_.clear_exception() || find == nullptr || !entries) {
      return {};
    }
    auto* const all = static_cast<jobjectArray>(entries.get());
    for (jsize at = 0; at < jni_->GetArrayLength(all); ++at) {
      const auto entry = jni_.adopt(jni_->GetObjectArrayElement(all, at));
      const auto value = object(entry, "java/lang/ThreadLocal$ThreadLocalMap$Entry", "value",
                                "Ljava/lang/Object;");
      if (value && jni_.instance_of(value, table_)) {
        return of_task(find, value);
      }
    }
    return {};
  }

  jvm::LocalRef<jobject> object(jobject of, const char* type, const char* name,
                                const char* descriptor) const {
    if (of == nullptr) {
      return {};
    }
    const auto declaring = jni_.find_class(type);
    auto* const field = declaring ? jni_->GetFieldID(declaring, name, descriptor) : nullptr;
    return jni_.clear_exception() || field == nullptr ? jvm::LocalRef<jobject>()
                                                      : jni_.adopt(jni_->GetObjectField(of, field));
  }

  ThreadOrigin of_task(jmethodID find, jobject task) const {
    ThreadOrigin found;
    const auto links =
        jni_.adopt(static_cast<jobjectArray>(jni_->CallStaticObjectMethod(table_, find, task)));
    if (jni_.clear_exception() || !links) {
      return found;
    }
    found.is_known = true;
    const jsize count = jni_->GetArrayLength(links);
    found.is_thinned = count == 0;
    for (jsize at = 0; at < count; ++at) {
      const auto trace = jni_.adopt(jni_->GetObjectArrayElement(links, at));
      found.links.push_back(link(trace));
    }
    return found;
  }

  OriginLink link(jobject trace) const {
    OriginLink made;
    const auto type = jni_.object_class(trace);
    auto* const kind = jni_->GetFieldID(type, "kind", "I");
    if (kind != nullptr) {
      made.done = done_at(static_cast<std::size_t>(jni_->GetIntField(trace, kind)));
    }
    made.thread = text(trace, type, "thread");
    (void)jni_.clear_exception();
    made.frames = frames(trace);
    return made;
  }

  std::vector<code::TraceFrame> frames(jobject trace) const {
    auto found = code::trace_frames(env_, jni_, trace, kMostFrames);
    std::erase_if(found,
                  [](const code::TraceFrame& each) { return each.class_name.starts_with(kOwn); });
    return found;
  }

  std::string text(jobject of, jclass type, const char* name) const {
    auto* const field = jni_->GetFieldID(type, name, kString);
    (void)jni_.clear_exception();
    const auto value = jni_.adopt(field == nullptr ? nullptr : jni_->GetObjectField(of, field));
    return value ? jni_.text(static_cast<jstring>(value.get())) : std::string();
  }

  const jvm::Env& env_;
  const jvm::Jni& jni_;
  jclass table_;
};

}  // namespace

ThreadOrigin origin_of(const jvm::Env& env, const jvm::Jni& jni, jclass table_class,
                       jthread thread) {
  return table_class == nullptr ? ThreadOrigin{} : Reader(env, jni, table_class).of_thread(thread);
}

}  // namespace jvmdebug::agent::origins
