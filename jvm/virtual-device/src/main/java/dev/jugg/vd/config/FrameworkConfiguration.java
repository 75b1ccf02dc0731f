package dev.jugg.vd.config;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.ConscryptMode;
import org.robolectric.annotation.GraphicsMode;
import org.robolectric.annotation.LooperMode;
import org.robolectric.annotation.SQLiteMode;
import org.robolectric.annotation.experimental.LazyApplication.LazyLoad;
import org.robolectric.config.ConfigurationRegistry;
import org.robolectric.pluginapi.config.ConfigurationStrategy;

/** How Robolectric shall run: real graphics, real SQLite, the application made at once. */
public final class FrameworkConfiguration implements ConfigurationStrategy.Configuration {
  private final Map<Class<?>, Object> values = new HashMap<>();

  public FrameworkConfiguration(ScreenConfiguration screen) {
    values.put(ConscryptMode.Mode.class, ConscryptMode.Mode.OFF);
    values.put(LooperMode.Mode.class, LooperMode.Mode.PAUSED);
    values.put(LazyLoad.class, LazyLoad.OFF);
    values.put(GraphicsMode.Mode.class, GraphicsMode.Mode.NATIVE);
    values.put(SQLiteMode.Mode.class, SQLiteMode.Mode.NATIVE);
    values.put(
        Config.class,
        new Config.Builder().setQualifiers(screen.qualifiers()).setFontScale(screen.fontScale()).build());
  }

  /** Must come before any framework class initialises: many read the modes once. */
  public void register() {
    ConfigurationRegistry.instance = new ConfigurationRegistry(values);
  }

  @Override
  public <T> T get(Class<T> type) {
    return type.cast(values.get(type));
  }

  @Override
  public Collection<Class<?>> keySet() {
    return values.keySet();
  }

  @Override
  public Map<Class<?>, Object> map() {
    return values;
  }
}
