package dev.jugg.vd.config;

import android.content.res.Configuration;
import android.hardware.display.DisplayManagerGlobal;
import android.util.DisplayMetrics;
import android.view.Display;
import android.view.DisplayInfo;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Locale;
import java.util.Map;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.Bootstrap;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowDisplay;
import org.robolectric.util.ReflectionHelpers;

/** The {@code config} of the protocol: screen, locale, night mode, font scale; immutable. */
public final class ScreenConfiguration {
  private static volatile ScreenConfiguration current;

  private final JsonObject json;

  private ScreenConfiguration(JsonObject json) {
    this.json = json;
  }

  public static ScreenConfiguration of(JsonObject json) {
    return new ScreenConfiguration(json);
  }

  /** The configuration of this process; set before the framework is set up. */
  public static ScreenConfiguration current() {
    return current;
  }

  public static void use(ScreenConfiguration configuration) {
    current = configuration;
  }

  /** This one with the parts of {@code changes} in place of its own. */
  public ScreenConfiguration with(JsonObject changes) {
    JsonObject merged = json.deepCopy();
    for (String key : changes.keySet()) {
      JsonElement value = changes.get(key);
      if (!value.isJsonNull()) {
        merged.add(key, value);
      }
    }
    return new ScreenConfiguration(merged);
  }

  public int widthPx() {
    return json.get("widthPx").getAsInt();
  }

  public int heightPx() {
    return json.get("heightPx").getAsInt();
  }

  public int densityDpi() {
    return json.get("densityDpi").getAsInt();
  }

  public float fontScale() {
    return json.get("fontScale").getAsFloat();
  }

  public boolean sameAs(ScreenConfiguration other) {
    return json.equals(other.json);
  }

  /** Robolectric's form, in the order of Android's resource qualifiers. */
  public String qualifiers() {
    int widthDp = widthPx() * DisplayMetrics.DENSITY_DEFAULT / densityDpi();
    int heightDp = heightPx() * DisplayMetrics.DENSITY_DEFAULT / densityDpi();
    return String.join(
        "-",
        localeQualifier(),
        "w" + widthDp + "dp",
        "h" + heightDp + "dp",
        sizeClass(Math.min(widthDp, heightDp)),
        Math.max(widthDp, heightDp) * 3 > Math.min(widthDp, heightDp) * 5 ? "long" : "notlong",
        "notround",
        widthPx() > heightPx() ? "land" : "port",
        json.get("uiMode").getAsString().equals("night") ? "night" : "notnight",
        densityDpi() + "dpi",
        "finger",
        "keyshidden",
        "nonav");
  }

  /** Qualifiers count in whole dp; the display shall have the px that were asked for. */
  public void applyExactSizeAtSetUp() {
    Configuration configuration = Bootstrap.getConfiguration();
    DisplayMetrics metrics = new DisplayMetrics();
    metrics.setTo(Bootstrap.getDisplayMetrics());
    setSize(metrics);
    Bootstrap.setDisplayConfiguration(configuration, metrics);
  }

  /** Changes the display of the running framework; activities hear of it elsewhere. */
  public void applyWhileRunning() {
    RuntimeEnvironment.setQualifiers(qualifiers());
    applyExactSize();
  }

  /** To the display that there is: its size, too, was made from whole dp. With the application made. */
  public void applyExactSize() {
    ShadowDisplay display = Shadow.extract(ShadowDisplay.getDefaultDisplay());
    display.setRealWidth(widthPx());
    display.setRealHeight(heightPx());
    display.setWidth(widthPx());
    display.setHeight(heightPx());
  }

  /** The same before the application is made: Robolectric's own way to change a display needs one. */
  public void applyExactSizeEarly() {
    Object manager = Shadow.extract(DisplayManagerGlobal.getInstance());
    Map<Integer, DisplayInfo> displays =
        ReflectionHelpers.getField(ReflectionHelpers.getField(manager, "mDm"), "displayInfos");
    DisplayInfo info = displays.get(Display.DEFAULT_DISPLAY);
    info.appWidth = widthPx();
    info.appHeight = heightPx();
    info.logicalWidth = widthPx();
    info.logicalHeight = heightPx();
    info.smallestNominalAppWidth = Math.min(widthPx(), heightPx());
    info.smallestNominalAppHeight = info.smallestNominalAppWidth;
    info.largestNominalAppWidth = Math.max(widthPx(), heightPx());
    info.largestNominalAppHeight = info.largestNominalAppWidth;
  }

  private void setSize(DisplayMetrics metrics) {
    metrics.widthPixels = widthPx();
    metrics.heightPixels = heightPx();
    metrics.noncompatWidthPixels = widthPx();
    metrics.noncompatHeightPixels = heightPx();
  }

  private String localeQualifier() {
    Locale locale = Locale.forLanguageTag(json.get("locale").getAsString());
    if (!locale.getScript().isEmpty()) {
      return "b+" + locale.toLanguageTag().replace('-', '+');
    }
    return locale.getCountry().isEmpty()
        ? locale.getLanguage()
        : locale.getLanguage() + "-r" + locale.getCountry();
  }

  /** Bounds as in the Android documentation of screen sizes, by smallest width in dp. */
  private static String sizeClass(int smallestDp) {
    if (smallestDp < 320) {
      return "small";
    }
    if (smallestDp < 480) {
      return "normal";
    }
    return smallestDp < 720 ? "large" : "xlarge";
  }
}
