import { afterAll, beforeAll, expect, it } from 'vitest';
import { GROUPS } from '../../src/platform/ctx.ts';
import { groupsOf, permissionsAsked } from '../../src/platform/http/operation.ts';
import { ROLES } from '../../src/platform/roles.ts';
import { operationNamed, operations } from '../../src/service/operations.ts';
import type { Answer } from '../support/backroom.ts';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

const ORDERS = '/operator/v1/stores/TOWN_US/fulfillmentOrders';

/** Returns an order as shown, without its notes, because each change of this test adds a note. */
const shown = ({ status, body }: Answer) => [status, { ...body, notes: [], revision: 0, allowedChanges: [] }];

interface Caller {
  get: (path: string) => Promise<Answer>;
  post: (path: string, body?: unknown) => Promise<Answer>;
}

/**
 * Returns whether a caller can change an order. If so, checks that the response shows no more than the read, and that
 * the caller can read the history.
 */
async function mayChange(caller: Caller, userId?: string): Promise<boolean> {
  const path = `${ORDERS}/${town.orders.picked}`;
  count += 1;
  const changeId = String(count);
  const changed = await caller.post(`${path}/change`, { changeId, userId, note: 'Call before noon' });
  if (changed.status === 403) return false;
  expect(changed.status).toBe(200);
  expect(shown(changed)).toEqual(shown(await caller.get(path)));
  expect((await caller.get(`${path}/history`)).status).toBe(200);
  return true;
}
let count = 0;

it('a key that can change an order reads it and its history, and the response of the change shows no more', async () => {
  const changing = [];
  for (const group of GROUPS) {
    if (await mayChange(await town.credential({ groups: [group] }), 'oms')) changing.push(group);
  }
  expect(changing).toEqual(['intake', 'supervise']);
});

it('a person who can change an order reads it and its history, and the response of the change shows no more', async () => {
  const changing = [];
  for (const role of ROLES) {
    if (await mayChange(await town.signIn(role))) changing.push(role);
  }
  expect(changing).toEqual(['manager', 'support', 'integrator', 'operator']);
});

it('an integrator reads orders without e-mail addresses and telephone numbers', async () => {
  const { status, body } = await (await town.signIn('integrator')).get(`${ORDERS}/${town.orders.picked}`);
  expect([status, body.customer.email, body.customer.phone]).toEqual([200, '', '']);
  expect(body.customer.name).not.toBe('');
});

it('a key of intake reads only the orders of its own stores and nodes', async () => {
  const read = async (narrowing: object) => {
    const key = await town.credential({ groups: ['intake'], ...narrowing });
    return (await key.get(`${ORDERS}/${town.orders.picked}`)).status;
  };
  expect(await read({ storeIds: ['TOWN_US'], nodeIds: ['TOWN-Store001'] })).toBe(200);
  expect(await read({ nodeIds: ['TOWN-Store002'] })).toBe(404);
  expect(await read({ storeIds: ['TOWN_CA'] })).toBe(403);
});

it('an operation that changes one order is open only to groups and permissions that can read it', () => {
  const read = operationNamed('readFulfillmentOrder');
  const history = operationNamed('readOrderHistory');
  const changing = operations.filter(
    ({ kind: access, path }) =>
      access === 'write' && path.startsWith(`/operator/v1/stores/{storeId}/fulfillmentOrders/{`),
  );
  expect(changing.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['changeFulfillmentOrder', 'cancelFulfillmentOrder', 'moveFulfillmentOrder']),
  );
  for (const reading of [read, history]) {
    for (const operation of changing) {
      expect(groupsOf(reading), operation.id).toEqual(expect.arrayContaining([...groupsOf(operation)]));
    }
    for (const id of ['changeFulfillmentOrder', 'cancelFulfillmentOrder']) {
      const asked = permissionsAsked(operationNamed(id));
      expect(permissionsAsked(reading), id).toEqual(expect.arrayContaining([...asked]));
    }
  }
});
