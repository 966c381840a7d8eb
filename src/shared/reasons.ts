/** Checks the reason codes of canceled and declined units, for every message with such quantities. */
import { didYouMean } from '../platform/message/nearest.ts';
import { listed, quote } from '../platform/message/words.ts';
import { findReason, type Settings } from './client-settings.ts';

const SHOWN = 30;

export interface ReasonError {
  rule: 'required' | 'reason';
  message: string;
  /** The reason codes of the client. */
  limit: string[];
}

/**
 * Returns the error of a reason code for a number of canceled units. Canceled units need a reason. An unknown reason is
 * always an error. A known reason without canceled units is accepted and not stored.
 */
export function reasonError(
  code: string | undefined,
  canceled: number,
  member: string,
  name: string,
  settings: Settings,
): ReasonError | undefined {
  const said = code ?? '';
  const limit = settings.cancelReasons.map((reason) => reason.code);
  if (said === '') {
    if (canceled <= 0) return undefined;
    const message = `${member} is required where units are canceled (${name}); send one of ${listed(limit, SHOWN)}`;
    return { rule: 'required', message, limit };
  }
  if (findReason(settings, said) !== undefined) return undefined;
  const what = `${member} ${quote(said)} of ${name} is not known`;
  return { rule: 'reason', message: `${what}; send one of ${listed(limit, SHOWN)}${didYouMean(said, limit)}`, limit };
}
