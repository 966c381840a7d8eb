import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEL, type Members, SFS } from '../picking/picking.ts';
import { openTimed, type Timed } from '../scheduler/sandbox.ts';
import { plansOf } from '../support/reads.ts';

let town: Timed;
let [pickup, shipped, delivered]: [string, string, string] = ['', '', ''];
let ticketId = '';

/**
 * At 16:34 UTC, the START step of three orders is approaching its deadline, and one order is put on a ticket. At 17:10,
 * the START step of the other two orders has expired, and the COMPLETE step of the order on the ticket is approaching
 * its deadline.
 */
beforeAll(async () => {
  town = await openTimed({ neighbours: true });
  pickup = await town.order({ lines: [['MUG-WHT', 1]] });
  shipped = await town.order({ type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 1]] });
  delivered = await town.order({ type: 'ASSOCIATE_DELIVERY', lines: [['MUG-WHT', 1]] });
  await town.to('2026-03-02T16:34:00');
  ticketId = (await town.ticket([shipped], SFS)).pickTicketId;
  await town.to('2026-03-02T17:10:00');
});
afterAll(() => town.close());

type Shown = { alertId: string; alertType: string; fulfillmentOrderId: string; status: string };
const found = async (filters: Members): Promise<string[]> => {
  const answer = await town.search(filters);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body.alerts as Shown[])
    .map((alert) => `${nameOf(alert.fulfillmentOrderId)} ${alert.alertType}`)
    .sort();
};
const nameOf = (orderId: string) => ({ [pickup]: 'pickup', [shipped]: 'shipped', [delivered]: 'delivered' })[orderId];
const faultsOf = async (filters: Members) =>
  ((await town.search(filters)).body.errors as { pointer: string; rule: string }[]).map(
    ({ pointer, rule }) => `${pointer} ${rule}`,
  );

const ALL = [
  'delivered START_PICK_APPROACHING',
  'delivered START_PICK_EXPIRED',
  'pickup START_PICK_APPROACHING',
  'pickup START_PICK_EXPIRED',
  'shipped COMPLETE_PICK_APPROACHING',
  'shipped START_PICK_APPROACHING',
];
const of = (...words: string[]) => ALL.filter((alert) => words.every((word) => alert.includes(word)));

