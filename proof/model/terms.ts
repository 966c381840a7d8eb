/** Settings of the client: PINs, promises, returns, and tolerances of receiving and counts. */

/** Allowed difference: the larger of `percent`, rounded down to whole units, and `units`. */
export interface Tolerance {
  percent: number;
  units: number;
}

/** Number of consecutive wrong PINs that lock a hand-over. */
export const PIN_ATTEMPTS = 2;

/** The settings of the client. A missing field means the default. */
export interface Settings {
  promiseCheck?: 'ALL' | 'ELIGIBLE';
  over?: Tolerance;
  short?: Tolerance;
  fourEyes?: boolean;
  countTolerance?: Tolerance;
  duplicateCartons?: 'WARN' | 'REFUSE';
  blind?: 'HOLD' | 'ALLOW' | 'REFUSE';
  refundShipping?: 'WHEN_ALL' | 'NEVER' | 'ALWAYS';
  refundOn?: 'CLOSED' | 'RECEIVED';
  fee?: number;
}

/** Return settings: no sequence is longer than the return window, and requests expire after three days. */
const RETURNS = { windowDays: 3650, expireDays: 3 };

/** Returns the settings in the form of a PUT. */
export function settingsOf(settings: Settings) {
  const { promiseCheck, countTolerance, blind, refundShipping, refundOn, fee, ...receiving } = settings;
  const returns = { blind, refundShipping, refundOn, fee };
  return {
    pin: { attempts: PIN_ATTEMPTS },
    receiving,
    returns: { ...RETURNS, ...Object.fromEntries(Object.entries(returns).filter(([, value]) => value !== undefined)) },
    stock: { ...(promiseCheck && { promiseCheck }), ...(countTolerance && { countTolerance }) },
  };
}
