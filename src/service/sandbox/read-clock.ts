import type { ReadCtx } from '../../platform/ctx.ts';
import { conflict, type Refusal } from '../../platform/http/errors.ts';
import { readOperation, reply } from '../../platform/http/operation.ts';
import { formatDateTime } from '../../platform/time.ts';
import { Clock } from './schema.ts';

/** Says what the time is in a sandbox (docs/decisions/125). */
export const readClock = readOperation({
  id: 'readClock',
  method: 'GET',
  path: '/operator/v1/sandbox/clock',
  auth: 'operator',
  permission: 'installation',
  summary: 'Read the sandbox clock',
  description:
    'Answers the time of a sandbox and what becomes due next there. A service that runs by the system’s clock refuses with 409.',
  replies: { 200: { description: 'The time.', schema: Clock } },
  refusals: { 409: 'The service runs by the system’s clock.' },
  errors: 'problem',
  handle: async (ctx) => reply(200, await showClock(ctx)),
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
    'This service runs by the system’s clock, which nobody moves; a sandbox is started by backroom demo --clock manual.',
  );
}
