import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../support/backroom.ts';
import {
  allFound,
  faultsOf,
  GENERATE,
  type Members,
  openPicking,
  type Picking,
  REASON,
  type Ticket,
  UPDATE,
  WHERE,
  without,
} from './picking.ts';

let town: Picking;
let ticket: Ticket;
beforeAll(async () => {
  town = await openPicking({ neighbours: true });
  ticket = await town.ticket([
    await town.order({
      lines: [
        ['MUG-WHT', 3],
        ['SOAP-LAV', 2],
      ],
    }),
  ]);
});
afterAll(() => town.close());

const D = '/pickTicketDetails';
const details = (more: Members = {}): Members => ({
  ...WHERE,
  pickTicketId: ticket.pickTicketId,
  action: 'CONFIRM',
  userId: 'picker',
  holdLocation: 'H1',
  pickTicketItems: allFound(ticket),
  ...more,
});
const body = (more: Members = {}, root: Members = {}) => ({
  modifyAssociateId: 'associate',
  pickTicketDetails: details(more),
  ...root,
});

/** Sends a body that the service must reject, and checks that nothing changed. */
async function refused(message: unknown, status = 400): Promise<Answer> {
  const before = [await town.rows(), await town.ticketRow(ticket.pickTicketId)];
  const answer = await town.client.put(UPDATE, message);
  expect(answer.status, answer.text).toBe(status);
  expect([await town.rows(), await town.ticketRow(ticket.pickTicketId)]).toEqual(before);
  return answer;
}

