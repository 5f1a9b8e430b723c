// SPDX-License-Identifier: Apache-2.0
package attributes;

/** A class with a method whose parameter has a class that a test takes away. */
public class Lacking {
    static class Missing {}

    static int take(final Missing missing, int number) {
        return number;
    }

    static void touch(int number) {
        number++; // @lacking
    }

    public static void main(String[] args) {
        touch(1);
        touch(2);
        System.out.println("end");
    }
}
