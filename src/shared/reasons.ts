/** Checks the reason codes of canceled and declined units, for every message with such quantities. */
import { didYouMean } from '../platform/message/nearest.ts';
import type { Sentence, Value } from '../platform/message/sentence.ts';
import { listed, quote } from '../platform/message/words.ts';
import { findReason, type Settings } from './client-settings.ts';
import { say } from './sentences.ts';

const SHOWN = 30;

export interface ReasonError {
  rule: 'required' | 'reason';
  message: Sentence;
  /** The reason codes of the client. */
  limit: string[];
}

/**
 * Returns the error of a reason code for a number of canceled units. Canceled units need a reason. An unknown reason is
 * always an error, except if it is `saved`: the reason that the service has saved for these units remains valid after
 * the client removes it. A known reason without canceled units is accepted and not stored.
 */
export function reasonError(
  code: string | undefined,
  canceled: number,
  member: string,
  name: Value,
  settings: Settings,
  saved?: string | null,
): ReasonError | undefined {
  const said = code ?? '';
  const limit = settings.cancelReasons.map((reason) => reason.code);
  if (said === '') {
    if (canceled <= 0) return undefined;
    const message = say('{field} of {name} is missing, but units are canceled; send one of {limit}', {
      field: member,
      name,
      limit: listed(limit, SHOWN),
    });
    return { rule: 'required', message, limit };
  }
  if (said === saved || findReason(settings, said) !== undefined) return undefined;
  const what = say('{field} {said} of {name} is not known', { field: member, said: quote(said), name });
  return {
    rule: 'reason',
    message: say('{what}; send one of {limit}{didYouMean}', {
      what,
      limit: listed(limit, SHOWN),
      didYouMean: didYouMean(said, limit),
    }),
    limit,
  };
}
