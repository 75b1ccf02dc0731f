package dev.jugg.vd.warm;

import android.app.Activity;
import android.app.AlertDialog;
import android.os.Bundle;
import android.text.InputType;
import android.view.LayoutInflater;
import android.view.Menu;
import android.view.ViewGroup.LayoutParams;
import android.widget.ArrayAdapter;
import android.widget.Button;
import android.widget.CheckBox;
import android.widget.EditText;
import android.widget.ImageView;
import android.widget.LinearLayout;
import android.widget.ListView;
import android.widget.ProgressBar;
import android.widget.RadioButton;
import android.widget.ScrollView;
import android.widget.SeekBar;
import android.widget.Spinner;
import android.widget.Switch;
import android.widget.TextView;

/** Touches the widgets, drawables and texts that nearly every app uses. */
public final class WarmUpActivity extends Activity {
  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    LinearLayout column = new LinearLayout(this);
    column.setOrientation(LinearLayout.VERTICAL);
    TextView text = new TextView(this);
    text.setText("Warm é 你好");
    column.addView(text);
    EditText field = new EditText(this);
    field.setInputType(InputType.TYPE_CLASS_TEXT);
    field.setHint("hint");
    column.addView(field);
    column.addView(new Button(this));
    column.addView(new CheckBox(this));
    column.addView(new ProgressBar(this, null, android.R.attr.progressBarStyleHorizontal));
    column.addView(new ImageView(this));
    column.addView(new Switch(this));
    column.addView(new Spinner(this));
    column.addView(new ScrollView(this));
    column.addView(new RadioButton(this));
    column.addView(new SeekBar(this));
    ListView list = new ListView(this);
    list.setAdapter(
        new ArrayAdapter<>(this, android.R.layout.simple_list_item_1, new String[] {"a", "b", "c"}));
    column.addView(list, new LinearLayout.LayoutParams(LayoutParams.MATCH_PARENT, 0, 1));
    WarmUpStorage.use(this);
    setContentView(column);
    field.requestFocus();
    LayoutInflater.from(this).inflate(android.R.layout.simple_list_item_2, null);
  }

  @Override
  public boolean onCreateOptionsMenu(Menu menu) {
    menu.add("menu");
    return true;
  }

  void showAndHideDialog() {
    AlertDialog dialog = new AlertDialog.Builder(this)
        .setTitle("dialog")
        .setMessage("message")
        .setPositiveButton(android.R.string.ok, null)
        .show();
    dialog.dismiss();
  }
}
