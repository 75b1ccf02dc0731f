package dev.jugg.sample.counter

/** The text of the big number on the first screen. */
fun countText(count: Int): String = "Count: $count"
