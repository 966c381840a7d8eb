import { type CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CheckedItem, checkItem } from '../../src/items/check.ts';
import { findItem, findItems, findItemText } from '../../src/items/find.ts';
import { deleteItemRow, type ItemOutcome, lockItems, putItems } from '../../src/items/store.ts';
import type { Ctx } from '../../src/platform/ctx.ts';
import type { Json } from '../../src/platform/json-column.ts';
import { settingsOf } from '../../src/shared/client-settings.ts';
import { describePostgresOnly, untilBlocked } from '../support/store.ts';
import { CLIENT, type Loose, leastItem, openProbe, type Probe } from './whole-item.ts';

let probe: Probe;
beforeAll(async () => {
  probe = await openProbe();
});
afterAll(() => probe.close());

/** The client as it was before its catalog 77 was removed. */
const owner = { client_id: CLIENT, catalog_ids: '["21","77"]' as Json<string[]> };

function checked(id: string, changes: Loose = {}): CheckedItem {
  const verdict = checkItem(
    owner,
    settingsOf({ settings: '{}' as Json<object> }),
    leastItem({ clientItemId: id, itemId: `21-${id}`, ...changes }),
  );
  expect(verdict.errors).toEqual([]);
  return verdict.checked!;
}

function ctxOf(db: Ctx['db']) {
  const { now, newId } = probe.ports;
  return {
    db,
    dialect: probe.store.dialect,
    now: now(),
    newId,
    actor: { kind: 'system' as const, id: 'cli:import' },
    requestId: 'import',
  };
}

const write = (items: readonly CheckedItem[]) => probe.store.write((tx) => putItems(ctxOf(tx), CLIENT, items));
const outcomes = (list: readonly ItemOutcome[]) => list.map((one) => `${one.itemId}:${one.outcome}`);
const revisions = (id: string) =>
  probe.store.read((db) =>
    db
      .selectFrom('events')
      .select(['type', 'revision'])
      .where('client_id', '=', CLIENT)
      .where('resource_id', '=', `21-${id}`)
      .orderBy('event_id')
      .execute(),
  );

describe('a batch of items', () => {
  it('has an error for each item of a catalog that was removed after the check of the item', async () => {
    const gone = checked('GONE', { catalogId: '77', itemId: '77-GONE' });
    const [first, second] = await write([gone, checked('HERE')]);
    expect(first).toMatchObject({ itemId: '77-GONE', outcome: 'refused', errors: [{ rule: 'catalog' }] });
    expect(second).toMatchObject({ itemId: '21-HERE', outcome: 'created' });
  });

  it('is written in one transaction, each item with its outcome', async () => {
    await write([checked('S1'), checked('S2')]);
    const second = await write([checked('S1'), checked('S2', { gii: 'x' }), checked('S3')]);
    expect(outcomes(second)).toEqual(['21-S1:unchanged', '21-S2:updated', '21-S3:created']);
    expect(await revisions('S1')).toHaveLength(1);
    expect(await revisions('S2')).toEqual([
      { type: 'item.created', revision: 1 },
      { type: 'item.updated', revision: 2 },
    ]);
  });

  it('can have an item twice: the later one is stored', async () => {
    expect(outcomes(await write([checked('T1', { gii: 'a' }), checked('T1', { gii: 'b' })]))).toEqual([
      '21-T1:created',
      '21-T1:updated',
    ]);
    expect((await probe.read('21-T1')).body.gii).toBe('b');
    await write([checked('T1', { gii: 'c' })]);
    const row = await probe.store.read((db) =>
      db
        .selectFrom('items')
        .select('revision')
        .where('client_id', '=', CLIENT)
        .where('item_id', '=', '21-T1')
        .executeTakeFirstOrThrow(),
    );
    expect(row.revision).toBe(2);
  });

  it('rejects only the item whose bundle another item of the batch contains', async () => {
    const bundle = (id: string, inside: string) =>
      checked(id, { bundle: true, bundleItems: [{ itemId: `21-${inside}` }] });
    expect(outcomes(await write([bundle('R1', 'R2'), bundle('R2', 'R1'), checked('R3')]))).toEqual([
      '21-R1:created',
      '21-R2:refused',
      '21-R3:created',
    ]);
  });

  it('waits for a concurrent batch, so that no bundle contains itself', async () => {
    const bundle = (id: string, inside: string) =>
      checked(id, { bundle: true, bundleItems: [{ itemId: `21-${inside}` }] });
    const { second } = await probe.store.write(async (tx) => {
      await putItems(ctxOf(tx), CLIENT, [bundle('W1', 'W2')]);
      const other = write([bundle('W2', 'W1')]);
      await untilBlocked(probe.store);
      return { second: other };
    });
    expect(outcomes(await second)).toEqual(['21-W2:refused']);
  });

  it('can be empty', async () => {
    expect(await write([])).toEqual([]);
  });

  it('creates an item again after a concurrent delete, with all its search words', async () => {
    await write([checked('G1', { description: 'Green kettle' })]);
    const { second } = await probe.store.write(async (tx) => {
      await deleteItemRow(ctxOf(tx), CLIENT, '21-G1');
      const other = write([checked('G1', { description: 'Green kettle', gii: 'x' })]);
      await untilBlocked(probe.store);
      return { second: other };
    });
    expect(outcomes(await second)).toEqual(['21-G1:created']);
    expect(await revisions('G1')).toMatchObject([{ revision: 1 }, { type: 'item.deleted' }, { revision: 1 }]);
    const terms = await probe.store.read((db) =>
      db.selectFrom('item_terms').select('term').where('item_id', '=', '21-G1').execute(),
    );
    expect(terms.map((row) => row.term).sort()).toEqual(['wgreen', 'wkettle']);
  });

  it('is rejected after a concurrent write, and nothing of it is stored', async () => {
    await write([checked('C1')]);
    const attempt = probe.store.write(async (tx) => {
      // Changes the revision between the read and the write of this batch.
      const db = new Proxy(tx, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== 'function') return member;
          if (name !== 'executeQuery') return member.bind(target) as unknown;
          return async (query: CompiledQuery) => {
            if (query.sql.startsWith('insert into "items"'))
              await tx.updateTable('items').set({ revision: 9 }).execute();
            return tx.executeQuery(query);
          };
        },
      });
      await putItems(ctxOf(db), CLIENT, [checked('C2'), checked('C1', { gii: 'late' })]);
    });
    await expect(attempt).rejects.toMatchObject({ name: 'StorageUnavailable' });
    expect((await probe.read('21-C1')).body).not.toHaveProperty('gii');
    expect((await probe.read('21-C2')).status).toBe(404);
  });
});

