package dev.jugg.vd.warm;

import android.content.ContentValues;
import android.content.Context;
import android.database.sqlite.SQLiteDatabase;
import android.database.sqlite.SQLiteOpenHelper;

/** Preferences and a database: nearly every app has them. */
final class WarmUpStorage {
  private WarmUpStorage() {}

  static void use(Context context) {
    context.getSharedPreferences("warm", Context.MODE_PRIVATE).edit().putInt("n", 1).commit();
    SQLiteOpenHelper helper = new SQLiteOpenHelper(context, null, null, 1) {
      @Override
      public void onCreate(SQLiteDatabase db) {
        db.execSQL("create table t (n integer)");
      }

      @Override
      public void onUpgrade(SQLiteDatabase db, int from, int to) {}
    };
    ContentValues values = new ContentValues();
    values.put("n", 1);
    SQLiteDatabase db = helper.getWritableDatabase();
    db.insert("t", null, values);
    db.query("t", null, null, null, null, null, null).close();
    helper.close();
  }
}
