import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenTown, openTown } from '../support/town.ts';

const CLIENT = '/operator/v1/clients/TOWN';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown();
  const webhook = { url: 'https://hooks.example.com/in', types: ['order.*'] };
  expect((await town.operator('PUT', `${CLIENT}/webhooks/main`, webhook)).status).toBeLessThan(300);
});
afterAll(() => town.close());

it.each([
  `${CLIENT}/webhooks/main/secret`,
  `${CLIENT}/users/mara/pin`,
  `${CLIENT}/users/mara/badge`,
  `${CLIENT}/nodes/TOWN-Store001/deviceCodes`,
])('POST %s works without a body and with {}, and rejects an unknown field', async (path) => {
  for (const body of [undefined, {}]) {
    const sent = await town.operator('POST', path, body);
    expect(sent.status, sent.text).toBeLessThan(300);
  }
  expect((await town.operator('POST', path, { name: 'x' })).status).toBe(400);
});

it('an operation with a required field needs a body', async () => {
  const { status, body } = await town.operator('POST', `${CLIENT}/nodes/TOWN-Store001/stock/moves`);
  expect([status, body['errors'][0].rule]).toEqual([400, 'required']);
});

it('a PUT needs a body although its fields are optional, because no body would remove what is set', async () => {
  const { status, body } = await town.operator('PUT', CLIENT);
  expect([status, body['errors'][0].rule]).toEqual([400, 'required']);
});

it('an item is not deleted with a body, as before', async () => {
  const { status } = await town.client.call({
    method: 'DELETE',
    path: '/item-service/clients/TOWN/items/21-MUG-WHT',
    body: {},
  });
  expect(status).toBe(400);
});
