/** Open tickets of the node from the service, and tickets on this device. */
import type { ComponentChildren } from 'preact';
import type { components } from '../../../contract/client.d.ts';
import { api, send } from '../../api.ts';
import { outbox } from '../../offline/index.ts';
import { now } from '../../preferences.ts';
import { readAll } from '../../read-all.ts';
import { href, ticketPath } from '../../router.ts';
import { place, session } from '../../session.ts';
import { t, word } from '../../texts/index.ts';
import { type Loaded, useLoad } from '../../ui/load.tsx';
import { Due, State } from '../../ui/notice.tsx';
import { useCover } from '../../ui/use-cover.ts';
import { useNames } from '../../work/names.ts';
import { type WorkKind, work } from '../../work/node-work.ts';

export type TicketHeader = components['schemas']['PickTicketHeader'];

/** Number of tickets that a request reads. */
const PAGE = 200;

/**
 * Loads the open tickets of the queues of these kinds, the earliest due first. Loads again when the work of the node
 * changes.
 */
export function useTickets(kinds: readonly WorkKind[]): Loaded<TicketHeader[]> {
  const { nodeId } = place.value!;
  useCover(work.value === undefined);
  const load = async (signal: AbortSignal) => {
    const queues = (work.peek()?.queues ?? []).filter(({ kind }) => kinds.includes(kind));
    const places = new Set(
      queues.flatMap(({ queueId, storeIds }) => storeIds.map((storeId) => `${storeId}\n${queueId}`)),
    );
    const found = await Promise.all(
      [...places].map(async (one) => {
        const [storeId = '', queueId = ''] = one.split('\n');
        return readAll(async ({ after }) => {
          const { pickTickets } = await send(
            api.POST('/stores/{storeId}/nodes/{nodeId}/pickTicket/search', {
              params: { path: { storeId, nodeId } },
              body: {
                storeId,
                nodeId,
                queueId,
                userId: session.peek()!.user.userId,
                pickTicket: { statuses: ['NEW', 'IN_PROGRESS'] },
                pageSize: PAGE,
                ...(after !== undefined && { lastRecordId: after }),
              },
              signal,
            }),
          );
          return { rows: pickTickets, next: pickTickets.length < PAGE ? undefined : pickTickets.at(-1)?.pickTicketId };
        });
      }),
    );
    return found.flat().sort((a, b) => Date.parse(a.pickSLADate) - Date.parse(b.pickSLADate));
  };
  return useLoad(`${nodeId} ${work.value === undefined}`, load, undefined, work.value?.revision);
}

/** Returns the open tickets of the user on this device, which can be continued offline. */
export function ownOnDevice(): TicketHeader[] {
  return outbox.snapshot.tickets.value.filter(({ confirmed }) => confirmed === undefined).map(({ ticket }) => ticket);
}

export function TicketRows({ tickets, children }: { tickets: readonly TicketHeader[]; children?: ComponentChildren }) {
  const { tickets: texts, types, units } = t();
  const { userId } = session.value!.user;
  const nameOf = useNames(place.value?.nodeId);
  return (
    <div class="list">
      {tickets.map((ticket) => {
        const isReverse = ticket.pickTicketType === 'REVERSE_PICK_TICKET';
        return (
          <a class="row" key={ticket.pickTicketId} href={href(ticketPath(ticket))}>
            <span class="grow">
              <span class="split">
                <span class="strong code">{ticket.pickTicketId}</span>
                <Due at={ticket.pickSLADate} nowMs={now.value} isEnd />
              </span>
              <span class="inline dotted quiet ticket-facts">
                <span>{isReverse ? texts.from(ticket.holdLocation) : word(types, ticket.fulfillmentType)}</span>
                <span>{units.units(ticket.totalQuantity)}</span>
                {!isReverse && <span>{units.orders(ticket.totalFulfillmentOrders)}</span>}
              </span>
              {ticket.userId !== userId && (
                <State>{ticket.userId === '' ? texts.nobody : texts.of(nameOf(ticket.userId))}</State>
              )}
            </span>
          </a>
        );
      })}
      {children}
    </div>
  );
}