describe('the request of update', () => {
  it.each([['modifyAssociateId'], ['pickTicketDetails']])('%s is required', async (member) => {
    expect(faultsOf(await refused(without(body(), member)))).toEqual([`/${member} required`]);
  });

  it.each([['pickTicketId'], ['action'], ['storeId'], ['nodeId'], ['userId'], ['holdLocation'], ['pickTicketItems']])(
    'CONFIRM: pickTicketDetails.%s is required',
    async (member) => {
      const message = { ...body(), pickTicketDetails: without(details(), member) };
      expect(faultsOf(await refused(message))).toEqual([`${D}/${member} required`]);
    },
  );

  it.each([['pickTicketId'], ['storeId'], ['nodeId'], ['userId']])(
    'RESET: pickTicketDetails.%s is required',
    async (member) => {
      const reset = { ...WHERE, pickTicketId: ticket.pickTicketId, action: 'RESET', userId: 'picker' };
      const answer = await refused({ ...body(), pickTicketDetails: without(reset, member) });
      expect(faultsOf(answer)).toEqual([`${D}/${member} required`]);
    },
  );

  it.each([['id'], ['itemId']])('CONFIRM: %s of an item is required', async (member) => {
    const [first, second] = allFound(ticket);
    const answer = await refused(body({ pickTicketItems: [without(first!, member), second] }));
    expect(faultsOf(answer)).toEqual([`${D}/pickTicketItems/0/${member} required`]);
  });

  it.each([['FROB'], ['confirm'], [''], [1], [null]])(
    'an action %j is rejected, naming CONFIRM and RESET',
    async (action) => {
      const answer = await refused(body({ action }));
      expect(faultsOf(answer)).toHaveLength(1);
      expect(answer.body.errors[0].pointer).toBe(`${D}/action`);
      if (typeof action === 'string') expect(answer.body.errors[0].message).toContain('CONFIRM, RESET');
    },
  );

  it.each([
    ['confirm', 'CONFIRM'],
    ['Reset', 'RESET'],
    ['CONFRIM', 'CONFIRM'],
  ])('an action %j is rejected with a question whether %s was meant', async (action, meant) => {
    const answer = await refused(body({ action }));
    expect(answer.body.errors[0].message).toContain(`did you mean '${meant}'?`);
  });

  it.each([
    ['pickTicketId', 40],
    ['storeId', 40],
    ['nodeId', 40],
    ['userId', 64],
    ['holdLocation', 40],
  ])('%s takes up to %i characters', async (member, max) => {
    const answer = await refused(body({ [member]: 'x'.repeat(max + 1) }));
    expect(faultsOf(answer)).toEqual([`${D}/${member} maxLength`]);
    const at = await town.client.put(UPDATE, body({ [member]: 'x'.repeat(max), pickTicketId: 'NONE' }));
    expect(at.text).not.toContain('maxLength');
  });

  it.each([['pickTicketId'], ['storeId'], ['nodeId'], ['userId'], ['holdLocation']])(
    '%s is a string that is not empty',
    async (member) => {
      for (const [wrong, rule] of [
        [1, 'type'],
        [null, 'required'],
        [['A'], 'type'],
        ['', 'minLength'],
        ['A ', 'pattern'],
      ] as const) {
        expect(faultsOf(await refused(body({ [member]: wrong })))).toEqual([`${D}/${member} ${rule}`]);
      }
    },
  );

  it.each([['quantity'], ['pickedQuantity'], ['canceledQuantity']])('%s is a whole number from 0', async (member) => {
    const [first, second] = allFound(ticket);
    for (const [wrong, rule] of [
      [-1, 'minimum'],
      [1.5, 'type'],
      ['1', 'type'],
      [1_000_000_001, 'maximum'],
    ] as const) {
      const answer = await refused(body({ pickTicketItems: [{ ...first, [member]: wrong }, second] }));
      expect(faultsOf(answer)).toEqual([`${D}/pickTicketItems/0/${member} ${rule}`]);
    }
  });

  it('cancellationReasonCode takes up to 40 characters', async () => {
    const [first, second] = allFound(ticket);
    const answer = await refused(
      body({ pickTicketItems: [{ ...first, cancellationReasonCode: 'x'.repeat(41) }, second] }),
    );
    expect(faultsOf(answer)).toEqual([`${D}/pickTicketItems/0/cancellationReasonCode maxLength`]);
  });

  it('pickTicketItems is a list of at least one item', async () => {
    expect(faultsOf(await refused(body({ pickTicketItems: [] })))).toEqual([`${D}/pickTicketItems minItems`]);
    expect(faultsOf(await refused(body({ pickTicketItems: {} })))).toEqual([`${D}/pickTicketItems type`]);
  });

  it('pickTicketItems takes up to 4000 items', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_unused, index) => ({ id: 1 + (index % 4000), itemId: 'A' }));
    expect(faultsOf(await refused(body({ pickTicketItems: many(4001) })))).toContain(`${D}/pickTicketItems maxItems`);
    const answer = await refused(body({ pickTicketItems: many(4000) }));
    expect(answer.body.errors).toHaveLength(100);
    expect(answer.text).not.toContain('maxItems');
  });

  it('unknown fields are rejected with the nearest known one, at every level', async () => {
    const [first, second] = allFound(ticket);
    const message = body(
      { holdLocatoin: 'H', pickTicketItems: [{ ...first, pickedQuanity: 1 }, second] },
      { modifyAssociate: 'x' },
    );
    const answer = await refused(message);
    expect(faultsOf(answer)).toEqual(
      ['/modifyAssociate unknown', `${D}/holdLocatoin unknown`, `${D}/pickTicketItems/0/pickedQuanity unknown`].sort(),
    );
    expect(answer.text).toContain("did you mean 'holdLocation'?");
  });

  it('modifyAssociateId is a string of 1 to 64 characters', async () => {
    for (const [wrong, rule] of [
      [1, 'type'],
      [null, 'required'],
      ['', 'minLength'],
      ['x'.repeat(65), 'maxLength'],
    ] as const) {
      expect(faultsOf(await refused(body({}, { modifyAssociateId: wrong })))).toEqual([`/modifyAssociateId ${rule}`]);
    }
    const other = await town.ticket([await town.order({ lines: [['MUG-WHT', 1]] })]);
    const at = body({ pickTicketId: other.pickTicketId, action: 'RESET' }, { modifyAssociateId: 'x'.repeat(64) });
    expect((await town.client.put(UPDATE, at)).status).toBe(204);
  });

  it('pickTicketDetails is an object, or a list of one as generate returns it', async () => {
    for (const wrong of [1, 'A', [], [details(), details()]]) {
      expect(faultsOf(await refused({ ...body(), pickTicketDetails: wrong }))).toEqual(['/pickTicketDetails type']);
    }
  });

  it.each([
    ['id', 'A', 'type'],
    ['id', 0, 'minimum'],
    ['id', 4001, 'maximum'],
    ['id', 1.5, 'type'],
    ['itemId', 1, 'type'],
    ['itemId', '', 'minLength'],
    ['itemId', 'x'.repeat(41), 'maxLength'],
  ])('%s of an item as %j is an error', async (member, wrong, rule) => {
    const [first, second] = allFound(ticket);
    const answer = await refused(body({ pickTicketItems: [{ ...first, [member]: wrong }, second] }));
    expect(faultsOf(answer)).toEqual([`${D}/pickTicketItems/0/${member} ${rule}`]);
  });

  it('both spellings of modifyAssociateId must have the same value', async () => {
    expect(faultsOf(await refused(body({}, { modifyAssociatedId: 'lee' })))).toEqual(['/modifyAssociatedId spelling']);
  });

  it('storeId and nodeId must agree with the path', async () => {
    const answer = await refused(body({ storeId: 'TOWN_CA', nodeId: 'TOWN-Store002' }));
    expect(faultsOf(answer)).toEqual([`${D}/nodeId path-mismatch`, `${D}/storeId path-mismatch`]);
  });
});

