export type StartState = 'started' | 'deliveredToTop' | 'broughtToFront';

export type StartOutcome =
  | {
      readonly ok: true;
      readonly state: StartState;
      /** `pkg/.Name` of the activity that came up. */
      readonly component: string;
      readonly cold: boolean;
      readonly totalMs: number;
    }
  | {
      readonly ok: false;
      readonly kind: 'untrusted' | 'notFound' | 'crashed' | 'failed';
      readonly message: string;
    };

export interface NotStarted {
  readonly message: string;
  /** The app's own code ended it. */
  readonly crashed?: boolean;
}