describe('alert search', () => {
  it('reads only open alerts of the node if `statuses` is OPEN', async () => {
    const plans = await plansOf(town.store, 'alerts', () => found({ statuses: ['OPEN'] }));
    // PostgreSQL chooses an index by its statistics, and for a few alerts both indexes have the same cost.
    const index = town.store.engine === 'sqlite' ? 'alerts_open_by_date' : 'alerts_';
    expect(plans).toEqual([expect.stringContaining(index)]);
    if (town.store.engine === 'sqlite') expect(plans[0]).not.toContain('TEMP B-TREE');
  });

  it.each([
    ['webOrderId', 'web_order_id'],
    ['omsOrderId', 'oms_order_id'],
  ] as const)('reads only alerts of the orders with the %s', async (field, column) => {
    const number = (await town.row(shipped))[column];
    const plans = await plansOf(town.store, 'alerts', () => found({ [field]: number }));
    expect(plans).toHaveLength(1);
    if (town.store.engine === 'sqlite')
      expect(plans[0]).toMatch(/alerts_once \(client_id=\? AND fulfillment_order_id=\?\)/);
  });

  it('returns the subject of an alert, and when it was opened and closed', async () => {
    const row = await town.row(shipped);
    const { body } = await town.search({ omsOrderId: row.oms_order_id, webOrderId: row.web_order_id, pageSize: 10 });
    const common = {
      storeId: 'TOWN_US',
      nodeId: 'TOWN-Store001',
      fulfillmentOrderId: shipped,
      webOrderId: row.web_order_id,
      omsOrderId: row.oms_order_id,
      fulfillmentType: 'SHIP_TO_HOME',
      queueName: SFS,
    };
    const own = (body.alerts as Shown[]).filter((alert) => alert.fulfillmentOrderId === shipped);
    expect(own).toEqual([
      {
        ...common,
        alertId: expect.any(String),
        alertType: 'START_PICK_APPROACHING',
        description: 'Start of pick due soon',
        status: 'CLOSED',
        slaDate: { slaTypeId: 'START_PICK', value: '2026-03-02T16:45:00+00:00' },
        generatedOnDate: '2026-03-02T16:33:00+00:00',
        closedDate: '2026-03-02T16:34:00+00:00',
      },
      {
        ...common,
        alertId: expect.any(String),
        alertType: 'COMPLETE_PICK_APPROACHING',
        description: 'Completion of pick due soon',
        status: 'OPEN',
        pickTicketId: ticketId,
        slaDate: { slaTypeId: 'COMPLETE_PICK', value: '2026-03-02T17:30:00+00:00' },
        generatedOnDate: '2026-03-02T17:07:00+00:00',
      },
    ]);
    expect(body).toMatchObject({ pageId: 1, pageSize: 10 });
  });

  it('without filters finds every alert of the node', async () => {
    expect(await found({})).toEqual(ALL);
  });

  it.each<[string, () => Members, string[]]>([
    ['alertType', () => ({ alertType: 'START_PICK_EXPIRED' }), of('START_PICK_EXPIRED')],
    ['description', () => ({ description: 'Start of pick overdue' }), of('START_PICK_EXPIRED')],
    ['a description that no alert has', () => ({ description: 'Start of pick' }), []],
    ['queueName', () => ({ queueName: DEL }), of('delivered')],
    ['pickTicketId', () => ({ pickTicketId: ticketId }), of('COMPLETE_PICK')],
    [
      'fulfillmentTypes',
      () => ({ fulfillmentTypes: ['STORE_PICK_UP', 'SHIP_TO_HOME'] }),
      [...of('pickup'), ...of('shipped')],
    ],
    ['statuses', () => ({ statuses: ['OPEN'] }), [...of('EXPIRED'), ...of('COMPLETE_PICK')].sort()],
    ['both statuses', () => ({ statuses: ['OPEN', 'CLOSED'] }), ALL],
    ['closedDate, a day at the node', () => ({ closedDate: '2026-03-02' }), of('START_PICK_APPROACHING')],
    ['another closedDate', () => ({ closedDate: '2026-03-03' }), []],
    [
      'generatedOnDateRange, both ends included',
      () => ({ generatedOnDateRange: { from: '2026-03-02T16:45:00Z', to: '2026-03-02T17:07:00Z' } }),
      [...of('EXPIRED'), ...of('COMPLETE_PICK')].sort(),
    ],
    [
      'generatedOnDateRange with an end before the second of an alert',
      () => ({ generatedOnDateRange: { from: '2026-03-02T16:45:00Z', to: '2026-03-02T17:06:59.9Z' } }),
      of('EXPIRED'),
    ],
    [
      'several at once',
      () => ({ statuses: ['OPEN'], queueName: DEL, alertType: 'START_PICK_EXPIRED' }),
      of('delivered', 'EXPIRED'),
    ],
  ])('finds by %s', async (_name, filters, expected) => {
    expect(await found(filters())).toEqual(expected);
  });

  it('pages by lastRecordId, oldest alert first, and returns each alert once', async () => {
    const walked: string[] = [];
    for (let lastRecordId: string | undefined; ; ) {
      const { body, headers } = await town.search({
        pageSize: 4,
        lastPageId: 0,
        ...(lastRecordId && { lastRecordId }),
      });
      walked.push(...(body.alerts as Shown[]).map((alert) => alert.alertId));
      lastRecordId = headers['x-last-record-id'];
      if (body.alerts.length < 4) break;
    }
    expect(new Set(walked).size).toBe(6);
    const { body } = await town.search({ pageId: 2, pageSize: 4 });
    expect([body.totalRecords, (body.alerts as Shown[]).map((alert) => alert.alertId)]).toEqual([6, walked.slice(4)]);
    expect((await town.search({ maxRecordsCount: 2 })).body).toMatchObject({ totalRecords: 2, alerts: [{}, {}] });
  });

  it.each(['storeId', 'nodeId'])('requires %s', async (member) => {
    expect(await faultsOf({ [member]: undefined })).toEqual([`/${member} required`]);
  });

  it('lists every format error in one response', async () => {
    const wrong = { alertType: 'PICK_SLA_DELAY', statuses: [], closedDate: '2026-02-30', queue: 'Q', pageSize: 501 };
    expect((await faultsOf(wrong)).sort()).toEqual([
      '/alertType enum',
      '/closedDate format',
      '/pageSize maximum',
      '/queue unknown',
      '/statuses minItems',
    ]);
  });

  it('rejects a range that ends before it begins, and a lastRecordId that is not an alert of the node', async () => {
    const generatedOnDateRange = { from: '2026-03-03T00:00:00Z', to: '2026-03-02T00:00:00Z' };
    expect(await faultsOf({ generatedOnDateRange, lastRecordId: 'none' })).toEqual([
      '/generatedOnDateRange range',
      '/lastRecordId exists',
    ]);
  });

  it('rejects a queueName that the client does not have, and lists the valid ones', async () => {
    const { status, body } = await town.search({ queueName: 'WAITING_FOR_PIK_DEL' });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ pointer: '/queueName', rule: 'enum' }]);
    expect(body.errors[0].message).toContain("did you mean 'WAITING_FOR_PICK_DEL'?");
    expect((await town.search({ queueName: 'WAITING_FOR_REVERSE_PICK' })).body.alerts).toEqual([]);
  });

  it('takes 0 for the first page and no bound, and tells when there are more than it counted', async () => {
    const { body } = await town.search({ pageId: 0, pageSize: 0, lastPageId: 0, maxRecordsCount: 0, lastRecordId: 0 });
    expect(body).toMatchObject({ pageId: 1, pageSize: 50, totalRecords: 6 });
    expect(body.totalRecordsCapped).toBeUndefined();
    expect((await town.search({ maxRecordsCount: 5 })).body).toMatchObject({
      totalRecords: 5,
      totalRecordsCapped: true,
    });
    expect(await faultsOf({ pageId: 201 })).toEqual(['/pageId maximum']);
  });

  it('shows no alert of another store, node or client', async () => {
    const [alert] = (await town.search()).body.alerts as Shown[];
    const path = '/stores/OTHER_US/alert/fulfillment/search';
    const theirs = { storeId: 'OTHER_US', nodeId: 'OTHER-Store001' };
    expect((await town.neighbour.post(path, theirs)).body.alerts).toEqual([]);
    expect((await town.neighbour.post(path, { ...theirs, lastRecordId: alert!.alertId })).status).toBe(400);
    expect((await town.search({ nodeId: 'TOWN-Store002' })).body.alerts).toEqual([]);
    expect((await town.search({ nodeId: 'OTHER-Store001' })).status).toBe(403);
  });
});
