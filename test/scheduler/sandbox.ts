/** The town's picking with a sandbox clock, and functions that move the clock over HTTP. */
import { expect } from 'vitest';
import { type Members, openPicking, type Picking, WHERE } from '../picking/picking.ts';
import type { Answer } from '../support/backroom.ts';

export const CLOCK = '/operator/v1/sandbox/clock';

export interface Timed extends Picking {
  advance: (way: Members) => Promise<Answer>;
  /** Moves the clock to an instant, which is written without `Z`. */
  to: (instant: string) => Promise<void>;
  /** Returns `type status` of each alert of an order, oldest first. */
  alertsOf: (orderId: string) => Promise<string[]>;
  search: (filters?: Members) => Promise<Answer>;
  /** Changes the given fields of the node and keeps the others. */
  node: (members: Members) => Promise<void>;
  /** Creates an order that waits for its customer. */
  readyOrder: (quantity?: number) => Promise<string>;
  eventTypes: (orderId: string) => Promise<string[]>;
}

export const weekdays = (opens: string, closes: string) =>
  ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'].map((dayOfWeek) => ({ dayOfWeek, opens, closes }));

export async function openTimed(options: Parameters<typeof openPicking>[0] = {}): Promise<Timed> {
  const town = await openPicking({ upTo: 'catalog', ...options });
  const advance = (way: Members) => town.operator('POST', CLOCK, way);
  const search = (filters: Members = {}) =>
    town.client.post('/stores/TOWN_US/alert/fulfillment/search', { ...WHERE, ...filters });
  return {
    ...town,
    advance,
    search,
    async to(instant) {
      const answer = await advance({ advanceTo: `${instant}Z` });
      expect(answer.status, answer.text).toBe(200);
    },
    async alertsOf(orderId) {
      const { body } = await search();
      return (body.alerts as { fulfillmentOrderId: string; alertType: string; status: string }[])
        .filter((alert) => alert.fulfillmentOrderId === orderId)
        .map((alert) => `${alert.alertType} ${alert.status}`);
    },
    async node(members) {
      const path = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';
      const { body } = await town.operator('GET', path);
      const answer = await town.operator('PUT', path, { ...body, ...members });
      expect(answer.status, answer.text).toBe(200);
    },
    async readyOrder(quantity = 1) {
      const orderId = await town.order({ lines: [['MUG-WHT', quantity]] });
      await town.confirm(await town.ticket([orderId]));
      return orderId;
    },
    eventTypes: async (orderId) => (await town.events('order', orderId)).map((event) => event.type),
  };
}
