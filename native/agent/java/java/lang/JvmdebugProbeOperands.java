// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reads the operand stack of the frame that has called it: JVM TI does not offer it, but
 * LiveStackFrame does, inside java.lang. The agent's side is events/operand_class.h.
 */
@SuppressWarnings({"rawtypes", "unchecked"})
final class JvmdebugProbeOperands implements Function {
  JvmdebugProbeOperands() {}

  @Override
  public Object apply(Object frames) {
    return ((Stream) frames).skip(1).findFirst().orElse(null);
  }

  /**
   * Returns the operands of the caller, the topmost one last. `walker` is one of LiveStackFrame,
   * `first` an instance of this class. This method itself has an int on its operand stack, so that
   * the first call makes the VM load the classes that it needs to return one.
   */
  static Object[] read(StackWalker walker, Function first) {
    return stackOf(1, walker.walk(first));
  }

  private static Object[] stackOf(int one, Object frame) {
    return ((LiveStackFrame) frame).getStack();
  }
}
