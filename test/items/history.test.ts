import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT, faultsIn, type Loose, leastItem, openProbe, type Probe, wholeItem } from './whole-item.ts';

let probe: Probe;
beforeAll(async () => {
  probe = await openProbe();
});
afterAll(() => probe.close());

const itemPath = (id: string) => `/item-service/clients/${CLIENT}/items/21-${id}`;
const put = (id: string, changes: Loose = {}, headers: Record<string, string> = {}) =>
  probe.probe.put(itemPath(id), { ...leastItem(changes), clientItemId: id, itemId: `21-${id}` }, headers);
const history = (id: string, query = '') =>
  probe.operator('GET', `/operator/v1/clients/${CLIENT}/items/21-${id}/history${query}`);

describe('history of an item', () => {
  it('has the user, the change and the time of each entry, the latest first', async () => {
    await put('H1', { description: 'Old', sizes: [{ code: 'M', description: 'Medium' }] }, { 'x-request-id': 'first' });
    probe.clock.now += 60_000;
    await put(
      'H1',
      { sizes: [{ code: 'L', description: 'Medium' }], gii: 'g', unitCost: { currency: 'USD', value: 1 } },
      { 'x-request-id': 'second' },
    );
    const answer = await history('H1');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ clientId: CLIENT, itemId: '21-H1', exists: true });
    const [updated, created] = answer.body.entries as Loose[];
    const actor = `credential:${probe.probe.secrets.credentialId}`;
    expect(created).toMatchObject({
      action: 'created',
      revision: 1,
      actor,
      requestId: 'first',
      at: '2026-03-02T12:00:00+00:00',
      changes: [],
    });
    expect(updated).toMatchObject({
      action: 'updated',
      revision: 2,
      actor,
      requestId: 'second',
      at: '2026-03-02T12:01:00+00:00',
    });
    const changes = (updated!.changes as { path: string }[]).toSorted((a, b) => (a.path < b.path ? -1 : 1));
    expect(changes).toEqual([
      { path: '/description', from: 'Old' },
      { path: '/gii', to: 'g' },
      { path: '/sizes/0/code', from: 'M', to: 'L' },
      { path: '/unitCost', to: { currency: 'USD', value: 1 } },
    ]);
  });

  it('has no entry for a write that changes nothing or that is rejected', async () => {
    await put('H2');
    await put('H2');
    await put('H2', { type: 'NOTHING' });
    expect((await history('H2')).body.entries).toHaveLength(1);
  });

  it('stays after the item is deleted, with its last version, and continues with the next item of that id', async () => {
    await probe.probe.put(itemPath('H3'), { ...wholeItem(), clientItemId: 'H3', itemId: '21-H3' });
    const item = (await probe.read('21-H3')).body as Loose;
    await probe.probe.delete(itemPath('H3'));
    const deleted = (await history('H3')).body;
    expect(deleted).toMatchObject({ exists: false });
    expect(deleted.entries[0]).toMatchObject({ action: 'deleted', revision: 1, changes: [{ path: '', from: item }] });
    await put('H3');
    const actions = (await history('H3')).body.entries.map((entry: Loose) => [entry.action, entry.revision]);
    expect(actions).toEqual([
      ['created', 1],
      ['deleted', 1],
      ['created', 1],
    ]);
  });

  it('counts the revisions of one item', async () => {
    for (const description of ['a', 'b', 'c']) await put('H4', { description });
    const revisions = (await history('H4')).body.entries.map((entry: Loose) => entry.revision);
    expect(revisions).toEqual([3, 2, 1]);
  });

  it('returns exact numbers unchanged', async () => {
    const path = itemPath('H5');
    await put('H5');
    const raw = JSON.stringify({ unitCost: { currency: 'USD', value: 0 } }).replace(':0}', ':9999999999999999999.99}');
    await probe.probe.call({ method: 'PUT', path: `${path}?merge=true`, raw });
    expect((await history('H5')).text).toContain('"value":9999999999999999999.99');
  });

  it('is paged: every entry once, also when new ones are added between pages', async () => {
    for (let count = 0; count < 7; count += 1) await put('H6', { description: String(count) });
    const seen: number[] = [];
    let after = '';
    for (;;) {
      const { body } = await history('H6', `?limit=3${after}`);
      seen.push(...body.entries.map((entry: Loose) => entry.revision as number));
      if (body.next === undefined) break;
      after = `&after=${body.next as string}`;
      await put('H6', { description: `during ${after}` });
    }
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  it('takes a limit of 1 to 500 and an entry to continue after', async () => {
    await put('H7');
    for (const limit of ['1', '500']) expect((await history('H7', `?limit=${limit}`)).status).toBe(200);
    for (const limit of ['0', '501', '-1', '1.5', 'x'])
      expect(faultsIn(await history('H7', `?limit=${limit}`))).toContainEqual(
        expect.stringMatching(/^query:limit (?:minimum|maximum|type)$/),
      );
    expect(faultsIn(await history('H7', '?after=x'))).toContain('query:after minLength');
    expect(faultsIn(await history('H7', '?from=x'))).toEqual(['query:from unknown']);
    expect((await history('H7', '?after=00000000-0000-0000-0000-000000000000')).body.entries).toEqual([]);
  });

  it('returns 404 for an item that never existed, and for an unknown client', async () => {
    const answer = await history('NEVER');
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toMatch(/problem\+json/);
    expect(answer.body).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
      detail: `Item 21-NEVER of client ${CLIENT} was not found; an itemId has the form <catalogId>-<clientItemId>.`,
    });
    expect((await probe.operator('GET', '/operator/v1/clients/NOBODY/items/21-A/history')).status).toBe(404);
  });

  it('shows nothing of the same itemId of another client', async () => {
    expect((await history('TEE-RED-M')).status).toBe(404);
  });
});
