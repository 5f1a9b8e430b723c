// SPDX-License-Identifier: Apache-2.0
@file:JvmName("Loads")
@file:JvmMultifileClass

package names

val limit: Int by lazy { 42 }

fun lighter(n: Int, by: Int = 2): Int = n - by
