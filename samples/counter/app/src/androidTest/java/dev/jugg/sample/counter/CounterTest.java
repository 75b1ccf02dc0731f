package dev.jugg.sample.counter;

import static org.junit.Assert.assertEquals;

import android.app.Activity;
import android.app.Instrumentation;
import android.content.Intent;
import android.widget.TextView;
import androidx.test.platform.app.InstrumentationRegistry;
import androidx.test.runner.AndroidJUnit4;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(AndroidJUnit4.class)
public final class CounterTest {

    private final Instrumentation instrumentation = InstrumentationRegistry.getInstrumentation();
    private Activity activity;

    @Before
    public void start() {
        Intent intent = new Intent(instrumentation.getTargetContext(), MainActivity.class);
        intent.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
        activity = instrumentation.startActivitySync(intent);
    }

    @After
    public void finish() {
        activity.finish();
    }

    @Test
    public void startsAtZero() {
        assertEquals(CountTextKt.countText(0), countShown());
    }

    @Test
    public void aTapCounts() {
        instrumentation.runOnMainSync(() -> activity.findViewById(R.id.add).performClick());
        assertEquals(CountTextKt.countText(1), countShown());
    }

    private String countShown() {
        instrumentation.waitForIdleSync();
        return ((TextView) activity.findViewById(R.id.count)).getText().toString();
    }
}
