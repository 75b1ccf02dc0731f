package dev.jugg.vd.pm;

import android.content.ContentValues;
import android.content.UriPermission;
import android.database.ContentObserver;
import android.net.Uri;
import android.os.Bundle;
import android.util.Log;
import dev.jugg.vd.am.UriGrants;
import dev.jugg.vd.binder.RemoteProviders;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowContentResolver;

/**
 * Providers of Android itself are not there, nor those of apps that are not installed: writing to them fails as on a
 * device without them. Robolectric would pretend that it went well.
 */
@Implements(className = "android.content.ContentResolver", isInAndroidSdk = false)
public class ContentResolverShadow extends ShadowContentResolver {
  @Override
  @Implementation
  protected Uri insert(Uri uri, ContentValues values) {
    require(uri, "Unknown URL " + uri);
    return super.insert(uri, values);
  }

  @Override
  @Implementation
  protected int update(Uri uri, ContentValues values, String where, String[] arguments) {
    require(uri, "Unknown URI " + uri);
    return super.update(uri, values, where, arguments);
  }

  @Implementation
  protected int delete(Uri uri, String where, String[] arguments) {
    require(uri, "Unknown URL " + uri);
    return super.delete(uri, where, arguments);
  }

  @Implementation
  protected int bulkInsert(Uri uri, ContentValues[] values) {
    require(uri, "Unknown URL " + uri);
    return super.bulkInsert(uri, values);
  }

  @Override
  @Implementation
  protected Bundle call(Uri uri, String method, String argument, Bundle extras) {
    require(uri, "Unknown authority " + uri.getAuthority());
    return super.call(uri, method, argument, extras);
  }

  @Override
  @Implementation
  protected void notifyChange(Uri uri, ContentObserver observer, int flags) {
    super.notifyChange(uri, observer, flags);
    RemoteProviders.tellOthers(uri);
  }

  @Override
  @Implementation
  protected void takePersistableUriPermission(Uri uri, int flags) {
    UriGrants.take(uri, flags);
  }

  @Override
  @Implementation
  protected void releasePersistableUriPermission(Uri uri, int flags) {
    UriGrants.release(uri, flags);
  }

  @Override
  @Implementation
  protected List<UriPermission> getPersistedUriPermissions() {
    return UriGrants.persisted(false);
  }

  @Implementation
  protected List<UriPermission> getOutgoingPersistedUriPermissions() {
    return UriGrants.persisted(true);
  }

  /** Tells the observers of this process only. */
  public void changedElsewhere(Uri uri) {
    super.notifyChange(uri, null, 0);
  }

  /** The words of AOSP's ContentResolver. */
  private static void require(Uri uri, String trouble) {
    if (uri != null && getProvider(uri) == null) {
      Log.w("JuggVirtualDevice", "There is no content provider for " + uri.getAuthority() + " on the virtual device.");
      throw new IllegalArgumentException(trouble);
    }
  }
}
