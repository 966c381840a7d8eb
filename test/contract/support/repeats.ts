/** Sends a request a second time without an Idempotency-Key and finds the changes. */
import type { Answer, Call } from '../../support/backroom.ts';
import { digestsOf } from '../../support/store.ts';
import type { OpenTown } from '../../support/town.ts';

/** Tables that get a row for each request of some operations, even for a request without an effect. */
const LOGS = new Set(['access_events', 'access_heads']);

/**
 * Sends the same request again without its Idempotency-Key. Returns the response and the names of the changed tables,
 * except `LOGS`.
 */
export async function repeated(town: OpenTown, call: Call): Promise<{ answer: Answer; changed: string[] }> {
  const headers = Object.entries(call.headers ?? {}).filter(([name]) => name.toLowerCase() !== 'idempotency-key');
  const before = await tablesOf(town);
  const answer = await town.call({ ...call, headers: Object.fromEntries(headers) });
  const after = await tablesOf(town);
  return { answer, changed: [...after.keys()].filter((name) => after.get(name) !== before.get(name)) };
}

async function tablesOf({ store }: OpenTown): Promise<Map<string, string>> {
  return new Map([...(await digestsOf(store))].filter(([name]) => !LOGS.has(name)));
}
