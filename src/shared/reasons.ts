/** Reason codes of units that are canceled, declined or refused: one rule for every message that has quantities beside them. */
import { didYouMean } from '../platform/message/nearest.ts';
import { listed, quote } from '../platform/message/words.ts';
import { findReason, type Settings } from './client-settings.ts';

const SHOWN = 30;

export interface ReasonError {
  rule: 'required' | 'reason';
  message: string;
  /** The codes that the client has. */
  limit: string[];
}

/**
 * What is wrong with the reason in `field` for so many canceled units: it is needed where there are any, and one that the
 * client does not know is always wrong. A known one without a unit is tolerated; nothing is stored of it.
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
