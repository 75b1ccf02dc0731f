package dev.jugg.vd.binder;

import android.content.ContentProvider;
import android.content.ContentProviderOperation;
import android.content.ContentProviderResult;
import android.content.ContentResolver;
import android.content.ContentValues;
import android.content.OperationApplicationException;
import android.content.pm.PackageManager;
import android.content.res.AssetFileDescriptor;
import android.database.Cursor;
import android.database.DatabaseUtils;
import android.net.Uri;
import android.os.Bundle;
import android.os.CancellationSignal;
import android.os.DeadObjectException;
import android.os.Parcel;
import android.os.ParcelFileDescriptor;
import android.os.Process;
import android.os.RemoteException;
import android.util.Log;
import com.google.gson.JsonObject;
import dev.jugg.vd.BoundApp;
import java.io.FileNotFoundException;
import java.util.ArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

/** Stands for a content provider of another process, which is started when it is asked for something. */
final class RemoteProvider extends ContentProvider {
  private final String authority;

  RemoteProvider(String authority) {
    this.authority = authority;
  }

  @Override
  public boolean onCreate() {
    return true;
  }

  @Override
  public Cursor query(Uri uri, String[] projection, Bundle arguments, CancellationSignal signal) {
    return asking(ProviderCalls.QUERY, "readPermission", uri, data -> {
      uri.writeToParcel(data, 0);
      data.writeStringArray(projection);
      data.writeBundle(arguments);
    }, reply -> reply.readInt() == 0 ? null : CursorWire.read(reply, getContext().getContentResolver()));
  }

  @Override
  public Cursor query(Uri uri, String[] projection, String selection, String[] arguments, String order) {
    return query(uri, projection, ContentResolver.createSqlQueryBundle(selection, arguments, order), null);
  }

  @Override
  public String getType(Uri uri) {
    return asking(ProviderCalls.GET_TYPE, null, uri, data -> uri.writeToParcel(data, 0), Parcel::readString);
  }

  @Override
  public Uri insert(Uri uri, ContentValues values) {
    return insert(uri, values, null);
  }

  @Override
  public Uri insert(Uri uri, ContentValues values, Bundle extras) {
    return asking(ProviderCalls.INSERT, "writePermission", uri, data -> {
      uri.writeToParcel(data, 0);
      data.writeTypedObject(values, 0);
      data.writeBundle(extras);
    }, reply -> reply.readTypedObject(Uri.CREATOR));
  }

  @Override
  public int bulkInsert(Uri uri, ContentValues[] values) {
    return counted(asking(ProviderCalls.BULK_INSERT, "writePermission", uri, data -> {
      uri.writeToParcel(data, 0);
      data.writeTypedArray(values, 0);
    }, Parcel::readInt));
  }

  @Override
  public int update(Uri uri, ContentValues values, String where, String[] arguments) {
    return update(uri, values, ContentResolver.createSqlQueryBundle(where, arguments));
  }

  @Override
  public int update(Uri uri, ContentValues values, Bundle extras) {
    return counted(asking(ProviderCalls.UPDATE, "writePermission", uri, data -> {
      uri.writeToParcel(data, 0);
      data.writeTypedObject(values, 0);
      data.writeBundle(extras);
    }, Parcel::readInt));
  }

  @Override
  public int delete(Uri uri, String where, String[] arguments) {
    return delete(uri, ContentResolver.createSqlQueryBundle(where, arguments));
  }

  @Override
  public int delete(Uri uri, Bundle extras) {
    return counted(asking(ProviderCalls.DELETE, "writePermission", uri, data -> {
      uri.writeToParcel(data, 0);
      data.writeBundle(extras);
    }, Parcel::readInt));
  }

  @Override
  public Bundle call(String method, String argument, Bundle extras) {
    return asking(ProviderCalls.CALL, null, null, data -> {
      data.writeString(method);
      data.writeString(argument);
      data.writeBundle(extras);
    }, reply -> reply.readBundle(BoundApp.current().loader()));
  }

