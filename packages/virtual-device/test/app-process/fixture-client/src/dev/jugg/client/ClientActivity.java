package dev.jugg.client;

import android.app.Activity;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.ServiceConnection;
import android.net.Uri;
import android.os.Bundle;
import android.os.IBinder;
import android.util.Log;
import dev.jugg.fixture.Calls;
import dev.jugg.fixture.Rows;

/** Uses what another app offers, as far as that lets it. */
public class ClientActivity extends Activity implements ServiceConnection {
  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    if ("rows".equals(getIntent().getStringExtra("part"))) {
      Rows.use(this);
    } else if ("shared".equals(getIntent().getStringExtra("part"))) {
      new Shared(this).use(getIntent());
    } else if ("hold".equals(getIntent().getStringExtra("part"))) {
      // Bound until the activity ends; every callback is told.
      bind("BinderService");
      bind("RemoteService");
    } else if ("starts".equals(getIntent().getStringExtra("part"))) {
      Starts.all(this);
    } else if ("later".equals(getIntent().getStringExtra("part"))) {
      new Shared(this).later();
    } else if ("bind".equals(getIntent().getStringExtra("part"))) {
      Calls.bind(this, false);
    } else {
      say("nowhere", bind("NoService"));
      say("null", bind("RemoteService"));
      try {
        bind("WorkService");
      } catch (SecurityException e) {
        say("denied", e.getMessage());
      }
      try {
        getContentResolver().query(Uri.parse("content://dev.jugg.fixture.provider/x"), null, null, null, null);
      } catch (SecurityException e) {
        say("provider", e.getMessage());
      }
    }
  }

  private boolean bind(String name) {
    Intent intent = new Intent().setClassName("dev.jugg.fixture", "dev.jugg.fixture." + name);
    return bindService(intent, this, Context.BIND_AUTO_CREATE);
  }

  private static void say(String what, Object result) {
    Log.i("Fixture", "client " + what + ": " + result);
  }

  @Override
  public void onServiceConnected(ComponentName name, IBinder binder) {
    say("connected", name.getShortClassName() + " " + binder.isBinderAlive());
  }

  @Override
  public void onBindingDied(ComponentName name) {
    say("died", name.getShortClassName());
  }

  @Override
  public void onNullBinding(ComponentName name) {
    say("binding", "null of " + name.flattenToShortString());
  }

  @Override
  public void onServiceDisconnected(ComponentName name) {
    say("disconnected", name.getShortClassName());
  }
}
