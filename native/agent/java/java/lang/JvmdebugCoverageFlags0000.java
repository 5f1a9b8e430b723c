// SPDX-License-Identifier: Apache-2.0
package java.lang;

/**
 * Holds flags of coverage. The agent defines it several times, each time with another number in its
 * name (coverage/flag_blocks.h). The field is final, so compiled code stores into the array without
 * loading the field.
 */
public final class JvmdebugCoverageFlags0000 {
  public static final byte[] FLAGS = new byte[1 << 15];

  private JvmdebugCoverageFlags0000() {}
}
