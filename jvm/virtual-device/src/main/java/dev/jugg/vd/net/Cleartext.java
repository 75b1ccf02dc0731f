package dev.jugg.vd.net;

import android.content.Context;
import android.security.net.config.ApplicationConfig;
import android.security.net.config.ConfigNetworkSecurityPolicy;
import android.security.net.config.ManifestConfigSource;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.Proxy;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import libcore.net.NetworkSecurityPolicy;

/**
 * Plain HTTP is refused as the app's manifest and its network security configuration say: to libraries that ask
 * {@code NetworkSecurityPolicy} (OkHttp), and to {@code HttpURLConnection}. A phone refuses when the connection is made,
 * this when it is asked for.
 */
public final class Cleartext {
  private static final int HTTP_PORT = 80;

  private Cleartext() {}

  /** As {@code NetworkSecurityConfigProvider.install}, without its trust anchors: those are the JVM's. */
  public static void install(Context app) {
    ApplicationConfig config = new ApplicationConfig(new ManifestConfigSource(app));
    ApplicationConfig.setDefaultInstance(config);
    NetworkSecurityPolicy.setInstance(new ConfigNetworkSecurityPolicy(config));
    try {
      // It keeps the JVM's own handler, and hands it on to every URL that is made on top of it.
      Handler handler = new Handler(new URL("http://localhost/"));
      URL.setURLStreamHandlerFactory(protocol -> protocol.equals("http") ? handler : null);
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Handler extends URLStreamHandler {
    private final URL plain;

    Handler(URL plain) {
      this.plain = plain;
    }

    @Override
    protected URLConnection openConnection(URL url) throws IOException {
      return checked(url).openConnection();
    }

    @Override
    protected URLConnection openConnection(URL url, Proxy proxy) throws IOException {
      return checked(url).openConnection(proxy);
    }

    @Override
    protected int getDefaultPort() {
      return HTTP_PORT;
    }

    private URL checked(URL url) throws IOException {
      String host = url.getHost();
      if (!NetworkSecurityPolicy.getInstance().isCleartextTrafficPermitted(host)) {
        throw new IOException("Cleartext HTTP traffic to " + host + " not permitted");
      }
      return new URL(plain, url.toExternalForm());
    }
  }
}
