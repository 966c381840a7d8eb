import { badValue, conflict } from '../../platform/http/errors.ts';
import { readOperation, reply } from '../../platform/http/operation.ts';
import { formatDateTime, LAST_INSTANT, parseDateTime } from '../../platform/time.ts';
import { noSandbox, showClock } from './read-clock.ts';
import { Clock, ClockAdvance } from './schema.ts';

/** Moves the time of a sandbox; the only way in which time passes there (docs/decisions/125). */
export const advanceClock = readOperation({
  id: 'advanceClock',
  method: 'POST',
  path: '/operator/v1/sandbox/clock',
  auth: 'operator',
  permission: 'installation',
  summary: 'Move the sandbox clock',
  description:
    'Moves the time of a sandbox by seconds (`advanceBy`), to an instant (`advanceTo`) or to the next due thing (`next`); exactly one of them. Everything that becomes due on the way is done at its own instant, in the order of time, before the answer. Time never goes back. The same requests to a fresh sandbox give the same events, byte for byte. An Idempotency-Key is not read: `advanceTo` may be repeated. A service that runs by the system’s clock refuses with 409.',
  body: ClockAdvance,
  replies: { 200: { description: 'The time now.', schema: Clock } },
  refusals: { 409: 'The service runs by the system’s clock, or nothing becomes due.' },
  errors: 'problem',
  async before({ sandbox, signal }, { body }) {
    if (sandbox === undefined) throw noSandbox();
    const ways = [body.advanceBy, body.advanceTo, body.next].filter((way) => way !== undefined);
    if (ways.length !== 1) throw badValue('', 'oneWay', 'send exactly one of advanceBy, advanceTo and next');
    await sandbox.advance((now, next) => targetOf(body, now, next), signal);
  },
  handle: async (ctx) => reply(200, await showClock(ctx)),
});

function targetOf(body: ClockAdvance, now: number, next: number | undefined): number {
  if (body.advanceTo !== undefined) {
    const to = parseDateTime(body.advanceTo);
    if (to >= now) return to;
    throw badValue('/advanceTo', 'minimum', `advanceTo is before now (${formatDateTime(now)}); time does not go back`);
  }
  if (body.advanceBy !== undefined) {
    const to = now + body.advanceBy * 1000;
    if (to <= LAST_INSTANT) return to;
    throw badValue('/advanceBy', 'maximum', 'advanceBy leads beyond the year 9999');
  }
  if (next === undefined) throw conflict('Nothing becomes due; move the clock by advanceBy or advanceTo.');
  return next;
}
