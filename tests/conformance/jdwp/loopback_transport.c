// SPDX-License-Identifier: Apache-2.0
//
// A transport library for the tests of `transport=loopback`: TCP on 127.0.0.1, the address is a
// port. It writes each call of the agent to the file that LOOPBACK_CALLS names, and has defects
// that the words in LOOPBACK_DEFECTS ask for: "version" (refuses both versions), "1.0" (refuses
// 1.1), "memory", "exists", "number" (answers of jdwpTransport_OnLoad), "allow" (refuses the
// peers).
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <jdwpTransport.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char kHandshake[] = "JDWP-Handshake";

static jdwpTransportCallback* agent;
static int listening = -1;
static int connection = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread char problem[200];

static void note(const char* call, const char* what) {
  const char* path = getenv("LOOPBACK_CALLS");
  const int file = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file >= 0) {
    dprintf(file, "%s %s\n", call, what == NULL ? "(null)" : what);
    close(file);
  }
}

static void note_timeout(const char* call, jlong timeout) {
  char text[30];
  snprintf(text, sizeof text, "%ld", (long)timeout);
  note(call, text);
}

static int has_defect(const char* word) {
  const char* all = getenv("LOOPBACK_DEFECTS");
  return all != NULL && strstr(all, word) != NULL;
}

static jdwpTransportError failed(jdwpTransportError error, const char* what) {
  snprintf(problem, sizeof problem, "loopback: %s", what);
  return error;
}

static int transfer(int descriptor, char* bytes, size_t size, int is_read) {
  while (size > 0) {
    const ssize_t moved =
        is_read ? recv(descriptor, bytes, size, 0) : send(descriptor, bytes, size, MSG_NOSIGNAL);
    if (moved < 0 && errno == EINTR) {
      continue;
    }
    if (moved <= 0) {
      return moved == 0 ? 0 : -1;
    }
    bytes += moved;
    size -= (size_t)moved;
  }
  return 1;
}

static struct sockaddr_in address_of(const char* text) {
  struct sockaddr_in address = {0};
  address.sin_family = AF_INET;
  address.sin_port = htons((unsigned short)(text == NULL ? 0 : atoi(text)));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

static jdwpTransportError shake_hands(int descriptor) {
  char theirs[sizeof kHandshake - 1];
  if (transfer(descriptor, theirs, sizeof theirs, 1) <= 0 ||
      memcmp(theirs, kHandshake, sizeof theirs) != 0) {
    close(descriptor);
    return failed(JDWPTRANSPORT_ERROR_IO_ERROR, "handshake failed");
  }
  (void)transfer(descriptor, theirs, sizeof theirs, 0);
  pthread_mutex_lock(&lock);
  connection = descriptor;
  pthread_mutex_unlock(&lock);
  return JDWPTRANSPORT_ERROR_NONE;
}

static jdwpTransportError JNICALL get_capabilities(jdwpTransportEnv* env,
                                                   JDWPTransportCapabilities* capabilities) {
  (void)env;
  memset(capabilities, 0, sizeof *capabilities);
  capabilities->can_timeout_accept = 1;
  return JDWPTRANSPORT_ERROR_NONE;
}

static jdwpTransportError JNICALL attach(jdwpTransportEnv* env, const char* text, jlong timeout,
                                         jlong handshake_timeout) {
  (void)env;
  (void)handshake_timeout;
  note("Attach", text);
  note_timeout("AttachTimeout", timeout);
  const struct sockaddr_in address = address_of(text);
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(made, (const struct sockaddr*)&address, sizeof address) != 0) {
    close(made);
    return failed(JDWPTRANSPORT_ERROR_IO_ERROR, "nobody listens there");
  }
  return shake_hands(made);
}

static jdwpTransportError JNICALL start_listening(jdwpTransportEnv* env, const char* text,
                                                  char** actual) {
  (void)env;
  note("StartListening", text);
  if (text != NULL && atoi(text) == 0 && strcmp(text, "0") != 0) {
    return failed(JDWPTRANSPORT_ERROR_ILLEGAL_ARGUMENT, "no port");
  }
  struct sockaddr_in address = address_of(text);
  socklen_t size = sizeof address;
  const int one = 1;
  listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listening, (const struct sockaddr*)&address, sizeof address) != 0 ||
      listen(listening, 1) != 0) {
    return failed(JDWPTRANSPORT_ERROR_IO_ERROR, "the port is not free");
  }
  getsockname(listening, (struct sockaddr*)&address, &size);
  *actual = (*agent->alloc)(10);
  snprintf(*actual, 10, "%d", ntohs(address.sin_port));
  return JDWPTRANSPORT_ERROR_NONE;
}

static jdwpTransportError JNICALL stop_listening(jdwpTransportEnv* env) {
  (void)env;
  note("StopListening", "");
  if (listening < 0) {
    return failed(JDWPTRANSPORT_ERROR_ILLEGAL_STATE, "does not listen");
  }
  shutdown(listening, SHUT_RDWR);
  close(listening);
  listening = -1;
  return JDWPTRANSPORT_ERROR_NONE;
}

static jdwpTransportError JNICALL accept_debugger(jdwpTransportEnv* env, jlong timeout,
                                                  jlong handshake_timeout) {
  (void)env;
  (void)handshake_timeout;
  note_timeout("Accept", timeout);
  while (1) {
    struct pollfd waits = {.fd = listening, .events = POLLIN, .revents = 0};
    if (poll(&waits, 1, timeout > 0 ? (int)timeout : -1) == 0) {
      return failed(JDWPTRANSPORT_ERROR_TIMEOUT, "nobody came");
    }
    const int made = accept(listening, NULL, NULL);
    if (made < 0) {
      return failed(JDWPTRANSPORT_ERROR_IO_ERROR, "accept failed");
    }
    if (shake_hands(made) == JDWPTRANSPORT_ERROR_NONE) {
      return JDWPTRANSPORT_ERROR_NONE;
    }
  }
}

