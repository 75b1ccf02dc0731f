package dev.jugg.vd.net;

import android.net.Credentials;
import android.net.LocalSocketAddress;
import dev.jugg.vd.BoundApp;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.robolectric.annotation.ClassName;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadow.api.Shadow;

/**
 * android.net.LocalSocket and LocalServerSocket over real sockets of the host: see docs/app-process-protocol.md. The
 * other side is always the daemon, which acts for adb's shell user.
 */
@Implements(className = "android.net.LocalSocketImpl", isInAndroidSdk = false)
public class LocalSocketImplShadow {
  private static final int SHELL_UID = 2000;

  private LocalSocketAddress address;
  private LocalTransport.Listener listener;
  private LocalTransport.Connection connection;

  @Implementation
  protected void create(int type) {}

  @Implementation
  protected void bind(LocalSocketAddress endpoint) throws IOException {
    if (address != null) {
      throw new IOException("already bound");
    }
    address = endpoint;
    listener = LocalTransport.platform().listen(LocalNames.file(socketDir(), endpoint));
  }

  @Implementation
  protected void listen(int backlog) {}

  @Implementation
  protected void accept(@ClassName("android.net.LocalSocketImpl") Object accepted) throws IOException {
    if (listener == null) {
      throw new IOException("socket not created");
    }
    LocalSocketImplShadow shadow = Shadow.extract(accepted);
    shadow.connection = listener.accept();
    shadow.address = address;
  }

  @Implementation
  protected void connect(LocalSocketAddress endpoint, int timeout) throws IOException {
    connection = LocalTransport.platform().connect(LocalNames.file(socketDir(), endpoint));
    address = endpoint;
  }

  @Implementation
  protected InputStream getInputStream() throws IOException {
    return connected().input();
  }

  @Implementation
  protected OutputStream getOutputStream() throws IOException {
    return connected().output();
  }

  @Implementation
  protected int available() throws IOException {
    return connected().input().available();
  }

  @Implementation
  protected void shutdownInput() throws IOException {
    connected().shutdownInput();
  }

  @Implementation
  protected void shutdownOutput() throws IOException {
    connected().shutdownOutput();
  }

  @Implementation
  protected void close() throws IOException {
    if (listener != null) {
      listener.close();
    }
    if (connection != null) {
      connection.close();
    }
  }

  @Implementation
  protected FileDescriptor getFileDescriptor() {
    return new FileDescriptor();
  }

  @Implementation
  protected Object getOption(int option) {
    return 0;
  }

  @Implementation
  protected void setOption(int option, Object value) {}

  @Implementation
  protected Credentials getPeerCredentials() throws IOException {
    connected();
    long daemon = ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(1L);
    return new Credentials((int) daemon, SHELL_UID, SHELL_UID);
  }

  @Implementation
  protected LocalSocketAddress getSockAddress() {
    return address;
  }

  private LocalTransport.Connection connected() throws IOException {
    if (connection == null) {
      throw new IOException("socket not created");
    }
    return connection;
  }

  private static java.nio.file.Path socketDir() throws IOException {
    BoundApp app = BoundApp.current();
    if (app == null) {
      throw new IOException("no app is bound to this process");
    }
    return app.socketDir();
  }
}
