// SPDX-License-Identifier: Apache-2.0
package shop;

/** Overrides what has a source; tests take its own source and lines away. */
public class Plain extends Order {
    @Override
    public int price() {
        return 9;
    }

    @Override
    int kept() {
        return super.kept() + 1;
    }
}