  @Override
  public ContentProviderResult[] applyBatch(ArrayList<ContentProviderOperation> operations)
      throws OperationApplicationException {
    return applyBatch(authority, operations);
  }

  @Override
  public ContentProviderResult[] applyBatch(String ignored, ArrayList<ContentProviderOperation> operations)
      throws OperationApplicationException {
    Failed failed = new Failed();
    ContentProviderResult[] results = asking(
        ProviderCalls.APPLY_BATCH,
        "writePermission",
        null,
        data -> data.writeTypedList(operations),
        reply -> reply.createTypedArray(ContentProviderResult.CREATOR),
        failed);
    if (failed.cause != null) {
      throw failed.cause;
    }
    return results;
  }

  @Override
  public ParcelFileDescriptor openFile(Uri uri, String mode) throws FileNotFoundException {
    throw new FileNotFoundException(
        "files of another process's provider cannot be opened on the virtual device: " + uri);
  }

  @Override
  public AssetFileDescriptor openAssetFile(Uri uri, String mode) throws FileNotFoundException {
    throw new FileNotFoundException(
        "files of another process's provider cannot be opened on the virtual device: " + uri);
  }

  private static int counted(Integer rows) {
    return rows == null ? 0 : rows;
  }

  private static final class Failed {
    OperationApplicationException cause;
  }

  private <T> T asking(
      int code, String permission, Uri uri, Consumer<Parcel> question, Function<Parcel, T> answer) {
    return asking(code, permission, uri, question, answer, new Failed());
  }

  /** Null when the process ends meanwhile: what ContentResolver answers then, after one more try of a query. */
  private <T> T asking(
      int code,
      String permission,
      Uri uri,
      Consumer<Parcel> question,
      Function<Parcel, T> answer,
      Failed failed) {
    JsonObject component = Components.provider(authority, true);
    check(component, permission, uri);
    if (!component.has("pid")) {
      Log.w("ActivityThread", "Failed to find provider info for " + authority + ": " + Components.text(component, "failed"));
      return null;
    }
    Parcel data = Parcel.obtain();
    Parcel reply = Parcel.obtain();
    try {
      data.writeString(authority);
      data.writeString(BoundApp.current().packageName());
      question.accept(data);
      Processes.process(component.get("pid").getAsInt()).transact(code, data, reply, 0);
      DatabaseUtils.readExceptionWithOperationApplicationExceptionFromParcel(reply);
      return answer.apply(reply);
    } catch (OperationApplicationException e) {
      failed.cause = e;
      return null;
    } catch (DeadObjectException e) {
      return null;
    } catch (RemoteException e) {
      throw new IllegalStateException(e);
    } finally {
      data.recycle();
      reply.recycle();
    }
  }

  /** The words of AOSP's ActivityManagerService and ContentProvider. */
  private void check(JsonObject component, String permission, Uri uri) {
    if (!component.get("found").getAsBoolean()) {
      throw new IllegalArgumentException("Unknown URL content://" + authority);
    }
    String name = Components.text(component, "component");
    String who = "pid=" + Process.myPid() + ", uid=" + Process.myUid();
    String denied = Components.text(component, "denied");
    if (denied != null) {
      throw new SecurityException("Permission Denial: opening provider " + name + " from " + BoundApp.current().processName()
          + " (" + who + ") " + denied);
    }
    String needed = permission == null ? null : Components.text(component, permission);
    if (needed != null && getContext().checkPermission(needed, Process.myPid(), Process.myUid())
        != PackageManager.PERMISSION_GRANTED) {
      String verb = permission.startsWith("read") ? "reading " : "writing ";
      throw new SecurityException("Permission Denial: " + verb + name + " uri " + uri + " from " + who + " requires "
          + needed + ", or grantUriPermission()");
    }
  }
}
