/** Settings of the client: PINs, tolerances of goods in and counts, promises. */

/** Percent is rounded down; the larger of both limits applies. */
export interface Tolerance {
  percent: number;
  units: number;
}

/** Number of consecutive wrong PINs that lock a hand-over. */
export const PIN_ATTEMPTS = 2;

/** The settings of the client; a field that is left out has its default. */
export interface Settings {
  promiseCheck?: 'ALL' | 'ELIGIBLE';
  over?: Tolerance;
  short?: Tolerance;
  fourEyes?: boolean;
  countTolerance?: Tolerance;
  duplicateCartons?: 'WARN' | 'REFUSE';
}

/** The settings in the form of a PUT. */
export function settingsOf({ promiseCheck, countTolerance, ...receiving }: Settings) {
  return {
    pin: { attempts: PIN_ATTEMPTS },
    receiving,
    stock: { ...(promiseCheck && { promiseCheck }), ...(countTolerance && { countTolerance }) },
  };
}
