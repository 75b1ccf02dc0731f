package dev.jugg.platform;

import android.security.NetworkSecurityPolicy;
import android.util.Log;
import java.io.IOException;
import java.net.URL;

/** Plain HTTP, which the app's network security configuration allows for one host alone. */
final class Network {
  private Network() {}

  static void use() {
    for (String host : new String[] {"127.0.0.1", "localhost"}) {
      boolean permitted = NetworkSecurityPolicy.getInstance().isCleartextTrafficPermitted(host);
      new Thread(() -> {
        String told;
        try {
          // Nobody listens there.
          new URL("http://" + host + ":1/").openConnection().connect();
          told = "connected";
        } catch (IOException e) {
          told = e.getMessage();
        }
        Log.i(PlatformActivity.TAG, "network " + host + " " + permitted + " " + told);
      }).start();
    }
  }
}
