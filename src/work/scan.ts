import { cartonIdsOf } from '../kernel/arrivals/cartons.ts';
import { findSettings } from '../kernel/settings.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { inEnglish } from '../platform/message/sentence.ts';
import { readCode } from '../shared/gs1.ts';
import { sees } from './caller.ts';
import { findCartons, findItemMatches, findShipments } from './scan-goods.ts';
import type { Scan } from './scan-matches.ts';
import { findOrderMatches, findPackages, findPlaces, findTicketMatches } from './scan-orders.ts';
import { findReturnMatches } from './scan-returns.ts';
import { CodeScan, ScanReply } from './scan-schema.ts';

export const scanCode = readOperation({
  id: 'scanCode',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/scan',
  summary: 'Find the objects of a code at a node',
  description: `Reads a bar code or typed text and finds the announced cartons and shipments, items, orders, pick tickets, packages,
places and returns that the code identifies. Nothing is changed.

- The service parses SSCC, GTIN of 8, 12, 13 and 14 digits, GS1 elements (with symbology identifier, separators or parentheses) and
GS1 Digital Links. A wrong check digit is a warning.
- The service compares other texts as sent: ids of orders (also those of the web store and the order management system), tickets and items,
tracking numbers, hold locations, numbers of returns.
- A match lists its actions, allowed or blocked with the reason. A carton or item lists the open orders that need it (\`wanted\`).
- A code without a match gets 200 with an empty list of matches.
- Matches are limited to the caller's groups or permissions, stores and nodes. A carton of another node has the warning ELSEWHERE.
- At most 50 packages with the same tracking number are listed: first the packages of open orders, then those of the newest orders. If there are more, the response has the warning TOO_MANY.
- A user with \`checkin.read\` and without \`fulfillment.read\` finds only SHIP_TO_STORE orders and their packages.`,
  access: {
    auth: 'operatorOrApiKey',
    group: ['fulfillment', 'inbound', 'items', 'receiving'],
    permission: ['fulfillment.read', 'checkin.read', 'receive', 'items.read'],
  },
  message: {
    body: CodeScan,
    replies: { 200: { description: 'The values read from the code, and its matches', schema: ScanReply } },
    refusals: { 404: 'There is no such client or node.' },
    errors: 'problem',
  },
  run: {
    async handle(ctx, { clientId, node, body: { code: sent } }) {
      const { code, reads, warnings } = readCode(sent, new Date(ctx.now).getUTCFullYear());
      const text = reads.find(({ kind }) => kind === 'TEXT')?.value;
      const found: Scan['found'] = {
        matches: [],
        // The console has its own texts for these codes, so the descriptions are in English.
        warnings: warnings.map((one) => ({ ...one, description: inEnglish(one.description) })),
      };
      if (text === undefined) return reply(200, { code, reads, ...found });
      const settings = await findSettings(ctx.db, clientId);
      const scan = { ctx, clientId, node, settings, text, found };
      const seesOrders = sees(ctx.actor, ['fulfillment.read', 'checkin.read'], ['fulfillment']);
      if (sees(ctx.actor, ['receive'], ['inbound', 'receiving'])) {
        await findCartons(scan, cartonIdsOf(reads));
        await findShipments(scan);
      }
      if (
        sees(
          ctx.actor,
          ['items.read', 'fulfillment.read', 'checkin.read', 'receive'],
          ['items', 'fulfillment', 'inbound', 'receiving'],
        )
      ) {
        const gtins = reads.flatMap(({ kind, value }) => (kind === 'GTIN' || kind === 'CONTENT' ? [value] : []));
        await findItemMatches(scan, [...new Set([text, ...gtins])]);
      }
      if (sees(ctx.actor, ['orders.change', 'fulfillment.read', 'receive'], ['fulfillment', 'receiving'])) {
        await findReturnMatches(scan);
      }
      if (seesOrders) {
        await findOrderMatches(scan);
        if (sees(ctx.actor, ['fulfillment.read'], ['fulfillment'])) await findTicketMatches(scan);
        await findPackages(scan);
        await findPlaces(scan);
      }
      return reply(200, { code, reads, ...found });
    },
  },
  example: { path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/scan', body: { code: '400000000084' } },
});
