package dev.jugg.sample.parts

/** One tap that counted: how much was added, and the count after it. */
data class CountEntry(val step: Int, val count: Int)

/** What was counted since the app was started. Used from the main thread only. */
object CountHistory {
    private val entries = ArrayDeque<CountEntry>()

    fun record(step: Int, count: Int) {
        entries.addFirst(CountEntry(step, count))
    }

    @JvmStatic
    fun newestFirst(): List<CountEntry> = entries.toList()

    fun clear() = entries.clear()
}