describe('the quantities of CONFIRM', () => {
  const I = `${D}/pickTicketItems`;
  let first: Members;
  let second: Members;
  beforeEach(() => {
    [first, second] = allFound(ticket) as [Members, Members];
  });
  const plain = { id: 1, itemId: '21-MUG-WHT' };

  it.each([
    ['neither quantity', {}, ['unanswered']],
    ['a sum below the quantity', { pickedQuantity: 1, canceledQuantity: 1, cancellationReasonCode: REASON }, ['sum']],
    ['a sum above the quantity', { pickedQuantity: 3, canceledQuantity: 1, cancellationReasonCode: REASON }, ['sum']],
    ['more picked than the quantity', { pickedQuantity: 4 }, ['sum']],
    ['more canceled than the quantity', { canceledQuantity: 4, cancellationReasonCode: REASON }, ['sum']],
  ])('%s is an error', async (_what, members, rules) => {
    const answer = await refused(body({ pickTicketItems: [{ ...plain, ...members }, second] }));
    expect(faultsOf(answer)).toEqual(rules.map((rule) => `${I}/0 ${rule}`));
  });

  it('a quantity that differs from the ticket’s is an error', async () => {
    const answer = await refused(body({ pickTicketItems: [{ ...first, quantity: 4 }, second] }));
    expect(faultsOf(answer)).toEqual([`${I}/0/quantity mismatch`]);
  });

  it('a missing item is an error that names it', async () => {
    const answer = await refused(body({ pickTicketItems: [first] }));
    expect(faultsOf(answer)).toEqual([`${I} missing-item`]);
    expect(answer.body.errors[0].message).toContain('item 2 (21-SOAP-LAV)');
  });

  it('an item twice is an error', async () => {
    expect(faultsOf(await refused(body({ pickTicketItems: [first, second, first] })))).toEqual([`${I}/2/id duplicate`]);
  });

  it('an item that the ticket does not have is an error', async () => {
    const extra = { ...first, id: 3 };
    expect(faultsOf(await refused(body({ pickTicketItems: [first, second, extra] })))).toEqual([
      `${I}/2/id unknown-item`,
    ]);
  });

  it('an itemId of another number is an error for each item', async () => {
    const swapped = [
      { ...first, itemId: second.itemId },
      { ...second, itemId: first.itemId },
    ];
    const answer = await refused(body({ pickTicketItems: swapped }));
    expect(faultsOf(answer)).toEqual([`${I}/0/itemId mismatch`, `${I}/1/itemId mismatch`]);
  });

  it('itemDetails.itemId must agree with itemId', async () => {
    const answer = await refused(body({ pickTicketItems: [{ ...first, itemDetails: { itemId: '21-X' } }, second] }));
    expect(faultsOf(answer)).toEqual([`${I}/0/itemDetails/itemId mismatch`]);
  });

  it.each([
    ['given', { pickedQuantity: 1, canceledQuantity: 2 }],
    ['implied', { pickedQuantity: 1 }],
  ])('cancellationReasonCode is required where canceled units are %s', async (_how, members) => {
    for (const code of [{}, { cancellationReasonCode: '' }]) {
      const answer = await refused(body({ pickTicketItems: [{ ...plain, ...members, ...code }, second] }));
      expect(faultsOf(answer)).toEqual([`${I}/0/cancellationReasonCode required`]);
    }
  });

  it('an unknown cancellationReasonCode is an error that lists the known ones', async () => {
    const item = { ...plain, canceledQuantity: 1, cancellationReasonCode: 'ipd' };
    const answer = await refused(body({ pickTicketItems: [item, second] }));
    expect(faultsOf(answer)).toEqual([`${I}/0/cancellationReasonCode reason`]);
    for (const known of ['IPD', REASON, 'CancelMXPickDecline']) expect(answer.body.errors[0].message).toContain(known);
  });

  it('one response lists all errors', async () => {
    const items = [
      { ...plain, itemId: '21-X', quantity: 9, pickedQuantity: 1, canceledQuantity: 1 },
      { ...second, id: 7 },
    ];
    const answer = await refused(body({ nodeId: 'TOWN-Store002', pickTicketItems: items }));
    expect(faultsOf(answer)).toEqual(
      [
        `${D}/nodeId path-mismatch`,
        `${I}/0 sum`,
        `${I}/0/cancellationReasonCode required`,
        `${I}/0/itemId mismatch`,
        `${I}/0/quantity mismatch`,
        `${I}/1/id unknown-item`,
        `${I} missing-item`,
      ].sort(),
    );
  });

  it('at most 100 errors are listed, with their total number', async () => {
    const items = Array.from({ length: 150 }, (_unused, index) => ({ id: index + 10, itemId: 'A', pickedQuantity: 1 }));
    const answer = await refused(body({ pickTicketItems: items }));
    expect(answer.body.errors).toHaveLength(100);
    expect(answer.body.errorsTotal).toBe(152);
  });
});

