package dev.jugg.sample.counter;

import android.app.Activity;
import android.os.Bundle;
import android.view.MenuItem;
import android.widget.ListView;
import android.widget.Toast;
import dev.jugg.sample.parts.CountEntry;

/** The second screen: what was counted so far, newest first. */
public final class HistoryActivity extends Activity {

    @Override
    protected void onCreate(Bundle savedInstanceState) {
        super.onCreate(savedInstanceState);
        setContentView(R.layout.activity_history);
        if (getActionBar() != null) {
            getActionBar().setDisplayHomeAsUpEnabled(true);
        }
        HistoryAdapter adapter = new HistoryAdapter(this);
        ListView list = findViewById(R.id.entries);
        list.setEmptyView(findViewById(R.id.empty));
        list.setAdapter(adapter);
        list.setOnItemClickListener((parent, view, position, id) -> show(adapter.getItem(position)));
    }

    @Override
    public boolean onOptionsItemSelected(MenuItem item) {
        if (item.getItemId() == android.R.id.home) {
            finish();
            return true;
        }
        return super.onOptionsItemSelected(item);
    }

    private void show(CountEntry entry) {
        Toast.makeText(this, getString(R.string.entry_toast, entry.getCount()), Toast.LENGTH_SHORT).show();
    }
}
