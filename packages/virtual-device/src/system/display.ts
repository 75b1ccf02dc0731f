import type { DeviceConfig } from '../app-process/config.ts';

export interface DisplaySpec {
  readonly size: readonly [width: number, height: number];
  readonly density: number;
  readonly locale: string;
}

/** Screen and configuration of the device: what was built in, and what `wm` and `settings` changed. */
export class Display {
  readonly physicalSize: readonly [width: number, height: number];
  readonly physicalDensity: number;
  overrideSize: readonly [width: number, height: number] | null = null;
  overrideDensity: number | null = null;
  rotation: 0 | 1 | 2 | 3 = 0;
  night = false;
  fontScale = 1;
  readonly #locale: string;
  readonly #changed: (config: DeviceConfig) => Promise<void>;

  /** `changed` hears of every change, and its promise ends when the apps have taken it. */
  constructor(spec: DisplaySpec, changed: (config: DeviceConfig) => Promise<void>) {
    this.physicalSize = spec.size;
    this.physicalDensity = spec.density;
    this.#locale = spec.locale;
    this.#changed = changed;
  }

  /** In the natural rotation, with the override. */
  get size(): readonly [width: number, height: number] {
    return this.overrideSize ?? this.physicalSize;
  }

  get density(): number {
    return this.overrideDensity ?? this.physicalDensity;
  }

  /** As apps see it now. */
  get current(): readonly [width: number, height: number] {
    const [width, height] = this.size;
    return this.rotation % 2 === 0 ? [width, height] : [height, width];
  }

  config(): DeviceConfig {
    const [widthPx, heightPx] = this.current;
    return {
      widthPx,
      heightPx,
      densityDpi: this.density,
      locale: this.#locale,
      uiMode: this.night ? 'night' : 'day',
      fontScale: this.fontScale,
    };
  }

  /** Call after a change. */
  apply(): Promise<void> {
    return this.#changed(this.config());
  }
}
