// SPDX-License-Identifier: Apache-2.0
//
// The entry points that the VM calls. Nothing is thrown across them; a failure is reported on
// stderr, and JNI_ERR keeps the VM from starting. The pointer to the agent here is the only global,
// because two of the entry points get no JVM TI environment through which the agent could be found
// (docs/adr/0007).
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include <jni.h>

#include "agent/agent.h"
#include "agent/events/callback_guard.h"
#include "agent/events/operand_reader.h"
#include "agent/late_attach.h"
#include "agent/options/options.h"
#include "agent/platform/process.h"
#include "agent/probes/probe_table.h"
#include "agent/session.h"
#include "agent/throws/throw_watch.h"
#include "agent/transport/reach.h"

namespace {

using jvmdebug::agent::Agent;
using jvmdebug::agent::LateAttach;
using jvmdebug::agent::Options;
using jvmdebug::agent::events::CallbackPresence;
using jvmdebug::agent::jvm::Jni;
namespace platform = jvmdebug::agent::platform;

// The agent of this process, null before it is loaded. Read by the entry points only: to notice a
// second load, and because HotSpot's jcmd entry passes nothing from which the agent could be found.
std::atomic<Agent*>& loaded_agent() {
  static std::atomic<Agent*> agent = nullptr;
  return agent;
}

LateAttach& late_attach() {
  static LateAttach late;
  return late;
}

// Runs the body of a native method of the agent's classes with the agent that is in the VM, if
// there is one.
template <class Body>
void with_agent(JNIEnv* env, Body body) {
  if (jvmdebug::agent::events::OperandReader::is_reading()) {
    return;  // a call by the agent itself
  }
  const CallbackPresence presence;  // before the pointer is read: a late agent may end
  Agent* const since_start = loaded_agent();
  Agent* const agent = since_start != nullptr ? since_start : late_attach().agent();
  if (agent != nullptr) {
    jvmdebug::agent::events::guard_callback(*agent, env,
                                            [&](const Jni& jni) { body(*agent, jni); });
  }
}

// Adds the options of the environment variable, as the JDK's own agent does.
std::string option_text(const char* given) {
  std::string text = given == nullptr ? "" : given;
  if (const char* more = std::getenv("_JAVA_JDWP_OPTIONS");
      more != nullptr && *more != '\0' && text != "help") {
    text += text.empty() ? "" : ",";
    text += more;
  }
  return text;
}

jint refuse(const std::string& message) {
  std::fprintf(stderr, "jvmdebug: %s\n", message.c_str());
  std::fflush(stderr);
  return JNI_ERR;
}

// Waits ten minutes, as the JDK's own agent does.
void pause_for_native_debugger() {
  constexpr unsigned kSeconds = 600;
  std::fprintf(stderr, "jvmdebug: pause=y: process %d waits %u s for a native debugger\n",
               platform::process_id(), kSeconds);
  std::fflush(stderr);
  std::this_thread::sleep_for(std::chrono::seconds(kSeconds));
}

jint load(JavaVM* vm, const char* given) {
  if (loaded_agent() != nullptr) {
    std::fputs(
        "ERROR: Cannot load this JVM TI agent twice, check your java command line for duplicate "
        "jdwp options.\n",
        stderr);
    return refuse(
        "this agent is loaded already; look for a second -agentpath, -agentlib or -Xrun on the "
        "command line and in JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS and _JAVA_OPTIONS");
  }
  const std::string text = option_text(given);
  auto parsed = jvmdebug::agent::parse_options(text);
  if (parsed.error) {
    std::fprintf(stderr, "ERROR: %s: %s\n", parsed.error->jdk_message.c_str(), text.c_str());
    return refuse(parsed.error->message + "\njvmdebug: the option help lists all options");
  }
  if (!parsed.options) {
    std::fputs(jvmdebug::agent::usage().c_str(), stdout);
    std::fflush(stdout);
    std::_Exit(EXIT_SUCCESS);
  }
  if (const auto safe = jvmdebug::agent::check_reach(*parsed.options); !safe) {
    std::fprintf(stderr, "ERROR: %s: %s\n", safe.error().jdk_message.c_str(), text.c_str());
    return refuse(safe.error().message);
  }
  const Options& options = *parsed.options;
  if (options.pause) {
    pause_for_native_debugger();
  }
  if (!options.unused_log.empty() && !options.quiet) {
    std::fputs("jvmdebug: logfile= is accepted, but this agent writes no log\n", stderr);
  }
  auto agent = Agent::load(vm, *std::move(parsed.options));
  if (!agent) {
    return refuse(agent.error());
  }
  // Lives as long as the process; the VM's environment-local storage refers to it.
  loaded_agent() = agent->release();
  return JNI_OK;
}

// Takes what HotSpot passes to its jcmd entry; a returned text is the reason why debugging was not
// started.
const char* start_by_command(JNIEnv* env, jthread thread, const char** transport,
                             const char** address, jboolean* first_start) {
  Agent* const agent = loaded_agent();
  if (agent == nullptr) {
    return "the agent is not loaded";
  }
  const auto begun = agent->start_up().command_given(jvmdebug::agent::jvm::Jni(env), thread);
  // HotSpot prints the texts later and does not free them, so they live as long as the process. The
  // leak is small: a person types each command.
  if (!begun) {
    return (new std::string(begun.error()))->c_str();
  }
  if (first_start != nullptr) {
    *first_start = *begun ? JNI_TRUE : JNI_FALSE;
  }
  const auto where = agent->session().address();
  if (transport != nullptr) {
    *transport = (new std::string(where.transport_name()))->c_str();
  }
  if (address != nullptr) {
    *address = (new std::string(where.announced()))->c_str();
  }
  return nullptr;
}

}  // namespace

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void* /*reserved*/) {
  try {
    return load(vm, options);
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}

// The VM's answer to the request to load the agent: 0, or this code, with the reason in an agent
// property that the attaching tool can read.
extern "C" JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM* vm, char* options, void* /*reserved*/) {
  try {
    return late_attach().attach(vm, options, loaded_agent() != nullptr) ? JNI_OK : JNI_ERR;
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}

extern "C" JNIEXPORT void JNICALL Agent_OnUnload(JavaVM* /*vm*/) {
  // Threads of the VM may still be inside the agent, so nothing is destroyed.
}

// jcmd PID VM.start_java_debugging, in JDK 12 to 23 and for an agent whose name is jdwp: HotSpot
// finds this by its name.
extern "C" JNIEXPORT const char* JNICALL debugInit_startDebuggingViaCommand(JNIEnv* env,
                                                                            jthread thread,
                                                                            const char** transport,
                                                                            const char** address,
                                                                            jboolean* first_start) {
  try {
    return start_by_command(env, thread, transport, address, first_start);
  } catch (...) {
    return "the agent ran out of memory";
  }
}

// The native methods of the class that java.lang.Throwable calls in the fast mode while there are
// requests for exceptions (throws/throw_hook.h). HotSpot looks for the methods of its own classes
// in the libraries of agents as well.
extern "C" JNIEXPORT jint JNICALL Java_java_lang_JvmdebugThrows_report(JNIEnv* env, jclass /*type*/,
                                                                       jthrowable exception) {
  jint decided_by = 0;
  with_agent(env, [&](Agent& agent, const Jni& jni) {
    decided_by = agent.throw_watch().constructed(jni, exception);
  });
  return decided_by;
}

extern "C" JNIEXPORT jint JNICALL Java_java_lang_JvmdebugThrows_reached(JNIEnv* env,
                                                                        jclass /*type*/,
                                                                        jthrowable exception) {
  jint waits = 0;
  with_agent(env, [&](Agent& agent, const Jni& jni) {
    waits = agent.throw_watch().about_to_throw(jni, exception);
  });
  return waits;
}

extern "C" JNIEXPORT jboolean JNICALL Java_java_lang_JvmdebugThrows_waits(JNIEnv* env,
                                                                          jclass /*type*/) {
  bool waits = false;
  with_agent(env,
             [&](Agent& agent, const Jni& jni) { waits = agent.throw_watch().still_waits(jni); });
  return waits ? JNI_TRUE : JNI_FALSE;
}

// The native methods of the class that the checks of probes call (probes/probe_classes.h).
extern "C" JNIEXPORT void JNICALL Java_java_lang_JvmdebugProbes_hit(JNIEnv* env, jclass /*type*/,
                                                                    jint number, jint outcome,
                                                                    jlong count) {
  with_agent(env, [&](Agent& agent, const Jni& jni) {
    agent.probes().hits().hit(jni, number, outcome, count);
  });
}

extern "C" JNIEXPORT void JNICALL Java_java_lang_JvmdebugProbes_store(JNIEnv* env, jclass /*type*/,
                                                                      jint number, jint index,
                                                                      jlong bits,
                                                                      jobject reference) {
  with_agent(env, [&](Agent& agent, const Jni& jni) {
    agent.probes().hits().store(jni, number, index, bits, reference);
  });
}

extern "C" JNIEXPORT jobjectArray JNICALL Java_java_lang_JvmdebugProbes_given(JNIEnv* env,
                                                                              jclass /*type*/) {
  jobjectArray objects = nullptr;
  with_agent(env, [&](Agent& agent, const Jni& jni) { objects = agent.probes().given(jni); });
  return objects;
}

extern "C" JNIEXPORT void JNICALL Java_java_lang_JvmdebugProbes_write(JNIEnv* env, jclass /*type*/,
                                                                      jint number, jint outcome,
                                                                      jlong count, jobject object,
                                                                      jlong bits,
                                                                      jobject reference) {
  with_agent(env, [&](Agent& agent, const Jni& jni) {
    const jvmdebug::agent::threads::ProbeHit hit{
        .request_id = 0, .number = number, .outcome = outcome, .count = count};
    agent.probes().hits().write(jni, hit, object, bits, reference);
  });
}

extern "C" JNIEXPORT jint JNICALL Java_java_lang_JvmdebugProbes_enter(JNIEnv* env, jclass /*type*/,
                                                                      jint number, jint outcome,
                                                                      jlong count,
                                                                      jobjectArray references,
                                                                      jlongArray others) {
  jint state = 0;
  with_agent(env, [&](Agent& agent, const Jni& jni) {
    state = agent.probes().hits().stop(jni, number, outcome, count, references, others);
  });
  return state;
}

extern "C" JNIEXPORT jint JNICALL Java_java_lang_JvmdebugProbes_arrived(JNIEnv* env,
                                                                        jclass /*type*/) {
  jint state = 0;
  with_agent(env,
             [&](Agent& agent, const Jni& jni) { state = agent.probes().hits().arrived(jni); });
  return state;
}

extern "C" JNIEXPORT jboolean JNICALL Java_java_lang_JvmdebugProbes_waits(JNIEnv* env,
                                                                          jclass /*type*/) {
  bool waits = false;
  with_agent(env,
             [&](Agent& agent, const Jni& jni) { waits = agent.probes().hits().still_waits(jni); });
  return waits ? JNI_TRUE : JNI_FALSE;
}
