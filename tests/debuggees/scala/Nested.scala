// SPDX-License-Identifier: Apache-2.0
// Packages in each other, which the folder of the file does not have.
package shelves {
  package inner {
    class Deep {
      def more(count: Int): Int = {
        count + 1 // @deep
      }
    }
    package deepest {
      object Core {
        def run(count: Int): Int = {
          new Deep().more(count) * 2 // @core
        }
      }
    }
  }
}
