// SPDX-License-Identifier: Apache-2.0
//
// The entry points that the VM calls. Nothing is thrown across them; a failure is told on stderr
// and JNI_ERR keeps the VM from starting.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>

#include <jni.h>

#include "agent/agent.h"
#include "agent/options.h"

namespace {

using jvmdebug::agent::Agent;

// Options in the environment, as the JDK's own agent reads them.
std::string option_text(const char* given) {
  std::string text = given == nullptr ? "" : given;
  if (const char* more = std::getenv("_JAVA_JDWP_OPTIONS"); more != nullptr && *more != '\0') {
    text += text.empty() ? "" : ",";
    text += more;
  }
  return text;
}

jint refuse(const std::string& message) {
  std::fprintf(stderr, "jvmdebug: %s\n", message.c_str());
  return JNI_ERR;
}

jint load(JavaVM* vm, const char* given) {
  auto parsed = jvmdebug::agent::parse_options(option_text(given));
  if (parsed.error) {
    return refuse(parsed.error->message + "\njvmdebug: the option help lists all options");
  }
  if (!parsed.options) {
    std::fputs(std::string(jvmdebug::agent::usage()).c_str(), stdout);
    std::fflush(stdout);
    std::_Exit(EXIT_SUCCESS);
  }
  auto agent = Agent::load(vm, *std::move(parsed.options));
  if (!agent) {
    return refuse(agent.error());
  }
  // Lives as long as the process; the VM's environment-local storage refers to it.
  (void)agent->release();
  return JNI_OK;
}

}  // namespace

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void* /*reserved*/) {
  try {
    return load(vm, options);
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}

extern "C" JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM* /*vm*/, char* /*options*/,
                                                 void* /*reserved*/) {
  return refuse(
      "the VM gives breakpoints, steps and locals only to an agent that is there at its start; "
      "start it with -agentpath");
}

extern "C" JNIEXPORT void JNICALL Agent_OnUnload(JavaVM* /*vm*/) {
  // Threads of the VM may still be inside the agent: nothing is taken down.
}
