package dev.jugg.vd;

import android.graphics.Typeface;
import android.text.Hyphenator;
import dev.jugg.vd.host.LaunchSettings;
import dev.jugg.vd.host.NativeFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.robolectric.nativeruntime.DefaultNativeRuntimeLoader;

/**
 * Loads the framework's native code from a folder that is unpacked once and kept; the stock loader copies some 200 MB for
 * each process. Found by Robolectric through META-INF/services.
 */
public class KeptNativeRuntime extends DefaultNativeRuntimeLoader {
  @Override
  public synchronized void ensureLoaded() {
    if (loaded.getAndSet(true)) {
      return;
    }
    LaunchSettings settings = Device.host().settings();
    try {
      NativeFiles files =
          NativeFiles.unpacked(settings.nativeDir(), settings.frameworkJar(), settings.nativeJar(), libraryName());
      System.setProperty("robolectric.nativeruntime.fontdir", files.fontDir());
      System.setProperty("icu.data.path", files.icuData());
      System.setProperty("icu.locale.default", Locale.getDefault().toLanguageTag());
      loadLibrary(files);
      invokeDeferredStaticInitializers();
      setNativeSystemProperty("ro.hyphen.data.dir", files.hyphenDir());
      Typeface.loadPreinstalledSystemFontMap();
      Hyphenator.init();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The library reads these properties while it is loaded; nobody else shall see them. */
  private void loadLibrary(NativeFiles files) {
    Map<String, String> properties = Map.of(
        "use_base_native_hostruntime", "true",
        "core_native_classes", joined(getCoreClassNatives()),
        "graphics_native_classes", joined(getGraphicsNatives()),
        "method_binding_format", METHOD_BINDING_FORMAT);
    properties.forEach(System::setProperty);
    try {
      System.load(files.library());
    } finally {
      properties.keySet().forEach(System::clearProperty);
    }
  }

  private static String joined(List<String> names) {
    return String.join(",", names);
  }
}
