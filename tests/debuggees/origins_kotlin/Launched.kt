// SPDX-License-Identifier: Apache-2.0
package launched

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/** Launches coroutines on a dispatcher's threads. */
fun main() {
    runBlocking {
        val job = launch(Dispatchers.Default) { // @launch
            reached()
        }
        job.join()
    }
}

fun reached() {
    Thread.yield() // @reached
}
