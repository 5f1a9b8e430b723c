// SPDX-License-Identifier: Apache-2.0
//
// The tests of native/codec.
#include "tests/suite.h"

namespace jvmdebug::tests {

void codec_ids_tests(Suite& suite);
void codec_messages_tests(Suite& suite);
void codec_packet_tests(Suite& suite);
void codec_reader_tests(Suite& suite);

}  // namespace jvmdebug::tests

int main() {
  jvmdebug::tests::Suite suite;
  jvmdebug::tests::codec_ids_tests(suite);
  jvmdebug::tests::codec_messages_tests(suite);
  jvmdebug::tests::codec_packet_tests(suite);
  jvmdebug::tests::codec_reader_tests(suite);
  return suite.finish();
}
