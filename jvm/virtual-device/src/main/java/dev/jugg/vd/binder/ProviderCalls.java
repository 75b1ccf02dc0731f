package dev.jugg.vd.binder;

import android.content.AttributionSource;
import android.content.ContentProvider;
import android.content.ContentProviderOperation;
import android.content.ContentProviderResult;
import android.content.ContentValues;
import android.content.OperationApplicationException;
import android.database.Cursor;
import android.database.DatabaseUtils;
import android.net.Uri;
import android.os.Binder;
import android.os.Bundle;
import android.os.Parcel;
import android.os.Parcelable;
import dev.jugg.vd.BoundApp;
import java.io.FileNotFoundException;
import java.util.ArrayList;
import org.robolectric.shadows.ShadowContentResolver;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** What a content provider of this process is asked by others; each call names the authority and the asking package. */
final class ProviderCalls {
  static final int QUERY = ProcessBinder.PROVIDER;
  static final int GET_TYPE = ProcessBinder.PROVIDER + 1;
  static final int INSERT = ProcessBinder.PROVIDER + 2;
  static final int BULK_INSERT = ProcessBinder.PROVIDER + 3;
  static final int UPDATE = ProcessBinder.PROVIDER + 4;
  static final int DELETE = ProcessBinder.PROVIDER + 5;
  static final int CALL = ProcessBinder.PROVIDER + 6;
  static final int APPLY_BATCH = ProcessBinder.PROVIDER + 7;
  static final int OPEN_FILE = ProcessBinder.PROVIDER + 8;
  static final int OPEN_ASSET_FILE = ProcessBinder.PROVIDER + 9;
  static final int OPEN_TYPED_ASSET_FILE = ProcessBinder.PROVIDER + 10;
  static final int GET_STREAM_TYPES = ProcessBinder.PROVIDER + 11;

  private ProviderCalls() {}

  static boolean serve(int code, Parcel data, Parcel reply) {
    String authority = data.readString();
    String caller = data.readString();
    ContentProvider provider = ShadowContentResolver.getProvider(Uri.parse("content://" + authority));
    if (provider == null || provider instanceof RemoteProvider) {
      return false;
    }
    Object before = setCaller(provider, new AttributionSource.Builder(Binder.getCallingUid()).setPackageName(caller).build());
    try {
      call(code, provider, authority, data, reply);
    } catch (OperationApplicationException | FileNotFoundException | RuntimeException e) {
      reply.setDataSize(0);
      reply.setDataPosition(0);
      DatabaseUtils.writeExceptionToParcel(reply, e);
    } finally {
      setCaller(provider, (AttributionSource) before);
    }
    return true;
  }

  /** For ContentProvider.getCallingPackage. */
  static Object setCaller(ContentProvider provider, AttributionSource source) {
    return ReflectionHelpers.callInstanceMethod(
        ContentProvider.class,
        provider,
        "setCallingAttributionSource",
        ClassParameter.from(AttributionSource.class, source));
  }

  private static void call(int code, ContentProvider provider, String authority, Parcel data, Parcel reply)
      throws OperationApplicationException, FileNotFoundException {
    ClassLoader loader = BoundApp.current().loader();
    if (code == APPLY_BATCH) {
      ArrayList<ContentProviderOperation> operations = data.createTypedArrayList(ContentProviderOperation.CREATOR);
      ContentProviderResult[] results = provider.applyBatch(authority, operations);
      reply.writeNoException();
      reply.writeTypedArray(results, 0);
      return;
    }
    if (code == CALL) {
      Bundle result = provider.call(authority, data.readString(), data.readString(), data.readBundle(loader));
      reply.writeNoException();
      reply.writeBundle(result);
      return;
    }
    Uri uri = Uri.CREATOR.createFromParcel(data);
    switch (code) {
      case QUERY -> {
        try (Cursor cursor = provider.query(uri, data.createStringArray(), data.readBundle(loader), null)) {
          reply.writeNoException();
          reply.writeInt(cursor == null ? 0 : 1);
          if (cursor != null) {
            CursorWire.write(cursor, reply);
          }
        }
      }
      case GET_TYPE -> {
        String type = provider.getType(uri);
        reply.writeNoException();
        reply.writeString(type);
      }
      case INSERT -> {
        Uri inserted = provider.insert(uri, values(data), data.readBundle(loader));
        reply.writeNoException();
        reply.writeTypedObject(inserted, 0);
      }
      case BULK_INSERT -> count(reply, provider.bulkInsert(uri, data.createTypedArray(ContentValues.CREATOR)));
      case UPDATE -> count(reply, provider.update(uri, values(data), data.readBundle(loader)));
      case DELETE -> count(reply, provider.delete(uri, data.readBundle(loader)));
      case OPEN_FILE -> give(reply, provider.openFile(uri, data.readString()));
      case OPEN_ASSET_FILE -> give(reply, provider.openAssetFile(uri, data.readString()));
      case OPEN_TYPED_ASSET_FILE ->
          give(reply, provider.openTypedAssetFile(uri, data.readString(), data.readBundle(loader)));
      case GET_STREAM_TYPES -> {
        String[] types = provider.getStreamTypes(uri, data.readString());
        reply.writeNoException();
        reply.writeStringArray(types);
      }
      default -> throw new IllegalArgumentException("no such call of a provider: " + code);
    }
  }

  private static ContentValues values(Parcel data) {
    return data.readTypedObject(ContentValues.CREATOR);
  }

  /** Closed here: the other side has its own. */
  private static void give(Parcel reply, Parcelable descriptor) {
    reply.writeNoException();
    reply.writeTypedObject(descriptor, Parcelable.PARCELABLE_WRITE_RETURN_VALUE);
  }

  private static void count(Parcel reply, int rows) {
    reply.writeNoException();
    reply.writeInt(rows);
  }
}
