// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti_access/functions.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "agent/jvm/buffer.h"
#include "agent/jvmti_access/extensions.h"

namespace jvmdebug::agent::jvmti_access {
namespace {

using jvm::Buffer;
using jvm::ModifiedUtf8;

// Takes the value by reference, so that it is read after the call, in whatever order the arguments
// are evaluated.
template <class Number>
jvmtiError number(jvmtiError code, const Number& value, Answer& answer) {
  answer.numbers.push_back(static_cast<jlong>(value));
  return code;
}

jvmtiError timer(jvmtiError code, const jvmtiTimerInfo& info, Answer& answer) {
  answer.numbers = {info.max_value, static_cast<jlong>(info.may_skip_forward),
                    static_cast<jlong>(info.may_skip_backward), static_cast<jlong>(info.kind)};
  return code;
}

// Adds the bits in the order of the specification.
jvmtiError capability_bits(jvmtiError code, const jvmtiCapabilities& capabilities, Answer& answer) {
  constexpr unsigned kBitsInByte = 8;
  std::array<std::uint8_t, sizeof(jvmtiCapabilities)> bytes{};
  std::memcpy(bytes.data(), &capabilities, bytes.size());
  for (const std::uint8_t byte : bytes) {
    for (unsigned bit = 0; bit < kBitsInByte; ++bit) {
      answer.numbers.push_back((byte >> bit) & 1U);
    }
  }
  return code;
}

jclass as_class(jobject object) {
  return static_cast<jclass>(object);  // JVM TI checks the object
}

// --- of the environment and the VM
// ---------------------------------------------------------------------------

jvmtiError get_phase(const Call& call, Answer& answer) {
  jvmtiPhase phase{};
  return number(call.main->GetPhase(&phase), phase, answer);
}

jvmtiError get_version_number(const Call& call, Answer& answer) {
  jint version = 0;
  return number(call.main->GetVersionNumber(&version), version, answer);
}

jvmtiError get_jlocation_format(const Call& call, Answer& answer) {
  jvmtiJlocationFormat format{};
  return number(call.main->GetJLocationFormat(&format), format, answer);
}

jvmtiError get_available_processors(const Call& call, Answer& answer) {
  jint count = 0;
  return number(call.main->GetAvailableProcessors(&count), count, answer);
}

jvmtiError get_error_name(const Call& call, Answer& answer) {
  char* name = nullptr;
  const jvmtiError code =
      call.main->GetErrorName(static_cast<jvmtiError>(call.numbers.front()), &name);
  answer.texts.push_back(ModifiedUtf8(call.main, name).utf8());
  return code;
}

jvmtiError get_capabilities(const Call& call, Answer& answer) {
  jvmtiCapabilities found{};
  return capability_bits(call.main->GetCapabilities(&found), found, answer);
}

jvmtiError get_potential_capabilities(const Call& call, Answer& answer) {
  jvmtiCapabilities found{};
  return capability_bits(call.main->GetPotentialCapabilities(&found), found, answer);
}

jvmtiError get_system_properties(const Call& call, Answer& answer) {
  jint count = 0;
  char** names = nullptr;
  const jvmtiError code = call.main->GetSystemProperties(&count, &names);
  if (code == JVMTI_ERROR_NONE) {
    for (char* const name : Buffer<char*>(call.main, names, static_cast<std::size_t>(count))) {
      answer.texts.push_back(ModifiedUtf8(call.main, name).utf8());
    }
  }
  return code;
}

jvmtiError get_system_property(const Call& call, Answer& answer) {
  char* value = nullptr;
  const jvmtiError code = call.main->GetSystemProperty(call.texts.front().c_str(), &value);
  answer.texts.push_back(ModifiedUtf8(call.main, value).utf8());
  return code;
}

jvmtiError set_system_property(const Call& call, Answer& /*answer*/) {
  return call.main->SetSystemProperty(call.texts.front().c_str(), call.texts.back().c_str());
}

jvmtiError set_verbose_flag(const Call& call, Answer& /*answer*/) {
  return call.main->SetVerboseFlag(static_cast<jvmtiVerboseFlag>(call.numbers.front()),
                                   call.numbers.back() != 0 ? JNI_TRUE : JNI_FALSE);
}

jvmtiError call_extension(const Call& call, Answer& answer) {
  return call_extension_function(call.main, call.texts.front(), call.objects.front(), answer);
}

// --- timers
// --------------------------------------------------------------------------------------------------

jvmtiError get_timer_info(const Call& call, Answer& answer) {
  jvmtiTimerInfo info{};
  return timer(call.main->GetTimerInfo(&info), info, answer);
}

jvmtiError get_thread_cpu_timer_info(const Call& call, Answer& answer) {
  jvmtiTimerInfo info{};
  return timer(call.side->GetThreadCpuTimerInfo(&info), info, answer);
}

jvmtiError get_current_thread_cpu_timer_info(const Call& call, Answer& answer) {
  jvmtiTimerInfo info{};
  return timer(call.side->GetCurrentThreadCpuTimerInfo(&info), info, answer);
}

jvmtiError get_time(const Call& call, Answer& answer) {
  jlong nanoseconds = 0;
  return number(call.main->GetTime(&nanoseconds), nanoseconds, answer);
}

jvmtiError get_current_thread_cpu_time(const Call& call, Answer& answer) {
  jlong nanoseconds = 0;
  return number(call.side->GetCurrentThreadCpuTime(&nanoseconds), nanoseconds, answer);
}

jvmtiError get_thread_cpu_time(const Call& call, Answer& answer) {
  jlong nanoseconds = 0;
  return number(call.side->GetThreadCpuTime(call.objects.front(), &nanoseconds), nanoseconds,
                answer);
}

// --- threads, objects, classes
// -------------------------------------------------------------------------------

// Name; priority and whether it is a daemon; group and context class loader.
jvmtiError get_thread_info(const Call& call, Answer& answer) {
  jvmtiThreadInfo info{};
  const jvmtiError code = call.main->GetThreadInfo(call.objects.front(), &info);
  answer.texts.push_back(ModifiedUtf8(call.main, info.name).utf8());
  answer.numbers = {info.priority, static_cast<jlong>(info.is_daemon)};
  answer.objects = {info.thread_group, info.context_class_loader};
  return code;
}

// Name; greatest priority and whether it is a daemon; the group above.
jvmtiError get_thread_group_info(const Call& call, Answer& answer) {
  jvmtiThreadGroupInfo info{};
  const jvmtiError code = call.main->GetThreadGroupInfo(call.objects.front(), &info);
  answer.texts.push_back(ModifiedUtf8(call.main, info.name).utf8());
  answer.numbers = {info.max_priority, static_cast<jlong>(info.is_daemon)};
  answer.objects = {info.parent};
  return code;
}

// --- tags of the user: in the side environment, as the agent's own are in the main one

jvmtiError set_tags(const Call& call, Answer& /*answer*/) {
  for (jobject const object : call.objects) {
    if (const jvmtiError code = call.side->SetTag(object, call.numbers.front());
        code != JVMTI_ERROR_NONE) {
      return code;
    }
  }
  return JVMTI_ERROR_NONE;
}

jvmtiError get_tags(const Call& call, Answer& answer) {
  for (jobject const object : call.objects) {
    jlong tag = 0;
    if (const jvmtiError code = number(call.side->GetTag(object, &tag), tag, answer);
        code != JVMTI_ERROR_NONE) {
      return code;
    }
  }
  return JVMTI_ERROR_NONE;
}

// The first number limits how many are returned.
jvmtiError get_objects_with_tags(const Call& call, Answer& answer) {
  if (call.numbers.size() < 2) {
    return JVMTI_ERROR_ILLEGAL_ARGUMENT;
  }
  jint count = 0;
  jobject* objects = nullptr;
  jlong* tags = nullptr;
  const jvmtiError code = call.side->GetObjectsWithTags(static_cast<jint>(call.numbers.size() - 1),
                                                        &call.numbers[1], &count, &objects, &tags);
  if (code == JVMTI_ERROR_NONE) {
    const Buffer<jobject> found(call.side, objects, static_cast<std::size_t>(count));
    const Buffer<jlong> found_tags(call.side, tags, static_cast<std::size_t>(count));
    const auto most = static_cast<std::size_t>(std::max<jlong>(call.numbers.front(), 0));
    const std::size_t size = std::min(most, static_cast<std::size_t>(count));
    answer.objects.assign(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(size));
    answer.numbers.assign(found_tags.begin(),
                          found_tags.begin() + static_cast<std::ptrdiff_t>(size));
  }
  return code;
}

struct Tagging {
  jlong tag = 0;
  jlong count = 0;
};

jint JNICALL tag_object(jlong /*class_tag*/, jlong /*size*/, jlong* tag, jint /*length*/,
                        void* context) {
  auto* const tagging = static_cast<Tagging*>(context);
  *tag = tagging->tag;
  ++tagging->count;
  return JVMTI_VISIT_OBJECTS;
}

// Tags the instances of this class, without those of subclasses; returns how many.
jvmtiError tag_instances(const Call& call, Answer& answer) {
  jvmtiHeapCallbacks callbacks{};
  callbacks.heap_iteration_callback = &tag_object;
  Tagging tagging{.tag = call.numbers.front()};
  const jvmtiError code =
      call.side->IterateThroughHeap(0, as_class(call.objects.front()), &callbacks, &tagging);
  return number(code, tagging.count, answer);
}

jvmtiError get_thread_state(const Call& call, Answer& answer) {
  jint state = 0;
  return number(call.main->GetThreadState(call.objects.front(), &state), state, answer);
}

jvmtiError get_object_size(const Call& call, Answer& answer) {
  jlong size = 0;
  return number(call.main->GetObjectSize(call.objects.front(), &size), size, answer);
}

jvmtiError get_object_hash_code(const Call& call, Answer& answer) {
  jint code = 0;
  return number(call.main->GetObjectHashCode(call.objects.front(), &code), code, answer);
}

jvmtiError get_class_status(const Call& call, Answer& answer) {
  jint status = 0;
  return number(call.main->GetClassStatus(as_class(call.objects.front()), &status), status, answer);
}

jvmtiError is_modifiable_class(const Call& call, Answer& answer) {
  jboolean is = JNI_FALSE;
  return number(call.main->IsModifiableClass(as_class(call.objects.front()), &is), is, answer);
}

jvmtiError set_native_method_prefix(const Call& call, Answer& /*answer*/) {
  const std::string& prefix = call.texts.front();
  return call.side->SetNativeMethodPrefix(prefix.empty() ? nullptr : prefix.c_str());
}

jvmtiError set_native_method_prefixes(const Call& call, Answer& /*answer*/) {
  std::vector<std::string> prefixes = call.texts;
  std::vector<char*> pointers;
  pointers.reserve(prefixes.size() + 1);
  for (std::string& prefix : prefixes) {
    pointers.push_back(prefix.data());
  }
  pointers.push_back(nullptr);  // so that its data is not null
  return call.side->SetNativeMethodPrefixes(static_cast<jint>(prefixes.size()), pointers.data());
}

jvmtiError add_to_bootstrap_search(const Call& call, Answer& /*answer*/) {
  return call.main->AddToBootstrapClassLoaderSearch(call.texts.front().c_str());
}

jvmtiError add_to_system_search(const Call& call, Answer& /*answer*/) {
  return call.main->AddToSystemClassLoaderSearch(call.texts.front().c_str());
}

// --- modules
// -------------------------------------------------------------------------------------------------

jvmtiError get_named_module(const Call& call, Answer& answer) {
  jobject found = nullptr;
  const jvmtiError code =
      call.main->GetNamedModule(call.objects.front(), call.texts.front().c_str(), &found);
  answer.objects.push_back(found);
  return code;
}

jvmtiError is_modifiable_module(const Call& call, Answer& answer) {
  jboolean is = JNI_FALSE;
  return number(call.main->IsModifiableModule(call.objects.front(), &is), is, answer);
}

jvmtiError add_module_reads(const Call& call, Answer& /*answer*/) {
  return call.main->AddModuleReads(call.objects.front(), call.objects.back());
}

jvmtiError add_module_exports(const Call& call, Answer& /*answer*/) {
  return call.main->AddModuleExports(call.objects.front(), call.texts.front().c_str(),
                                     call.objects.back());
}

jvmtiError add_module_opens(const Call& call, Answer& /*answer*/) {
  return call.main->AddModuleOpens(call.objects.front(), call.texts.front().c_str(),
                                   call.objects.back());
}

jvmtiError add_module_uses(const Call& call, Answer& /*answer*/) {
  return call.main->AddModuleUses(call.objects.front(), as_class(call.objects.back()));
}

jvmtiError add_module_provides(const Call& call, Answer& /*answer*/) {
  return call.main->AddModuleProvides(call.objects[0], as_class(call.objects[1]),
                                      as_class(call.objects[2]));
}

// Name, whether it changes something, how many numbers, texts and objects it takes.
constexpr std::array kFunctions{
    Function{"AddModuleExports", true, 0, 1, 2, add_module_exports},
    Function{"AddModuleOpens", true, 0, 1, 2, add_module_opens},
    Function{"AddModuleProvides", true, 0, 0, 3, add_module_provides},
    Function{"AddModuleReads", true, 0, 0, 2, add_module_reads},
    Function{"AddModuleUses", true, 0, 0, 2, add_module_uses},
    Function{"AddToBootstrapClassLoaderSearch", true, 0, 1, 0, add_to_bootstrap_search},
    Function{"AddToSystemClassLoaderSearch", true, 0, 1, 0, add_to_system_search},
    Function{"CallExtension", false, 0, 1, 1, call_extension},
    Function{"GetAvailableProcessors", false, 0, 0, 0, get_available_processors},
    Function{"GetCapabilities", false, 0, 0, 0, get_capabilities},
    Function{"GetClassStatus", false, 0, 0, 1, get_class_status},
    Function{"GetCurrentThreadCpuTime", false, 0, 0, 0, get_current_thread_cpu_time},
    Function{"GetCurrentThreadCpuTimerInfo", false, 0, 0, 0, get_current_thread_cpu_timer_info},
    Function{"GetErrorName", false, 1, 0, 0, get_error_name},
    Function{"GetJLocationFormat", false, 0, 0, 0, get_jlocation_format},
    Function{"GetObjectsWithTags", false, kAny, 0, 0, get_objects_with_tags},
    Function{"GetTags", false, 0, 0, kAny, get_tags},
    Function{"SetTags", false, 1, 0, kAny, set_tags},
    Function{"TagInstances", false, 1, 0, 1, tag_instances},
    Function{"GetNamedModule", false, 0, 1, 1, get_named_module},
    Function{"GetObjectHashCode", false, 0, 0, 1, get_object_hash_code},
    Function{"GetObjectSize", false, 0, 0, 1, get_object_size},
    Function{"GetPhase", false, 0, 0, 0, get_phase},
    Function{"GetPotentialCapabilities", false, 0, 0, 0, get_potential_capabilities},
    Function{"GetSystemProperties", false, 0, 0, 0, get_system_properties},
    Function{"GetSystemProperty", false, 0, 1, 0, get_system_property},
    Function{"GetThreadCpuTime", false, 0, 0, 1, get_thread_cpu_time},
    Function{"GetThreadCpuTimerInfo", false, 0, 0, 0, get_thread_cpu_timer_info},
    Function{"GetThreadGroupInfo", false, 0, 0, 1, get_thread_group_info},
    Function{"GetThreadInfo", false, 0, 0, 1, get_thread_info},
    Function{"GetThreadState", false, 0, 0, 1, get_thread_state},
    Function{"GetTime", false, 0, 0, 0, get_time},
    Function{"GetTimerInfo", false, 0, 0, 0, get_timer_info},
    Function{"GetVersionNumber", false, 0, 0, 0, get_version_number},
    Function{"IsModifiableClass", false, 0, 0, 1, is_modifiable_class},
    Function{"IsModifiableModule", false, 0, 0, 1, is_modifiable_module},
    Function{"SetNativeMethodPrefix", true, 0, 1, 0, set_native_method_prefix},
    Function{"SetNativeMethodPrefixes", true, 0, kAny, 0, set_native_method_prefixes},
    Function{"SetSystemProperty", true, 0, 2, 0, set_system_property},
    Function{"SetVerboseFlag", true, 2, 0, 0, set_verbose_flag},
};

}  // namespace

const Function* find_function(std::string_view name) {
  const auto found = std::ranges::find(kFunctions, name, &Function::name);
  return found == kFunctions.end() ? nullptr : &*found;
}

}  // namespace jvmdebug::agent::jvmti_access
