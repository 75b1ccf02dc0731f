package dev.jugg.vd.am;

import android.content.ComponentName;
import android.content.Intent;
import android.content.ServiceConnection;
import android.content.pm.PackageManager;
import android.net.Uri;
import android.os.Binder;
import android.os.Process;
import android.os.RemoteException;
import android.os.UserHandle;
import dev.jugg.vd.BoundApp;
import java.util.concurrent.Executor;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowContextImpl;

/** Contexts answer with the app's own class loader, and its services run. */
@Implements(className = "android.app.ContextImpl", isInAndroidSdk = false)
public class ContextImplShadow extends ShadowContextImpl {
  @Override
  @Implementation
  protected ClassLoader getClassLoader() {
    BoundApp app = BoundApp.current();
    return app == null ? super.getClassLoader() : app.loader();
  }

  @Override
  @Implementation
  protected ComponentName startService(Intent service) {
    return start(service, false);
  }

  @Override
  @Implementation
  protected ComponentName startServiceAsUser(Intent service, UserHandle user) {
    return startService(service);
  }

  @Override
  @Implementation
  protected ComponentName startForegroundService(Intent service) {
    return start(service, true);
  }

  private ComponentName start(Intent service, boolean foreground) {
    validateServiceIntent(service);
    try {
      IntentLimit.check(service);
    } catch (RemoteException e) {
      throw e.rethrowFromSystemServer();
    }
    return AppServices.instance().start(service, foreground);
  }

  @Override
  @Implementation
  protected boolean stopService(Intent service) {
    validateServiceIntent(service);
    return AppServices.instance().stop(service);
  }

  @Override
  @Implementation
  protected boolean bindService(Intent service, int flags, Executor executor, ServiceConnection connection) {
    validateServiceIntent(service);
    return AppServices.instance().bind(service, connection, executor);
  }

  @Override
  @Implementation
  protected boolean bindService(Intent service, ServiceConnection connection, int flags) {
    validateServiceIntent(service);
    return AppServices.instance().bind(service, connection, AppServices::post);
  }

  @Override
  @Implementation
  protected boolean bindServiceAsUser(Intent service, ServiceConnection connection, int flags, UserHandle user) {
    return bindService(service, connection, flags);
  }

  @Override
  @Implementation
  protected void unbindService(ServiceConnection connection) {
    AppServices.instance().unbind(connection);
  }

  @Implementation
  protected void grantUriPermission(String packageName, Uri uri, int flags) {
    UriGrants.grant(packageName, uri, flags);
  }

  @Implementation
  protected void revokeUriPermission(Uri uri, int flags) {
    UriGrants.revoke(null, uri, flags);
  }

  @Implementation
  protected void revokeUriPermission(String packageName, Uri uri, int flags) {
    UriGrants.revoke(packageName, uri, flags);
  }

  @Implementation
  protected int checkUriPermission(Uri uri, int pid, int uid, int flags) {
    return UriGrants.check(uri, uid, flags);
  }

  @Implementation
  protected int checkCallingUriPermission(Uri uri, int flags) {
    return Binder.getCallingPid() == Process.myPid()
        ? PackageManager.PERMISSION_DENIED
        : UriGrants.check(uri, Binder.getCallingUid(), flags);
  }

  @Implementation
  protected int checkCallingOrSelfUriPermission(Uri uri, int flags) {
    return UriGrants.check(uri, Binder.getCallingUid(), flags);
  }
}
