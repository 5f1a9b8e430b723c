// SPDX-License-Identifier: Apache-2.0
package known;

/** Objects of the JDK, with what the program itself says about them. */
final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        Numbers.make();
        Times.make();
        Names.make();
        Lists.make();
        Sets.make();
        Maps.make();
        Maps.reversed();
        System.out.println(Said.SUBJECTS.size()); // @shown
    }
}
