/** Moves that read the feed. The clerk checks positions for gaps, and reads the ids that are only in the feed. */
import type { Clerk, Moves, Sent } from './clerk.ts';
import { OWN } from './words.ts';

const LIMIT = 500;

interface Heard {
  position: number;
  eventId: string;
  type: string;
  resourceId: string;
  data: { fulfillmentOrderId?: string };
}

/** Reads the feed from the clerk's position. The first read finds the end of the feed. */
export function hear(clerk: Clerk): Sent {
  const after = clerk.heardUpTo;
  const query = after === undefined ? 'limit=1' : `after=${after}&limit=${LIMIT}`;
  return clerk.sent({
    method: 'GET',
    path: `${OWN}/events?${query}`,
    learn: (text) => {
      const page = JSON.parse(text) as { events: Heard[]; nextAfter: number; head: number };
      clerk.heardUpTo = after === undefined ? page.head : page.nextAfter;
      return after === undefined ? undefined : listen(clerk, after, page);
    },
  });
}

function listen(clerk: Clerk, after: number, { events, nextAfter }: { events: Heard[]; nextAfter: number }) {
  const last = events.at(-1);
  // From now on, the position of the event must not change.
  if (last !== undefined) clerk.world.set(`event:${last.eventId}`, { position: last.position });
  for (const { type, resourceId, data } of events) {
    const order = data.fulfillmentOrderId;
    if (order?.startsWith(`${clerk.name}-`) !== true) continue;
    const ids =
      type === 'resource.requested'
        ? clerk.requestIds
        : type === 'pickTicket.reverseGenerated'
          ? clerk.reverseIds
          : undefined;
    ids?.set(order, [...(ids.get(order) ?? []), resourceId]);
  }
  const gap = events.findIndex(({ position }, index) => position !== after + 1 + index);
  if (gap < 0 && nextAfter === after + events.length) return undefined;
  return `the feed after ${after} has a gap: ${events.length} events up to ${last?.position}, nextAfter ${nextAfter}`;
}

export const feedMoves: Moves = [[7, hear]];
