import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { headOf, placeEvents } from '../../src/events/place.ts';
import { type Effect, record, recordAll } from '../../src/events/record.ts';
import { openStore, type Store, type Writer } from '../../src/platform/storage/db.ts';
import { describePostgresOnly, ENGINE, openTestStore } from '../support/store.ts';

let store: Store;
const more: Store[] = [];
beforeEach(async () => {
  store = await openTestStore();
});
afterEach(async () => {
  for (const other of more.splice(0)) await other.close();
  await store.close();
});

let ids = 0;
/** Identifiers that do not sort in the order of their creation, like identifiers from several machines. */
const newId = () => `${(++ids * 7919) % 10_007}-${ids}`;

function ctxOf(tx: Writer) {
  return {
    db: tx,
    dialect: store.dialect,
    now: 1_000,
    newId,
    actor: { kind: 'system' as const, id: 'test' },
    requestId: 'test',
  };
}

const effect = (clientId: string, resourceId: string, revision: number): Effect => ({
  clientId,
  type: 'order.forgotten',
  resource: 'order',
  resourceId,
  revision,
});

/**
 * Changes an order `times` times and records an event each time, in one write. A row of `counters` takes the place of
 * the row of the order: its value is the revision.
 */
async function moveOn(from: Store, clientId: string, resourceId: string, times = 1): Promise<void> {
  await from.write(async (tx) => {
    const { value } = await tx
      .insertInto('counters')
      .values({ client_id: clientId, name: resourceId, value: times })
      .onConflict((on) =>
        on.columns(['client_id', 'name']).doUpdateSet((eb) => ({ value: eb('counters.value', '+', times) })),
      )
      .returning('value')
      .executeTakeFirstOrThrow();
    const effects = Array.from({ length: times }, (_, index) =>
      effect(clientId, resourceId, value - times + index + 1),
    );
    if (times === 1) await record(ctxOf(tx), effects[0]!);
    else await recordAll(ctxOf(tx), effects);
  });
}

function feedOf(from: Store, clientId: string, after = 0) {
  return from.read((db) =>
    db
      .selectFrom('events')
      .select(['position', 'sequence', 'resource_id', 'revision'])
      .where('client_id', '=', clientId)
      .where('position', '>', after)
      .orderBy('position')
      .execute(),
  );
}

/**
 * Opens the store as another process of the service does. Only one process can serve an SQLite file, so on SQLite this
 * function returns the same store.
 */
async function another(): Promise<Store> {
  if (ENGINE === 'sqlite') return store;
  const other = await openStore(store.url, { connections: 8 });
  more.push(other);
  return other;
}

describe('positions of events', () => {
  it('are given from 1 without a gap, each client for itself, and once', async () => {
    for (let count = 0; count < 3; count += 1) await moveOn(store, 'A', 'o-1');
    await moveOn(store, 'B', 'o-1', 2);
    expect(await placeEvents(store, 'A')).toBe(3);
    expect(await placeEvents(store, 'A')).toBe(0);
    await moveOn(store, 'A', 'o-2');
    expect(await placeEvents(store, 'A')).toBe(1);
    expect((await feedOf(store, 'A')).map((row) => row.position)).toEqual([1, 2, 3, 4]);
    expect(await feedOf(store, 'B')).toEqual([]);
    expect(await placeEvents(store, 'B')).toBe(2);
    expect((await feedOf(store, 'B')).map((row) => row.position)).toEqual([1, 2]);
    expect(await store.read((db) => headOf(db, 'A'))).toBe(4);
    expect(await store.read((db) => headOf(db, 'C'))).toBe(0);
  });

  it('are those of the order in which events were written, also over many batches', async () => {
    for (let count = 0; count < 30; count += 1) await moveOn(store, 'A', `o-${count % 3}`, 50);
    expect(await placeEvents(store, 'A')).toBe(1_500);
    const rows = await feedOf(store, 'A');
    expect(rows.map((row) => row.position)).toEqual(Array.from({ length: 1_500 }, (_, index) => index + 1));
    for (const order of ['o-0', 'o-1', 'o-2']) {
      const own = rows.filter((row) => row.resource_id === order);
      expect(own.map((row) => row.sequence)).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
      expect(own.map((row) => row.revision)).toEqual(own.map((row) => row.sequence));
    }
  });

  it('stop at as many as were asked for, after the batch', async () => {
    for (let count = 0; count < 3; count += 1) await moveOn(store, 'A', 'o-1', 400);
    expect(await placeEvents(store, 'A', 1)).toBe(500);
    expect(await placeEvents(store, 'A')).toBe(700);
  });

  it('show a reader that polls under 16 writers every event once and in order, and never a gap', async () => {
    const processes = [await another(), await another(), await another()];
    const seen: Awaited<ReturnType<typeof feedOf>> = [];
    let writing = true;
    const poll = async (index: number, keep: (rows: typeof seen) => void) => {
      let after = 0;
      for (let last = false; ; ) {
        await placeEvents(processes[index % 3]!, 'A');
        const rows = await feedOf(processes[(index + 1) % 3]!, 'A', after);
        for (const row of rows) {
          after += 1;
          expect(row.position).toBe(after);
        }
        keep(rows);
        if (last) return after;
        last = !writing;
        await sleep(1);
      }
    };
    const readers = Promise.all(
      [0, 1, 2].map((index) => poll(index, index === 0 ? (rows) => seen.push(...rows) : () => undefined)),
    );
    const writers = Array.from({ length: 16 }, async (_, index) => {
      for (let turn = 0; turn < 25; turn += 1) {
        await moveOn(processes[index % 3]!, 'A', `o-${(index + turn) % 5}`, 1 + (turn % 3));
      }
    });
    await Promise.all(writers);
    writing = false;
    const total = 16 * Array.from({ length: 25 }, (_, turn) => 1 + (turn % 3)).reduce((sum, one) => sum + one, 0);
    expect(await readers).toEqual([total, total, total]);
    expect(seen.length).toBe(total);
    for (let order = 0; order < 5; order += 1) {
      const own = seen.filter((row) => row.resource_id === `o-${order}`);
      expect(own.map((row) => row.sequence)).toEqual(own.map((_, index) => index + 1));
      // The order's revision increases in the same transaction, so events are in the order of their revisions.
      expect(own.map((row) => row.revision)).toEqual(own.map((_, index) => index + 1));
    }
  });
});

describePostgresOnly('an event that is committed late', () => {
  it('gets a position behind those that were placed before, and no reader has passed it', async () => {
    const written = Promise.withResolvers<undefined>();
    const commit = Promise.withResolvers<undefined>();
    const late = store.write(async (tx) => {
      await record(ctxOf(tx), effect('A', 'late', 1));
      written.resolve(undefined);
      await commit.promise;
    });
    await written.promise;
    await moveOn(store, 'A', 'early');
    expect(await placeEvents(store, 'A')).toBe(1);
    expect(await feedOf(store, 'A')).toMatchObject([{ position: 1, resource_id: 'early' }]);
    commit.resolve(undefined);
    await late;
    expect(await placeEvents(store, 'A')).toBe(1);
    expect(await feedOf(store, 'A', 1)).toMatchObject([{ position: 2, resource_id: 'late' }]);
  });
});
