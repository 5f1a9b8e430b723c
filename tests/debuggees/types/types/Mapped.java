// SPDX-License-Identifier: Apache-2.0
package types;

/** Gets a JSR-45 source map when it is loaded: three lines of a template became these. */
class Mapped {
    int first() {
        return 1; // @mappedFirst
    }

    int second() {
        return 2;
    }
}
