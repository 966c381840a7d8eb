/** Metrics of the installation, as an operator's scraper reads them. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NotReady, UNREADY, type Unready } from '../../src/platform/storage/db.ts';
import { VERSION } from '../../src/platform/version.ts';
import { samplesOf } from '../support/metrics.ts';
import { describePostgresOnly, ENGINE } from '../support/store.ts';
import { type OpenTown, openTown } from '../support/town.ts';

const MINUTE_MS = 60_000;

let town: OpenTown;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

const samples = (name: string) => samplesOf(town.server.app, name);

async function waitsOn(queueId: string): Promise<number> {
  const at = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };
  const { body } = await town.call({
    method: 'POST',
    path: `/stores/${at.storeId}/nodes/${at.nodeId}/fulfillmentOrders?queueId=${queueId}`,
    headers: { apikey: town.client.secrets.apiKey },
    body: { ...at, queueId },
  });
  return (body as { fulfillmentOrders: unknown[] }).fulfillmentOrders.length;
}

const sum = (values: Record<string, number>) => Object.values(values).reduce((total, value) => total + value, 0);

describe('metrics of the installation', () => {
  it('count open orders by queue and age', async () => {
    const orders = await samples('backroom_orders');
    const packing = Object.entries(orders).filter(([labels]) => labels.includes('queue="WAITING_FOR_PACK_SFS"'));
    expect(sum(Object.fromEntries(packing))).toBe(await waitsOn('WAITING_FOR_PACK_SFS'));
    for (const labels of Object.keys(orders))
      expect(labels).toMatch(/age="(under_1h|under_4h|under_1d|under_7d|older)"/);
  });

  it('count late orders and open alerts once the scheduler has found them', async () => {
    expect(sum(await samples('backroom_orders_late'))).toBe(0);
    town.clock.now += 3 * 24 * 60 * MINUTE_MS;
    await town.server.runDue();
    await town.server.runDue();
    const open = await samples('backroom_alerts_open');
    const expired = Object.entries(open).filter(([labels]) => labels.includes('_EXPIRED"'));
    expect(expired.length).toBeGreaterThan(0);
    expect(sum(await samples('backroom_orders_late'))).toBe(sum(Object.fromEntries(expired)));
    const orders = await samples('backroom_orders');
    expect(Object.keys(orders).filter((labels) => labels.includes('under_'))).toEqual(
      Object.keys(orders).filter((labels) => labels.includes('under_7d')),
    );
  });

  it('do not count the invented orders, returns and refunds of trainings', async () => {
    const COUNTED = ['backroom_orders', 'backroom_orders_late', 'backroom_alerts_open', 'backroom_refunds'];
    const read = async () => {
      // The metrics are read from the database at most every 15 seconds.
      town.clock.now += MINUTE_MS;
      const held = [await samples('backroom_return_held_units'), await samples('backroom_returns')];
      return [...(await Promise.all(COUNTED.map(samples))), ...held].map((each) => Object.entries(each).sort());
    };
    const before = await read();
    const { post } = await town.signIn('associate');
    expect((await post('/session/training')).status).toBe(201);
    expect(await read()).toEqual(before);
  });

  it('count webhooks, their backlog and their dead letters', async () => {
    expect(await samples('backroom_webhooks')).toEqual({
      '{state="enabled"}': 0,
      '{state="failing"}': 0,
      '{state="disabled"}': 0,
    });
    expect(await samples('backroom_webhook_backlog')).toEqual({ '': 0 });
    expect(await samples('backroom_webhook_dead_letters')).toEqual({ '': 0 });
    expect(await samples('backroom_webhook_held_timestamp_seconds')).toEqual({});
  });

  it('count interchanges by direction and status, and tell how long the oldest waits', async () => {
    expect(await samples('backroom_edi_interchanges_total')).toEqual({
      '{direction="IN",status="TESTED"}': 2,
      '{direction="OUT",status="WAITING"}': 3,
    });
    expect((await samples('backroom_edi_oldest_waiting_seconds'))['']).toBeGreaterThan(1_800);
  });

  it('have the size of the database, its connections and the build', async () => {
    const bytes = await samples('backroom_database_bytes');
    expect(bytes['{part="file"}']).toBeGreaterThan(8192);
    if (ENGINE === 'sqlite') expect(bytes['{part="wal"}']).toBeGreaterThan(0);
    else expect(Object.keys(bytes)).toEqual(['{part="file"}']);
    const connections = await samples('backroom_database_connections');
    expect(connections['{state="open"}']).toBeGreaterThan(0);
    expect(connections['{state="waiting"}']).toBe(0);
    const [build] = Object.keys(await samples('backroom_build_info'));
    expect(build).toContain(`version="${VERSION}"`);
    expect(build).toContain(`engine="${town.store.engine}"`);
  });

  it('have no backup time before the first backup', async () => {
    expect(await samples('backroom_last_backup_timestamp_seconds')).toEqual({});
  });

  it('have the readiness of the process, with the reason', async () => {
    expect(await samples('backroom_ready')).toEqual({ '{reason="none"}': 1 });
    const ping = town.store.ping.bind(town.store);
    for (const reason of Object.keys(UNREADY) as Unready[]) {
      town.store.ping = () => Promise.reject(new NotReady(reason));
      expect(await samples('backroom_ready')).toEqual({ [`{reason="${reason}"}`]: 0 });
      const { status, body } = await town.call({ method: 'GET', path: '/readyz' });
      expect([status, body.reason]).toEqual([503, UNREADY[reason]]);
    }
    town.store.ping = ping;
    expect(await samples('backroom_ready')).toEqual({ '{reason="none"}': 1 });
  });

  it('have the offset of the clock from that of a database server', async () => {
    const offset = await samples('backroom_clock_offset_seconds');
    if (town.store.engine === 'sqlite') expect(offset).toEqual({});
    else expect(Math.abs(offset['']!)).toBeLessThan(3_600);
  });
});

describePostgresOnly('metrics of a server', () => {
  it('have the bytes of WAL that each replication slot holds', async () => {
    const held = async () => {
      town.clock.now += MINUTE_MS;
      return samples('backroom_database_wal_held_bytes');
    };
    const slot = `of_test_${process.pid}`;
    const label = `{slot="${slot}"}`;
    expect(await held()).not.toHaveProperty(label);
    await town.store.write((tx) => sql`select pg_create_physical_replication_slot(${slot}, true)`.execute(tx));
    try {
      const before = (await held())[label];
      expect(before).toBeGreaterThanOrEqual(0);
      await town.store.write((tx) =>
        sql`create table filler as select n from generate_series(1, 10000) as n`.execute(tx),
      );
      expect((await held())[label]).toBeGreaterThan(before!);
    } finally {
      await town.store.write((tx) => sql`select pg_drop_replication_slot(${slot})`.execute(tx));
    }
    expect(await held()).not.toHaveProperty(label);
  });
});
