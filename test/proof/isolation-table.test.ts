import { describe, expect, it } from 'vitest';
import { runCampaign } from '../../proof/campaign.ts';
import {
  isAsked,
  isOperators,
  kitOf,
  openBase,
  placesIn,
  type Row,
  requestOf,
  WHO,
  WHOSE,
} from '../../proof/isolation/cells.ts';
import { EXCEPTIONS } from '../../proof/isolation/exceptions.ts';
import { BEYOND_CELLS, expectedOf } from '../../proof/isolation/people.ts';
import { cellsOf, table } from '../../proof/isolation/table.ts';
import { isolation } from '../../proof/isolation.ts';
import { type Operation, permissionsAsked } from '../../src/platform/http/operation.ts';
import { operationNamed, operations } from '../../src/service/operations.ts';
import { ENGINE } from '../support/store.ts';

/**
 * Permissions to change the access of other users. An operation with such a permission must give a user of one node no
 * access beyond that node.
 */
const GIVING: ReadonlySet<string> = new Set(['client', 'people']);

const every = operations.map(({ id }) => id).filter(isAsked);

describe('the isolation table', () => {
  it('has rows for every operation and for no other', () => {
    expect(Object.keys(table).sort()).toEqual(every.toSorted());
  });

  it('has every exception in an existing cell', () => {
    for (const { row, situation, expected } of cellsOf(EXCEPTIONS)) {
      expect([row, situation, table[row.operation]?.[row.place]?.[situation]]).toEqual([row, situation, expected]);
    }
  });

  it('has every place of every request, and every situation of it', { timeout: 900_000 }, async () => {
    const expected: Record<string, Record<string, string[]>> = {};
    const observer = {
      ...isolation,
      control: { planted: '', count: 0, bugs: [] },
      run: async (work: Parameters<typeof isolation.run>[0]) => {
        const kit = await kitOf(work);
        for (const operation of every) {
          const base = await openBase(work, kit, operation);
          const places = placesIn(operation, base.good).map((place) => {
            const exists = [...WHOSE, ...WHO].filter(
              (situation) => requestOf(kit, base, { operation, place }, situation) !== undefined,
            );
            return [place, exists] as const;
          });
          expected[operation] = Object.fromEntries(places);
          await base.service.close();
        }
      },
    };
    await runCampaign(observer, { engine: ENGINE, seed: 1, count: 1 });
    const rows = Object.entries(table).map(([operation, places]) => {
      const situations = Object.entries(places).map(([place, cells]) => [place, Object.keys(cells)]);
      return [operation, Object.fromEntries(situations)];
    });
    expect(Object.fromEntries(rows)).toEqual(expected);
  });

  it.each(['revoked', 'expired', 'noKey', 'wrongGroup'] as const)(
    'rejects every request with a credential of kind %s',
    (who) => {
      const isOpen = ({ operation }: Row) => operationNamed(operation).access.auth === 'none';
      const answers = cellsOf(table).filter(({ row, situation }) => situation === who && !isOpen(row));
      expect(answers.length).toBeGreaterThan(every.length);
      for (const { row, expected } of answers)
        expect([row, expected]).toEqual([row, expect.stringMatching(/^40[13] /)]);
    },
  );

  it('asks, as somebody of one node, for what is beyond it: of every operation that gives, shows or takes what people, devices and keys may', () => {
    const isOpen = (one: Operation) => one.access.permission !== 'any' && expectedOf(one, 'otherNode') === 'in';
    const giving = operations.filter((one) => permissionsAsked(one).some((asked) => GIVING.has(asked)) && isOpen(one));
    expect(giving.map(({ id }) => id).filter((id) => !(id in BEYOND_CELLS))).toEqual([
      'getClient',
      'readClientSettings',
    ]);
  });

  it('gives a client the same response for a resource of another client and for a missing one', () => {
    for (const [operation, places] of Object.entries(table)) {
      if (isOperators(operation)) continue;
      for (const [place, { otherClient, missing }] of Object.entries(places)) {
        if (otherClient !== undefined) expect([operation, place, otherClient]).toEqual([operation, place, missing]);
      }
    }
  });

  it('lets a client write under an id that only another client has used, and otherwise keeps it away from the other client’s data', () => {
    const reached = cellsOf(table).filter(
      ({ row, situation, expected }) =>
        situation === 'otherClient' &&
        !isOperators(row.operation) &&
        expected.startsWith('2') &&
        // A filter with a value of another client gets an empty list. The row of `missing` expects the same success.
        !row.place.startsWith('query:') &&
        // The response is 200 with a result for each order: an order of another client is not found.
        !(row.operation === 'declineOrders' && row.place.startsWith('/fulfillmentOrderIds/')) &&
        // The response leaves out orders that the client does not have.
        row.operation !== 'checkReturn',
    );
    expect(reached.map(({ row }) => row)).toEqual([
      { operation: 'openBlindInbound', place: '/number' },
      { operation: 'createFulfillmentOrders', place: '/fulfillmentOrderId' },
      { operation: 'answerResourceRequest', place: '/fulfillmentOrderId' },
      { operation: 'putWebhook', place: 'path:webhookId' },
      { operation: 'createReturn', place: '/number' },
    ]);
  });
});
