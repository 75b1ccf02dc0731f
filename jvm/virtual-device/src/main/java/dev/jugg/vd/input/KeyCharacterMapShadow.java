package dev.jugg.vd.input;

import android.view.KeyEvent;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowKeyCharacterMap;

/** Keys that are held with Ctrl, Alt or Meta make no character (AOSP Virtual.kcm): they are shortcuts, such as Ctrl+A. */
@Implements(className = "android.view.KeyCharacterMap", isInAndroidSdk = false)
public class KeyCharacterMapShadow extends ShadowKeyCharacterMap {
  private static final int SHORTCUT = KeyEvent.META_CTRL_MASK | KeyEvent.META_ALT_MASK | KeyEvent.META_META_MASK;

  @Implementation
  protected static char nativeGetCharacter(long map, int keyCode, int metaState) {
    return (metaState & SHORTCUT) == 0 ? ShadowKeyCharacterMap.nativeGetCharacter(map, keyCode, metaState) : 0;
  }

  @Implementation
  protected static char nativeGetMatch(long map, int keyCode, char[] chars, int metaState) {
    return (metaState & SHORTCUT) == 0 ? ShadowKeyCharacterMap.nativeGetMatch(map, keyCode, chars, metaState) : 0;
  }
}
