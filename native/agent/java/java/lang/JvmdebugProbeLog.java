// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.util.concurrent.atomic.AtomicLong;

/** The ring into which log points write, and from which the agent reads: probes/log_ring.h. */
public final class JvmdebugProbeLog {
  private static final int SIZE = 1 << 18;

  public static final long[] values = new long[SIZE];
  public static final long[] published = new long[SIZE];
  public static final Object[] objects = new Object[SIZE];
  public static final AtomicLong tail = new AtomicLong();
  public static final AtomicLong head = new AtomicLong();

  private JvmdebugProbeLog() {}
}
