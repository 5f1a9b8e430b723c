// SPDX-License-Identifier: Apache-2.0
package accessors;

abstract class Holder<T> {
  abstract T value();
}
