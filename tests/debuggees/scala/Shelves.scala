// SPDX-License-Identifier: Apache-2.0
// Closures that a library calls, and a lazy value; for Scala 2 and 3.
package shelves

class Shelf(val factor: Int) {
  def total(books: List[Int]): Int = {
    val doubled = books.map { book => // @map
      val more = book * factor // @more
      more + 1
    }
    doubled.foreach(each => note(each)) // @foreach
    doubled.sum // @sum
  }

  def note(book: Int): Unit = {
    Shelves.noted += book // @note
  }
}

object Shelves {
  var noted = 0

  def main(args: Array[String]): Unit = {
    lazy val late = {
      val three = 3 // @late
      three * 2
    }
    val total = new Shelf(2).total(List(1, 2)) // @total
    println(total + late) // @print
    println(noted + inner.deepest.Core.run(3))
  }
}
