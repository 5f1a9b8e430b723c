// SPDX-License-Identifier: Apache-2.0
package shop;

public class Greeter {
    String word = "hello";

    public String greet(String name) {
        return word + " " + name;
    }
}
