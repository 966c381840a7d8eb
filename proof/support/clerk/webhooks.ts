/**
 * Webhooks of a clerk. They get only events of shipments, because the events of all clerks would be a larger load than
 * the requests.
 */

import type { Webhook } from '../world.ts';
import type { Clerk, Move, Moves } from './clerk.ts';
import { CLIENT } from './words.ts';

/** Maximum number of webhooks of a clerk. All clerks together have fewer than the 50 that a client can have. */
const WEBHOOKS_MAX = 1;

const path = (id: string) => `${CLIENT}/webhooks/${id}`;
const some = (clerk: Clerk) => clerk.pick(clerk.all<Webhook>('webhook', () => true));

/** Creates a webhook, or enables or disables an existing webhook. */
const put: Move = (clerk) => {
  const isFull = clerk.all('webhook', () => true).length >= WEBHOOKS_MAX;
  const known = isFull ? some(clerk) : undefined;
  const id = known?.[0] ?? clerk.newId('-w');
  const webhook: Webhook = known === undefined ? MADE : { ...known[1], isEnabled: !known[1].isEnabled };
  return clerk.sent({
    method: 'PUT',
    path: path(id),
    body: { url: `${clerk.receiver}/${id}`, types: TYPES, enabled: webhook.isEnabled },
    effect: new Map([[`webhook:${id}`, webhook]]),
    events: 1,
  });
};
const MADE: Webhook = { isEnabled: true, isRotated: false };
const TYPES = ['inbound.*'];

const rotate: Move = (clerk) => {
  const known = some(clerk);
  if (known === undefined) return undefined;
  return clerk.sent({
    method: 'POST',
    path: `${path(known[0])}/secret`,
    body: {},
    effect: new Map([[`webhook:${known[0]}`, { ...known[1], isRotated: true }]]),
    events: 1,
  });
};

/** Requests a replay of the last events, which the scheduler then delivers. */
const replay: Move = (clerk) => {
  const known = some(clerk);
  const to = clerk.heardUpTo ?? 0;
  if (known === undefined || to === 0) return undefined;
  const body = { from: Math.max(1, to - REPLAYED), to };
  return clerk.sent({ method: 'POST', path: `${path(known[0])}/replay`, body, events: 1 });
};
const REPLAYED = 50;

/** Deletes a webhook. Clerks also do this at the end of the load. */
export const removeWebhook: Move = (clerk) => {
  const known = some(clerk);
  if (known === undefined) return undefined;
  return clerk.sent({
    method: 'DELETE',
    path: path(known[0]),
    effect: new Map([[`webhook:${known[0]}`, null]]),
    events: 1,
  });
};

export const webhookMoves: Moves = [
  [2, put],
  [1, rotate],
  [1, replay],
  [1, removeWebhook],
];
