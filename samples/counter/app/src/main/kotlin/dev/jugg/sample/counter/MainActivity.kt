package dev.jugg.sample.counter

import android.app.Activity
import android.app.AlertDialog
import android.content.Intent
import android.os.Bundle
import android.text.Editable
import android.text.TextWatcher
import android.util.Log
import android.widget.Button
import android.widget.EditText
import android.widget.TextView
import dev.jugg.sample.parts.CountHistory
import dev.jugg.sample.parts.StepBar

/** Counts taps. Everything on the screen is set in [render], which runs on resume and after each tap. */
class MainActivity : Activity() {
    private lateinit var countView: TextView
    private lateinit var greetingView: TextView
    private lateinit var nameField: EditText
    private lateinit var stepBar: StepBar
    private var count = 0

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        setContentView(R.layout.activity_main)
        countView = findViewById(R.id.count)
        greetingView = findViewById(R.id.greeting)
        nameField = findViewById(R.id.name)
        stepBar = findViewById(R.id.steps)
        count = savedInstanceState?.getInt(KEY_COUNT) ?: 0

        countView.setOnClickListener { render() }
        stepBar.setOnStepListener { render() }
        nameField.addTextChangedListener(AfterTextChanged { render() })
        findViewById<Button>(R.id.add).setOnClickListener { add(stepBar.step) }
        findViewById<Button>(R.id.reset).setOnClickListener { askForReset() }
        findViewById<Button>(R.id.history).setOnClickListener {
            startActivity(Intent(this, HistoryActivity::class.java))
        }
        if (BuildConfig.DEBUG) Log.d(TAG, "version ${BuildConfig.VERSION_NAME}")
        Log.i(TAG, "COUNTER_READY")
    }

    override fun onResume() {
        super.onResume()
        render()
    }

    override fun onSaveInstanceState(outState: Bundle) {
        super.onSaveInstanceState(outState)
        outState.putInt(KEY_COUNT, count)
    }

    private fun add(step: Int) {
        count += step
        CountHistory.record(step, count)
        Log.i(TAG, "count=$count")
        render()
    }

    private fun askForReset() {
        AlertDialog.Builder(this)
            .setTitle(R.string.reset_title)
            .setMessage(getString(R.string.reset_message, count))
            .setPositiveButton(R.string.reset) { _, _ -> reset() }
            .setNegativeButton(android.R.string.cancel, null)
            .show()
    }

    private fun reset() {
        count = 0
        CountHistory.clear()
        render()
    }

    private fun render() {
        countView.text = countText(count)
        greetingView.text = Greeting.of(resources, nameField.text.toString())
    }

    private class AfterTextChanged(private val action: () -> Unit) : TextWatcher {
        override fun beforeTextChanged(text: CharSequence?, start: Int, count: Int, after: Int) = Unit

        override fun onTextChanged(text: CharSequence?, start: Int, before: Int, count: Int) = Unit

        override fun afterTextChanged(text: Editable?) = action()
    }

    private companion object {
        const val TAG = "Counter"
        const val KEY_COUNT = "count"
    }
}
