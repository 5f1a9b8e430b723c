// SPDX-License-Identifier: Apache-2.0
package shop.data;

public class Person {
    private final String name;

    protected Person(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }
}
