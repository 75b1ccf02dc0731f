package dev.jugg.vd.am;

import android.content.Intent;
import android.os.Parcel;
import android.os.TransactionTooLargeException;

/** What the kernel's binder buffer holds: an intent that is larger reaches nobody, not even the own process. */
public final class IntentLimit {
  /** AOSP {@code ProcessState}: {@code BINDER_VM_SIZE}, 1 MB less two pages. */
  private static final int BYTES = 1024 * 1024 - 2 * 4096;

  private IntentLimit() {}

  public static void check(Intent intent) throws TransactionTooLargeException {
    if (intent.getExtras() == null && intent.getClipData() == null) {
      return;
    }
    Parcel parcel = Parcel.obtain();
    try {
      intent.writeToParcel(parcel, 0);
      if (parcel.dataSize() > BYTES) {
        throw new TransactionTooLargeException("data parcel size " + parcel.dataSize() + " bytes");
      }
    } finally {
      parcel.recycle();
    }
  }
}
