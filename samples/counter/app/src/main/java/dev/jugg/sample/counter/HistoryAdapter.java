package dev.jugg.sample.counter;

import android.content.Context;
import android.view.LayoutInflater;
import android.view.View;
import android.view.ViewGroup;
import android.widget.BaseAdapter;
import android.widget.TextView;
import dev.jugg.sample.parts.CountEntry;
import dev.jugg.sample.parts.CountHistory;
import java.util.List;

/** One row for each tap that counted. */
final class HistoryAdapter extends BaseAdapter {

    private final LayoutInflater inflater;
    private final List<CountEntry> entries = CountHistory.newestFirst();

    HistoryAdapter(Context context) {
        inflater = LayoutInflater.from(context);
    }

    @Override
    public int getCount() {
        return entries.size();
    }

    @Override
    public CountEntry getItem(int position) {
        return entries.get(position);
    }

    @Override
    public long getItemId(int position) {
        return position;
    }

    @Override
    public View getView(int position, View recycled, ViewGroup parent) {
        View row = recycled != null ? recycled : inflater.inflate(R.layout.item_entry, parent, false);
        CountEntry entry = getItem(position);
        TextView title = row.findViewById(R.id.entry_title);
        TextView detail = row.findViewById(R.id.entry_detail);
        title.setText(row.getResources().getString(R.string.entry_title, entry.getCount()));
        detail.setText(row.getResources().getString(R.string.entry_detail, entry.getStep()));
        return row;
    }
}
