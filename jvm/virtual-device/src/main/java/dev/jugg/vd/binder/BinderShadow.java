package dev.jugg.vd.binder;

import android.os.Process;
import android.os.UserHandle;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowBinder;

/** Binders know who calls them, each thread for itself. */
@Implements(className = "android.os.Binder", isInAndroidSdk = false)
public class BinderShadow extends ShadowBinder {
  /** A process that calls. */
  record Caller(int pid, int uid) {}

  private static final int PID_BITS = 32;
  private static final ThreadLocal<Caller> CALLER = new ThreadLocal<>();

  /** {@code caller} may be null: this process itself. Answers who it was before. */
  static Caller setCaller(Caller caller) {
    Caller before = CALLER.get();
    CALLER.set(caller);
    return before;
  }

  @Implementation
  protected static int getCallingPid() {
    Caller caller = CALLER.get();
    return caller == null ? Process.myPid() : caller.pid();
  }

  @Implementation
  protected static int getCallingUid() {
    Caller caller = CALLER.get();
    return caller == null ? Process.myUid() : caller.uid();
  }

  @Implementation
  protected static int getCallingUidOrThrow() {
    Caller caller = CALLER.get();
    if (caller == null) {
      // Spelled as on a device.
      throw new IllegalStateException("Thread is not in a binder transcation");
    }
    return caller.uid();
  }

  @Implementation
  protected static UserHandle getCallingUserHandle() {
    return UserHandle.getUserHandleForUid(getCallingUid());
  }

  @Implementation
  protected static long clearCallingIdentity() {
    Caller before = setCaller(null);
    return before == null ? 0 : (long) before.uid() << PID_BITS | before.pid();
  }

  @Implementation
  protected static void restoreCallingIdentity(long token) {
    setCaller(token == 0 ? null : new Caller((int) token, (int) (token >> PID_BITS)));
  }
}
