import { afterEach, describe, expect, it } from 'vitest';
import { nextNumbers } from '../../src/platform/counters.ts';
import type { Store, Writer } from '../../src/platform/storage/db.ts';
import { describePostgresOnly, openTestStore } from '../support/store.ts';

let store: Store;
afterEach(() => store.close());

const take = (db: Writer, count: number, clientId = 'C1', name = 'fulfillmentId') =>
  nextNumbers({ db, dialect: store.dialect }, clientId, name, 1, count);

describe('numbers of a sequence', () => {
  it('have no gap if the writes follow each other', async () => {
    store = await openTestStore();
    const all: number[] = [];
    for (const count of [1, 3, 60, 1, 60, 250, 1, 99, 100, 101]) {
      all.push(...(await store.write((tx) => take(tx, count))));
    }
    expect(all).toEqual(Array.from({ length: 676 }, (_, index) => index + 1));
  });

  it('are separate for each client and each name', async () => {
    store = await openTestStore();
    await store.write((tx) => take(tx, 5));
    expect(await store.write((tx) => take(tx, 1, 'C2'))).toEqual([1]);
    expect(await store.write((tx) => take(tx, 1, 'C1', 'fulfillment'))).toEqual([1]);
    expect(await store.write((tx) => take(tx, 1))).toEqual([6]);
  });

  it('of a rolled-back transaction go to the next one', async () => {
    store = await openTestStore();
    await store.write((tx) => take(tx, 2));
    const voided = store.write(async (tx) => {
      await take(tx, 150);
      throw new Error('voided');
    });
    await expect(voided).rejects.toThrow('voided');
    expect(await store.write((tx) => take(tx, 2))).toEqual([3, 4]);
  });

  it('are never used twice with any number of writers, and few are skipped', async () => {
    store = await openTestStore({ connections: 10 });
    const taken: number[] = [];
    const writers = Array.from({ length: 12 }, async (_, writer) => {
      for (let round = 0; round < 25; round += 1) {
        taken.push(...(await store.write((tx) => take(tx, 1 + ((writer * 7 + round * 13) % 40)))));
      }
    });
    await Promise.all(writers);
    expect(new Set(taken).size).toBe(taken.length);
    expect(Math.max(...taken) - taken.length).toBeLessThanOrEqual(store.engine === 'sqlite' ? 0 : 12 * 100);
  });
});

describePostgresOnly('numbers of a sequence that another transaction holds', () => {
  it('do not block concurrent writers', async () => {
    store = await openTestStore({ connections: 5, lockWaitMs: 2_000 });
    await store.write((tx) => take(tx, 1));
    const order: string[] = [];
    const held = Promise.withResolvers<undefined>();
    const has = Promise.withResolvers<undefined>();
    const first = store.write(async (tx) => {
      const numbers = await take(tx, 1);
      has.resolve(undefined);
      await held.promise;
      order.push('first');
      return numbers;
    });
    await has.promise;
    const others = [await store.write((tx) => take(tx, 1)), await store.write((tx) => take(tx, 120))];
    order.push('others');
    held.resolve(undefined);
    const all = [...(await first), ...others.flat()];
    expect(order).toEqual(['others', 'first']);
    expect(new Set(all).size).toBe(122);
  });

  it('remain unique when the engine changes: the row of the sequence is above all of them', async () => {
    store = await openTestStore();
    const taken = [await store.write((tx) => take(tx, 1)), await store.write((tx) => take(tx, 130))].flat();
    const { value } = await store.read((db) =>
      db
        .selectFrom('counters')
        .select('value')
        .where('client_id', '=', 'C1')
        .where('name', '=', 'fulfillmentId')
        .executeTakeFirstOrThrow(),
    );
    expect(value).toBeGreaterThanOrEqual(Math.max(...taken));
  });
});
