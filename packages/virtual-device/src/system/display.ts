import type { DeviceConfig } from '../app-process/config.ts';
import { rotationFor } from './orientation.ts';
import type { Orientation, Rotation } from './orientation.ts';

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
  /** As the user has turned it. */
  userRotation: Rotation = 0;
  #wanted: Orientation = 'any';
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

  /** As it is now: what is in front may want it otherwise than the user. */
  get rotation(): Rotation {
    return rotationFor(this.#wanted, this.userRotation, this.size);
  }

  /** What the activity in front wants. */
  async want(wanted: Orientation): Promise<void> {
    const before = this.rotation;
    this.#wanted = wanted;
    if (this.rotation !== before) await this.apply();
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
