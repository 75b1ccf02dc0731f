import { z } from 'zod';

export const namespaceSchema = z.enum(['system', 'secure', 'global']);
export type SettingsNamespace = z.infer<typeof namespaceSchema>;

export const settingSchema = z.object({
  namespace: namespaceSchema,
  name: z.string(),
  value: z.string().optional(),
});
export type Setting = z.infer<typeof settingSchema>;

/** Settings as a fresh device has them, as far as host tools ask for them. */
const DEFAULTS: Readonly<Record<SettingsNamespace, Readonly<Record<string, string>>>> = {
  system: {
    accelerometer_rotation: '0',
    user_rotation: '0',
    font_scale: '1.0',
    screen_brightness: '128',
    screen_off_timeout: '2147483647',
    show_touches: '0',
  },
  secure: {
    android_id: '6a75676700000001',
    default_input_method: 'dev.jugg.ime/.InputMethod',
    enabled_input_methods: 'dev.jugg.ime/.InputMethod',
    location_mode: '3',
    lockscreen_disabled: '1',
    user_setup_complete: '1',
    ui_night_mode: '1',
  },
  global: {
    adb_enabled: '1',
    airplane_mode_on: '0',
    animator_duration_scale: '1.0',
    transition_animation_scale: '1.0',
    window_animation_scale: '1.0',
    development_settings_enabled: '1',
    device_name: 'Jugg Virtual Device',
    device_provisioned: '1',
    stay_on_while_plugged_in: '7',
    verifier_verify_adb_installs: '0',
  },
};

/** The settings provider. */
export class SettingsStore {
  readonly #values = new Map<SettingsNamespace, Map<string, string>>();
  readonly #changed: (setting: Setting, by: unknown) => void;

  /** `changed` hears of every change, and who made it, where that is known. */
  constructor(changed: (setting: Setting, by: unknown) => void) {
    this.#changed = changed;
    for (const namespace of ['system', 'secure', 'global'] as const) {
      this.#values.set(namespace, new Map(Object.entries(DEFAULTS[namespace])));
    }
  }

  get(namespace: SettingsNamespace, name: string): string | null {
    return this.#values.get(namespace)?.get(name) ?? null;
  }

  put(namespace: SettingsNamespace, name: string, value: string, by: unknown = null): void {
    this.#values.get(namespace)?.set(name, value);
    this.#changed({ namespace, name, value }, by);
  }

  delete(namespace: SettingsNamespace, name: string, by: unknown = null): boolean {
    const wasThere = this.#values.get(namespace)?.delete(name) ?? false;
    if (wasThere) this.#changed({ namespace, name }, by);
    return wasThere;
  }

  all(): Record<SettingsNamespace, Record<string, string>> {
    const of = (namespace: SettingsNamespace): Record<string, string> =>
      Object.fromEntries(this.#values.get(namespace) ?? []);
    return { system: of('system'), secure: of('secure'), global: of('global') };
  }

  list(namespace: SettingsNamespace): readonly (readonly [string, string])[] {
    return [...(this.#values.get(namespace) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
