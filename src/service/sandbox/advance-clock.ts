import { badValue, conflict } from '../../platform/http/errors.ts';
import { readOperation, reply } from '../../platform/http/operation.ts';
import { formatDateTime, LAST_INSTANT, parseDateTime } from '../../platform/time.ts';
import { noSandbox, showClock } from './read-clock.ts';
import { Clock, ClockAdvance } from './schema.ts';
import { say } from './sentences.ts';

/** Moves the clock of a sandbox forward. Only this operation moves the clock (docs/decisions/125). */
export const advanceClock = readOperation({
  id: 'advanceClock',
  since: '0.1.0',
  method: 'POST',
  path: '/operator/v1/sandbox/clock',
  summary: 'Move the sandbox clock',
  description: `Moves the time of a sandbox by seconds (\`advanceBy\`), to an instant (\`advanceTo\`) or to the next due work (\`next\`). Send exactly one of them.

- All work that becomes due in between runs at its due time, in chronological order, before the response.
- The clock cannot be moved back.
- The same requests to a new sandbox cause the same events, byte for byte.
- The operation accepts no Idempotency-Key. A request with \`advanceTo\` can be sent again safely.
- A service that uses the system’s clock responds with 409.`,
  access: { auth: 'operator', permission: 'installation' },
  message: {
    body: ClockAdvance,
    replies: { 200: { description: 'The time now.', schema: Clock } },
    refusals: { 409: 'The service uses the system’s clock, or no work becomes due.' },
    errors: 'problem',
  },
  run: {
    async before({ sandbox, signal }, { body }) {
      if (sandbox === undefined) throw noSandbox();
      const ways = [body.advanceBy, body.advanceTo, body.next].filter((way) => way !== undefined);
      if (ways.length !== 1) throw badValue('', 'oneWay', say('send exactly one of advanceBy, advanceTo and next'));
      await sandbox.advance((now, next) => targetOf(body, now, next), signal);
    },
    handle: async (ctx) => reply(200, await showClock(ctx)),
  },
  example: { path: '/operator/v1/sandbox/clock', body: { advanceBy: 3600 } },
});

function targetOf(body: ClockAdvance, now: number, next: number | undefined): number {
  if (body.advanceTo !== undefined) {
    const to = parseDateTime(body.advanceTo);
    if (to >= now) return to;
    throw badValue(
      '/advanceTo',
      'minimum',
      say('advanceTo is before now ({now}); send a later time', { now: formatDateTime(now) }),
    );
  }
  if (body.advanceBy !== undefined) {
    const to = now + body.advanceBy * 1000;
    if (to <= LAST_INSTANT) return to;
    throw badValue('/advanceBy', 'maximum', say('advanceBy moves the clock past the year 9999; send fewer seconds'));
  }
  if (next === undefined)
    throw conflict(say('No work is due later, so `next` cannot move the clock; send `advanceBy` or `advanceTo`.'));
  return next;
}
