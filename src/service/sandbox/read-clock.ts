import type { ReadCtx } from '../../platform/ctx.ts';
import { conflict, type Refusal } from '../../platform/http/errors.ts';
import { readOperation, reply } from '../../platform/http/operation.ts';
import { formatDateTime } from '../../platform/time.ts';
import { Clock } from './schema.ts';
import { say } from './sentences.ts';

/** Reads the time of a sandbox (docs/decisions/125). */
export const readClock = readOperation({
  id: 'readClock',
  since: '0.1.0',
  method: 'GET',
  path: '/operator/v1/sandbox/clock',
  summary: 'Read the sandbox clock',
  description:
    'Returns the time of a sandbox and the next due work. A service that uses the system’s clock responds with 409.',
  access: { auth: 'operator', permission: 'installation' },
  message: {
    replies: { 200: { description: 'The time.', schema: Clock } },
    refusals: { 409: 'The service uses the system’s clock.' },
    errors: 'problem',
  },
  run: { handle: async (ctx) => reply(200, await showClock(ctx)) },
  example: { path: '/operator/v1/sandbox/clock' },
});

/** @throws Refusal 409 outside a sandbox. */
export async function showClock({ sandbox, db }: ReadCtx): Promise<Clock> {
  if (sandbox === undefined) throw noSandbox();
  const next = await sandbox.next(db);
  return {
    now: formatDateTime(sandbox.now),
    ...(next && { next: { ...next, at: formatDateTime(next.at) } }),
  };
}

export function noSandbox(): Refusal {
  return conflict(
    say(
      'This service uses the system’s clock, which cannot be moved; start a sandbox with backroom demo --clock manual.',
    ),
  );
}
