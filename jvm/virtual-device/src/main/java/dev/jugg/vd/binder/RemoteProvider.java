package dev.jugg.vd.binder;

import android.content.ContentProvider;
import android.content.ContentProviderOperation;
import android.content.ContentProviderResult;
import android.content.ContentResolver;
import android.content.ContentValues;
import android.content.OperationApplicationException;
import android.content.res.AssetFileDescriptor;
import android.database.Cursor;
import android.database.DatabaseUtils;
import android.net.Uri;
import android.os.Bundle;
import android.os.CancellationSignal;
import android.os.DeadObjectException;
import android.os.Parcel;
import android.os.ParcelFileDescriptor;
import android.os.RemoteException;
import android.util.Log;
import com.google.gson.JsonObject;
import dev.jugg.vd.BoundApp;
import dev.jugg.vd.binder.ProviderAccess.Kind;
import java.io.FileNotFoundException;
import java.util.ArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

/** Stands for a content provider of another process, which is started when it is asked for something. */
final class RemoteProvider extends ContentProvider {
  /** Of DatabaseUtils.writeExceptionToParcel. */
  private static final int FILE_NOT_FOUND = 1;

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
    return asking(ProviderCalls.QUERY, Kind.READ, uri, data -> {
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
    return asking(ProviderCalls.INSERT, Kind.WRITE, uri, data -> {
      uri.writeToParcel(data, 0);
      data.writeTypedObject(values, 0);
      data.writeBundle(extras);
    }, reply -> reply.readTypedObject(Uri.CREATOR));
  }

  @Override
  public int bulkInsert(Uri uri, ContentValues[] values) {
    return counted(asking(ProviderCalls.BULK_INSERT, Kind.WRITE, uri, data -> {
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
    return counted(asking(ProviderCalls.UPDATE, Kind.WRITE, uri, data -> {
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
    return counted(asking(ProviderCalls.DELETE, Kind.WRITE, uri, data -> {
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
        Kind.WRITE,
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
    return opened(ProviderCalls.OPEN_FILE, mode, uri, data -> {
      uri.writeToParcel(data, 0);
      data.writeString(mode);
    }, reply -> reply.readTypedObject(ParcelFileDescriptor.CREATOR));
  }

  @Override
  public AssetFileDescriptor openAssetFile(Uri uri, String mode) throws FileNotFoundException {
    return opened(ProviderCalls.OPEN_ASSET_FILE, mode, uri, data -> {
      uri.writeToParcel(data, 0);
      data.writeString(mode);
    }, reply -> reply.readTypedObject(AssetFileDescriptor.CREATOR));
  }

  @Override
  public AssetFileDescriptor openTypedAssetFile(Uri uri, String filter, Bundle options) throws FileNotFoundException {
    return opened(ProviderCalls.OPEN_TYPED_ASSET_FILE, "r", uri, data -> {
      uri.writeToParcel(data, 0);
      data.writeString(filter);
      data.writeBundle(options);
    }, reply -> reply.readTypedObject(AssetFileDescriptor.CREATOR));
  }

  @Override
  public String[] getStreamTypes(Uri uri, String filter) {
    return asking(ProviderCalls.GET_STREAM_TYPES, null, uri, data -> {
      uri.writeToParcel(data, 0);
      data.writeString(filter);
    }, Parcel::createStringArray);
  }

  /** As AOSP's enforceFilePermission: who writes needs no permission to read. */
  private <T> T opened(int code, String mode, Uri uri, Consumer<Parcel> question, Function<Parcel, T> answer)
      throws FileNotFoundException {
    Failed failed = new Failed();
    T result = asking(code, mode.contains("w") ? Kind.WRITE : Kind.READ, uri, question, answer, failed);
    if (failed.notFound != null) {
      throw failed.notFound;
    }
    return result;
  }

  private static int counted(Integer rows) {
    return rows == null ? 0 : rows;
  }

  private static final class Failed {
    OperationApplicationException cause;
    FileNotFoundException notFound;
  }

  private <T> T asking(
      int code, Kind kind, Uri uri, Consumer<Parcel> question, Function<Parcel, T> answer) {
    return asking(code, kind, uri, question, answer, new Failed());
  }

  /** Null when the process ends meanwhile: what ContentResolver answers then, after one more try of a query. */
  private <T> T asking(
      int code,
      Kind kind,
      Uri uri,
      Consumer<Parcel> question,
      Function<Parcel, T> answer,
      Failed failed) {
    JsonObject component = Components.provider(authority, true, uri);
    if (!component.get("found").getAsBoolean()) {
      throw new IllegalArgumentException("Unknown URL content://" + authority);
    }
    new ProviderAccess(getContext(), component).enforce(kind, uri);
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
      readException(reply);
      return answer.apply(reply);
    } catch (FileNotFoundException e) {
      failed.notFound = e;
      return null;
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

  /** As DatabaseUtils, which has a method for each of the two that it knows beside the usual ones. */
  private static void readException(Parcel reply) throws FileNotFoundException, OperationApplicationException {
    int start = reply.dataPosition();
    int code = reply.readExceptionCode();
    reply.setDataPosition(start);
    if (code == FILE_NOT_FOUND) {
      DatabaseUtils.readExceptionWithFileNotFoundExceptionFromParcel(reply);
    } else {
      DatabaseUtils.readExceptionWithOperationApplicationExceptionFromParcel(reply);
    }
  }
}