describe('the order of errors of update', () => {
  it('403 comes before every error of the message', async () => {
    expect((await town.neighbour.put(UPDATE, {})).status).toBe(403);
    const none = await town.call({ method: 'PUT', path: UPDATE, body: {} });
    expect([none.status, none.body.code]).toEqual([403, 'CREDENTIALS_MISSING']);
    for (const narrowing of [{ groups: ['items'] }, { storeIds: ['TOWN_CA'] }, { nodeIds: ['TOWN-Store002'] }]) {
      expect((await (await town.credential(narrowing)).put(UPDATE, {})).status).toBe(403);
    }
    for (const path of [
      '/stores/OTHER_US/nodes/TOWN-Store001/pickTicket/update',
      '/stores/TOWN_US/nodes/NONE/pickTicket/update',
    ]) {
      expect((await town.client.put(path, body())).status).toBe(403);
    }
  });

  it('400 comes before 404: errors of the message alone are listed for an unknown ticket too', async () => {
    const items = [
      { id: 1, itemId: 'A' },
      { id: 1, itemId: 'A', canceledQuantity: 1 },
      { id: 2, itemId: 'B', canceledQuantity: 1 },
    ];
    const answer = await refused(body({ pickTicketId: 'NONE', storeId: 'TOWN_CA', pickTicketItems: items }));
    expect(faultsOf(answer)).toEqual(
      [
        `${D}/storeId path-mismatch`,
        `${D}/pickTicketItems/0 unanswered`,
        `${D}/pickTicketItems/1/id duplicate`,
        `${D}/pickTicketItems/2/cancellationReasonCode required`,
      ].sort(),
    );
  });

  it.each(['CONFIRM', 'RESET'])('%s of an unknown ticket is 404', async (action) => {
    const answer = await refused(body({ pickTicketId: 'NONE', action }), 404);
    expect(answer.body).toMatchObject({ category: 'RESOURCE', code: 'NOT_FOUND' });
    expect(answer.body.description).toContain('"NONE"');
  });

  it('a ticket of another store, node or client looks like a missing one', async () => {
    const elsewhere = await town.client.post(GENERATE.replace('TOWN-Store001', 'TOWN-Store002'), {
      storeId: 'TOWN_US',
      nodeId: 'TOWN-Store002',
      queueId: 'WAITING_FOR_PICK_ISPU',
      userId: 'picker',
      fulfillmentOrderIds: [town.orders.millLane],
      modifyAssociateId: 'associate',
    });
    expect(elsewhere.status).toBe(201);
    const canadian = await town.client.post(GENERATE.replace('TOWN_US', 'TOWN_CA'), {
      storeId: 'TOWN_CA',
      nodeId: 'TOWN-Store001',
      queueId: 'WAITING_FOR_PICK_ISPU',
      userId: 'picker',
      fulfillmentOrderIds: [town.orders.canadian],
      modifyAssociateId: 'associate',
    });
    expect(canadian.status).toBe(201);
    for (const made of [elsewhere, canadian]) {
      const { pickTicketId } = made.body.pickTicketDetails[0] as Ticket;
      const answer = await refused(body({ pickTicketId, action: 'RESET' }), 404);
      expect(answer.body.description).toContain(pickTicketId);
    }
    const neighbours = await town.neighbour.put('/stores/OTHER_US/nodes/TOWN-Store001/pickTicket/update', {
      modifyAssociateId: 'x',
      pickTicketDetails: {
        storeId: 'OTHER_US',
        nodeId: 'TOWN-Store001',
        pickTicketId: ticket.pickTicketId,
        action: 'RESET',
        userId: 'x',
      },
    });
    expect(neighbours.status).toBe(404);
  });

  it('400 comes before 409: wrong quantities for a closed ticket are errors', async () => {
    const closed = await town.ticket([await town.order({ lines: [['MUG-WHT', 1]] })]);
    await town.reset(closed);
    const wrong = await town.confirm(closed, [{ id: 1, itemId: '21-MUG-WHT' }]);
    expect(faultsOf(wrong)).toEqual([`${D}/pickTicketItems/0 unanswered`]);
    const right = await town.confirm(closed);
    expect(right.status).toBe(409);
    // The client may have removed the reason since. The state says what to do.
    const item = { id: 1, itemId: '21-MUG-WHT', pickedQuantity: 0, canceledQuantity: 1 };
    const unknown = await town.confirm(closed, [{ ...item, cancellationReasonCode: 'GONE' }]);
    expect([unknown.status, unknown.text]).toEqual([409, expect.stringContaining('was reset')]);
  });
});