describePostgresOnly('two batches with the same items', () => {
  /**
   * Runs `first`, then `second` in another transaction until it waits for a lock, then `last` in the transaction of
   * `first`. `last` must not wait for a lock, because the other transaction waits for this one.
   */
  async function crossed(
    first: (ctx: ReturnType<typeof ctxOf>) => Promise<unknown>,
    second: readonly CheckedItem[],
    last: readonly CheckedItem[],
  ): Promise<ItemOutcome[]> {
    const other = await probe.store.write(async (tx) => {
      await first(ctxOf(tx));
      const begun = write(second);
      await untilBlocked(probe.store);
      await sql`set local lock_timeout = 50`.execute(tx);
      await putItems(ctxOf(tx), CLIENT, last);
      return { begun };
    });
    return other.begun;
  }

  it.each(['new', 'changed'])('do not deadlock if their orders differ: %s items', async (which) => {
    const [a, b] = which === 'new' ? ['D1', 'D2'] : ['D3', 'D4'];
    if (which === 'changed') await write([checked(a), checked(b)]);
    const [first, last] = [checked(a, { gii: 'x' }), checked(b, { gii: 'x' })];
    const second = await crossed((ctx) => putItems(ctx, CLIENT, [first]), [last, first], [last]);
    expect(outcomes(second)).toEqual([`21-${b}:unchanged`, `21-${a}:unchanged`]);
  });

  it('do not deadlock if they are a merge and an overwrite of one bundle', async () => {
    const bundle = (gii: string) => checked('D5', { bundle: true, bundleItems: [{ itemId: '21-D1' }], gii });
    await write([bundle('a')]);
    const second = await crossed((ctx) => lockItems(ctx, CLIENT, ['21-D5']), [bundle('b')], [bundle('c')]);
    expect(outcomes(second)).toEqual(['21-D5:updated']);
  });
});

describe('finding items', () => {
  it('returns one by its id, as text or parsed', async () => {
    await write([checked('F1')]);
    const text = await probe.store.read((db) => findItemText(db, CLIENT, '21-F1'));
    expect(text).toBe((await probe.read('21-F1')).text);
    expect(await probe.store.read((db) => findItem(db, CLIENT, '21-F1'))).toEqual(JSON.parse(text!));
    expect(await probe.store.read((db) => findItem(db, CLIENT, '21-NONE'))).toBeUndefined();
    expect(await probe.store.read((db) => findItem(db, 'TOWN', '21-F1'))).toBeUndefined();
  });

  it('returns many by their ids, each once, without missing ones', async () => {
    await write([checked('M1'), checked('M2')]);
    const { dialect } = probe.store;
    const find = (ids: string[]) => probe.store.read((db) => findItems({ db, dialect }, CLIENT, ids));
    const found = await find(['21-M2', '21-M1', '21-M1', '21-NONE', '21-TEE-RED-M']);
    expect([...found.keys()].sort()).toEqual(['21-M1', '21-M2']);
    expect(found.get('21-M1')).toMatchObject({ itemId: '21-M1', status: 'Active' });
    expect((await find([])).size).toBe(0);
  });
});
