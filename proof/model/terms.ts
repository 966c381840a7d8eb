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
  blind?: 'HOLD' | 'ALLOW' | 'REFUSE';
  refundShipping?: 'WHEN_ALL' | 'NEVER' | 'ALWAYS';
  refundOn?: 'CLOSED' | 'RECEIVED';
  fee?: number;
}

/** Returns: the window never ends in a sequence, requests expire after three days. */
const RETURNS = { windowDays: 3650, expireDays: 3 };

/** The settings in the form of a PUT. */
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