static jboolean JNICALL is_open(jdwpTransportEnv* env) {
  (void)env;
  return connection >= 0;
}

static jdwpTransportError JNICALL close_connection(jdwpTransportEnv* env) {
  (void)env;
  note("Close", "");
  pthread_mutex_lock(&lock);
  const int old = connection;
  connection = -1;
  pthread_mutex_unlock(&lock);
  if (old >= 0) {
    shutdown(old, SHUT_RDWR);
    close(old);
  }
  return JDWPTRANSPORT_ERROR_NONE;
}

static jdwpTransportError JNICALL read_packet(jdwpTransportEnv* env, jdwpPacket* packet) {
  (void)env;
  unsigned char header[11];
  const int from = connection;
  const int got = transfer(from, (char*)header, sizeof header, 1);
  if (got == 0) {
    packet->type.cmd.len = 0;
    return JDWPTRANSPORT_ERROR_NONE;
  }
  if (got < 0) {
    return failed(JDWPTRANSPORT_ERROR_IO_ERROR, "recv failed");
  }
  int number = 0;
  memcpy(&number, header, sizeof number);
  packet->type.cmd.len = (jint)ntohl((unsigned)number);
  memcpy(&number, header + 4, sizeof number);
  packet->type.cmd.id = (jint)ntohl((unsigned)number);
  packet->type.cmd.flags = (jbyte)header[8];
  if ((header[8] & JDWPTRANSPORT_FLAGS_REPLY) != 0) {
    packet->type.reply.errorCode = (jshort)(header[9] << 8 | header[10]);
  } else {
    packet->type.cmd.cmdSet = (jbyte)header[9];
    packet->type.cmd.cmd = (jbyte)header[10];
  }
  const jint size = packet->type.cmd.len - (jint)sizeof header;
  packet->type.cmd.data = size > 0 ? (*agent->alloc)(size) : NULL;
  if (size > 0 && transfer(from, (char*)packet->type.cmd.data, (size_t)size, 1) <= 0) {
    return failed(JDWPTRANSPORT_ERROR_IO_ERROR, "half a packet");
  }
  return JDWPTRANSPORT_ERROR_NONE;
}

static jdwpTransportError JNICALL write_packet(jdwpTransportEnv* env, const jdwpPacket* packet) {
  (void)env;
  const size_t size = (size_t)packet->type.cmd.len;
  char* bytes = malloc(size);
  const unsigned length = htonl((unsigned)size);
  const unsigned id = htonl((unsigned)packet->type.cmd.id);
  memcpy(bytes, &length, 4);
  memcpy(bytes + 4, &id, 4);
  bytes[8] = (char)packet->type.cmd.flags;
  if ((packet->type.cmd.flags & JDWPTRANSPORT_FLAGS_REPLY) != 0) {
    bytes[9] = (char)(packet->type.reply.errorCode >> 8);
    bytes[10] = (char)packet->type.reply.errorCode;
  } else {
    bytes[9] = (char)packet->type.cmd.cmdSet;
    bytes[10] = (char)packet->type.cmd.cmd;
  }
  if (size > 11) {
    memcpy(bytes + 11, packet->type.cmd.data, size - 11);
  }
  const int sent = transfer(connection, bytes, size, 0);
  free(bytes);
  return sent > 0 ? JDWPTRANSPORT_ERROR_NONE : failed(JDWPTRANSPORT_ERROR_IO_ERROR, "send failed");
}

static jdwpTransportError JNICALL get_last_error(jdwpTransportEnv* env, char** message) {
  (void)env;
  if (problem[0] == '\0') {
    return JDWPTRANSPORT_ERROR_MSG_NOT_AVAILABLE;
  }
  *message = (*agent->alloc)((jint)sizeof problem);
  memcpy(*message, problem, sizeof problem);
  return JDWPTRANSPORT_ERROR_NONE;
}

static jdwpTransportError JNICALL configure(jdwpTransportEnv* env,
                                            jdwpTransportConfiguration* configuration) {
  (void)env;
  note("Configure", configuration->allowed_peers);
  return has_defect("allow") ? failed(JDWPTRANSPORT_ERROR_ILLEGAL_ARGUMENT, "no such peer")
                             : JDWPTRANSPORT_ERROR_NONE;
}

static const struct jdwpTransportNativeInterface_ functions = {
    .GetCapabilities = get_capabilities,
    .Attach = attach,
    .StartListening = start_listening,
    .StopListening = stop_listening,
    .Accept = accept_debugger,
    .IsOpen = is_open,
    .Close = close_connection,
    .ReadPacket = read_packet,
    .WritePacket = write_packet,
    .GetLastError = get_last_error,
    .SetTransportConfiguration = configure,
};

JNIEXPORT jint JNICALL jdwpTransport_OnLoad(JavaVM* vm, jdwpTransportCallback* callback,
                                            jint version, jdwpTransportEnv** env) {
  static jdwpTransportEnv environment = &functions;
  (void)vm;
  note("OnLoad", version == JDWPTRANSPORT_VERSION_1_1 ? "1.1" : "1.0");
  if (has_defect("version") || (has_defect("1.0") && version != JDWPTRANSPORT_VERSION_1_0)) {
    return JNI_EVERSION;
  }
  if (has_defect("memory")) {
    return JNI_ENOMEM;
  }
  if (has_defect("exists")) {
    return JNI_EEXIST;
  }
  if (has_defect("number")) {
    return -77;
  }
  agent = callback;
  *env = &environment;
  return JNI_OK;
}
