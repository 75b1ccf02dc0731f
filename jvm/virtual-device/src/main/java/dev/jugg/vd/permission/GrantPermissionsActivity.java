package dev.jugg.vd.permission;

import android.app.Activity;
import android.content.pm.PackageManager;
import android.os.Bundle;
import android.view.Gravity;
import android.view.View;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.TextView;
import java.util.ArrayList;
import java.util.List;

/**
 * The system's question for permissions, one group after the other. It runs in the process that asks, but is reported
 * under the names of AOSP's permission controller.
 */
public final class GrantPermissionsActivity extends Activity {
  private static final int PADDING_DP = 24;

  private List<PermissionGroup> groups = List.of();
  private int asked;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    setFinishOnTouchOutside(false);
    List<String> open = new ArrayList<>();
    for (String name : names()) {
      if (Permissions.canBeAsked(name)) {
        open.add(name);
      }
    }
    groups = PermissionGroup.of(open);
    // What was answered before a rotation is no longer open.
    asked = 0;
    askNext();
  }

  private void askNext() {
    if (asked >= groups.size()) {
      finish();
      return;
    }
    PermissionGroup group = groups.get(asked);
    LinearLayout all = new LinearLayout(this);
    all.setOrientation(LinearLayout.VERTICAL);
    all.setTag(new SystemViewName("grant_dialog"));
    int padding = Math.round(PADDING_DP * getResources().getDisplayMetrics().density);
    all.setPadding(padding, padding, padding, padding);
    TextView message = new TextView(this);
    message.setTag(new SystemViewName("permission_message"));
    message.setText(group.question(this));
    message.setTextAppearance(android.R.style.TextAppearance_Material_Title);
    message.setGravity(Gravity.CENTER);
    all.addView(message);
    if (group.isForegroundOnly()) {
      add(all, "permission_allow_foreground_only_button", "While using the app", () -> grant(group, false));
      add(all, "permission_allow_one_time_button", "Only this time", () -> grant(group, true));
    } else {
      add(all, "permission_allow_button", "Allow", () -> grant(group, false));
    }
    boolean again = group.permissions().stream().anyMatch(Permissions::wasRefused);
    String deny = again ? "permission_deny_and_dont_ask_again_button" : "permission_deny_button";
    add(all, deny, "Don’t allow", () -> group.permissions().forEach(Permissions::refuse));
    setContentView(all);
  }

  private void grant(PermissionGroup group, boolean once) {
    group.permissions().forEach(permission -> Permissions.grant(permission, once));
  }

  private void add(LinearLayout all, String name, String text, Runnable answer) {
    Button button = new Button(this);
    button.setTag(new SystemViewName(name));
    button.setAllCaps(false);
    button.setText(text);
    button.setOnClickListener((View view) -> {
      answer.run();
      asked++;
      askNext();
    });
    all.addView(button);
  }

  private String[] names() {
    String[] names = getIntent().getStringArrayExtra(PackageManager.EXTRA_REQUEST_PERMISSIONS_NAMES);
    return names == null ? new String[0] : names;
  }

  @Override
  public void finish() {
    setResult(RESULT_OK, PermissionRequest.answer(names()));
    super.finish();
  }
}
