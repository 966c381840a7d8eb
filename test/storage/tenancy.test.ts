import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rewriteTerms } from '../../src/items/terms.ts';
import { findOrdersOfPerson } from '../../src/orders/person.ts';
import { rewriteKeys } from '../../src/orders/rewrite-keys.ts';
import { findPasskey } from '../../src/people/passkeys/sign-in.ts';
import { purgeSignIns } from '../../src/people/purge.ts';
import { purgeAccessEvents } from '../../src/platform/access-log/store.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { purgeBatch } from '../../src/platform/http/idempotency.ts';
import { createSealer } from '../../src/platform/secrets.ts';
import { copyStore } from '../../src/platform/storage/copy.ts';
import { watchStatements } from '../../src/platform/storage/handle.ts';
import { countRows } from '../../src/service/backup/content.ts';
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import { backupsFinding, eventFindings, importsFinding, webhooksFinding } from '../../src/service/cli/doctor-work.ts';
import { EXPORT_KINDS, exportLines } from '../../src/service/import/export.ts';
import { operations } from '../../src/service/operations.ts';
import { retentionKinds } from '../../src/service/retention/kinds.ts';
import { Scheduler } from '../../src/service/scheduler/scheduler.ts';
import { freeWebhooks, purgeDeliveries } from '../../src/webhooks/due.ts';
import { OPERATOR_KEY } from '../support/backroom.ts';
import { examplesOf, needsHardware, runExample } from '../support/examples.ts';
import { describeSqliteOnly, openTestStore } from '../support/store.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { CROSS_TENANT, UNIQUE_ACROSS_TENANTS } from './cross-tenant.ts';
import { WALKS, walksIn } from './plans.ts';

const SCHEMA = new URL('../../src/platform/storage/schema.sql', import.meta.url);
const schema = readFileSync(SCHEMA, 'utf8').toLowerCase();
const tables = new Set([...schema.matchAll(/^create table (\w+)/gm)].map((match) => match[1]!));

const normal = (text: string) => text.toLowerCase().replaceAll('"', '').replace(/\s+/g, ' ').trim();

/** A statement of the tests, not of the program: `close` of test/support/backroom.ts reads the recorded events. */
const OF_THE_TESTS = 'select client_id, type, data, request_id from events';

const sent = new Set<string>();
const statements = new Set<string>();
const asked = new Set<string>();

beforeAll(async () => {
  watchStatements((text) => {
    sent.add(text);
    statements.add(normal(text));
  });
  for (const operation of operations) {
    const town = await openTown({ neighbours: true, upTo: 'returns' });
    for (const example of examplesOf(operation.id)) {
      const { status } = await runExample(town, example);
      if (status < 300) asked.add(operation.id);
    }
    if (operation.id === 'listClients') await operateOn(town);
    if (operation.id === 'searchReturns') await searchIn(town);
    await town.close();
  }
  watchStatements(undefined);
}, 300_000);
afterAll(() => watchStatements(undefined));

/** Sends searches with filters that have indexes of their own, and searches that begin after a record. */
async function searchIn(town: OpenTown): Promise<void> {
  const lists = [
    'edi/interchanges?direction=OUT&status=WAITING',
    'edi/interchanges?status=QUARANTINED',
    'nodes/TOWN-Store001/orders?queueId=WAITING_FOR_PICK_SFS',
    'refunds?number=R-1',
    'refunds?number=R-1&status=DONE',
  ];
  for (const list of lists) {
    const { status, text } = await town.operator('GET', `/operator/v1/clients/TOWN/${list}`);
    expect(status, text).toBe(200);
  }
  const some = await town.credential({ nodeIds: ['TOWN-Store001'] });
  expect((await some.get('/operator/v1/stores/TOWN_US/fulfillmentOrders?webOrderId=W-1')).status).toBe(200);
  expect(await town.store.read((db) => findOrdersOfPerson(db, 'TOWN', 'W-1'))).toEqual([]);
  const open = { states: ['REQUESTED', 'RECEIVING'] };
  const searches = [
    ...[open, { ...open, nodeId: 'TOWN-Store001' }, { ...open, trackingNumber: 'T-1' }, { held: true }],
    ...[{ number: 'R-1' }, { webOrderId: 'W-1' }, { fulfillmentOrderId: '1' }, { customerRef: 'C-1' }],
  ];
  for (const body of searches) {
    const { status, text } = await town.operator('POST', '/operator/v1/stores/TOWN_US/returns/search', body);
    expect(status, text).toBe(200);
  }
  const place = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', lastRecordId: 'none' };
  const after: [path: string, body: object][] = [
    ['fulfillmentOrder/search', {}],
    ['alert/fulfillment/search', { statuses: ['OPEN'] }],
    ['nodes/TOWN-Store001/pickTicket/search', { queueId: 'WAITING_FOR_PICK_SFS', pickTicket: { statuses: ['NEW'] } }],
  ];
  for (const [path, body] of after) {
    const { status, text } = await town.client.post(`/stores/TOWN_US/${path}`, { ...place, ...body });
    expect([status, text]).toEqual([400, expect.stringContaining('lastRecordId')]);
  }
}

/** Runs the operator's commands and the service's background work, in addition to the operations. */
async function operateOn(town: OpenTown): Promise<void> {
  const headers = { authorization: `Bearer ${OPERATOR_KEY}`, 'idempotency-key': 'once' };
  const path = '/operator/v1/clients/TOWN/credentials';
  const expiresAt = new Date(town.clock.now + 86_400_000).toISOString();
  await town.call({ method: 'POST', path, headers, body: { label: 'Kept', expiresAt } });
  const opal = await town.signIn('operator');
  await opal.post('/poasn-manager-service/sellers/TOWNS/poasn/create', {});
  expect(await town.store.read((db) => findPasskey(db, 'unknown'))).toBeUndefined();
  await purgeBatch(town.store, town.clock.now, 0);
  await town.server.runDue();
  await town.server.app.inject({ method: 'GET', url: '/metrics', headers });
  await purgeDeliveries(town.store, town.clock.now);
  await town.store.write((tx) => purgeAccessEvents(tx, town.clock.now, town.clock.now));
  await town.store.write((tx) => purgeSignIns(tx, town.clock.now));
  await retain(town);
  await freeWebhooks({ ...town.store, engine: 'sqlite', write: (work) => town.store.write(work) });
  await countRows(town.store);
  await ruleFindings(town.store);
  await importsFinding(town.store, town.clock.now);
  await eventFindings(town.store, town.clock.now);
  await webhooksFinding(town.store, town.clock.now);
  await backupsFinding(town.store, town.clock.now);
  for (const kind of EXPORT_KINDS) {
    for await (const line of exportLines(town.store, kind, 'TOWN')) expect(line).not.toBe('');
  }
  const other = await openTestStore();
  await copyStore(town.store, other);
  await rewriteKeys(other.url);
  await rewriteTerms(other.url);
  await other.close();
}

/** Runs the retention jobs a year later. */
async function retain(town: OpenTown): Promise<void> {
  const names = ['ORDER_DAYS', 'EVENT_DAYS', 'SHIPMENT_DAYS', 'STOCK_DAYS', 'EDI_DAYS', 'KEY_DAYS'];
  const days = Object.fromEntries(names.map((name) => [name, '300']));
  const config = loadConfig({ BACKROOM_SECRET: 'ab'.repeat(32), LOG_LEVEL: 'silent', ...days });
  const ports = { ...town.ports, now: () => town.clock.now + 365 * 86_400_000 };
  const sealer = createSealer(Buffer.from('ab'.repeat(32), 'hex'));
  await new Scheduler({ config, ports, store: town.store, sealer, kinds: retentionKinds() }).runDue();
}

/**
 * Returns the missing condition of a statement, or undefined. An insert must have the column `client_id`. Other
 * statements must have a condition on `client_id` for each table that they read or change.
 */
function lackIn(text: string): string | undefined {
  const target = /^insert into (\w+) \(([^)]*)\)/.exec(text);
  if (target !== null && tables.has(target[1]!) && !/\bclient_id\b/.test(target[2]!))
    return `no client_id into ${target[1]!}`;
  const read = [...text.matchAll(/\b(?:from|join|update) (\w+)\b/g)].filter((match) => tables.has(match[1]!));
  const conditions = [...text.matchAll(/\bclient_id(?: =| in\b)|= (?:\w+\.)?client_id\b/g)].length;
  return read.length > conditions ? `${read.length} tables, ${conditions} conditions on client_id` : undefined;
}

const named = (text: string) => CROSS_TENANT.filter(({ has }) => has.some((words) => text.includes(words)));

/** Returns the walks (`walksIn`) in the plan of SQLite for a statement. */
function walksOf(db: Database.Database, text: string): string[] {
  const explain = db.prepare<unknown[], { detail: string }>(`explain query plan ${text}`);
  const steps = explain.all(Array.from(text.matchAll(/\?/g), () => null));
  return walksIn(
    normal(text),
    steps.map(({ detail }) => detail),
    tables,
  );
}

describe('the schema', () => {
  it('has the tenant first in the primary key of every table but that of migrations', () => {
    const keys = [...schema.matchAll(/^create table (\w+) \(([\s\S]*?)\) strict/gm)].map((match) => [
      match[1]!,
      /^ {2}primary key \((\w+)/m.exec(match[2]!)?.[1] ?? /^ {2}(\w+) \w+.* primary key/m.exec(match[2]!)?.[1],
    ]);
    expect(keys.length).toBe(tables.size);
    expect(keys.filter(([name, first]) => name !== 'migrations' && first !== 'client_id')).toEqual([]);
  });

  it('has the tenant first in every unique index but the named ones', () => {
    const unique = [...schema.matchAll(/create unique index (\w+)\s+on \w+\s*\((\w+)/g)];
    const others = unique.filter((match) => match[2] !== 'client_id').map((match) => match[1]);
    expect(unique.length).toBeGreaterThan(others.length);
    expect(others.toSorted()).toEqual(Object.keys(UNIQUE_ACROSS_TENANTS).sort());
  });
});

describe('the statements of a run through all operations', () => {
  it('are recorded for every operation', () => {
    expect(operations.map(({ id }) => id).filter((id) => !asked.has(id) && !needsHardware(id))).toEqual([]);
    expect(statements.size).toBeGreaterThan(100);
  });

  it('name their tenant, except those on the list', () => {
    const ofTheService = [...statements].filter((text) => text !== OF_THE_TESTS);
    const lacking = ofTheService.flatMap((text) => {
      const lack = named(text).length > 0 ? undefined : lackIn(text);
      return lack === undefined ? [] : [`${lack}: ${text}`];
    });
    expect(lacking).toEqual([]);
  });

  it('never move a row to another tenant: a sharding engine rejects changes of the distribution column', () => {
    const changes = [...statements].filter((text) => /\bset\b[^()]*\bclient_id = /.test(text.split(/\bwhere\b/)[0]!));
    expect(changes).toEqual([]);
  });

  it('that cross tenants join nothing under a having: a sharding engine was seen to sum other columns there', () => {
    const wrong = [...statements].filter((text) => named(text).length > 0 && /\bhaving\b/.test(text));
    expect(wrong.filter((text) => /\bjoin\b/.test(text))).toEqual([]);
  });

  it('include every statement of the list, each with its reason', () => {
    const unseen = CROSS_TENANT.flatMap(({ has }) => has).filter(
      (words) => ![...statements].some((text) => text.includes(words)),
    );
    expect(unseen).toEqual([]);
    expect(CROSS_TENANT.filter(({ reason }) => reason.length <= 20)).toEqual([]);
  });

  it.each([
    'select * from items where item_id = ?',
    'select * from items join node_items on node_items.item_id = items.item_id where items.client_id = ?',
    'update pick_tickets set status = ? where pick_ticket_id = ?',
    'insert into events (event_id, at) values (?, ?)',
  ])('fail the check without it: %s', (text) => {
    expect(lackIn(text)).not.toBeUndefined();
  });
});

describeSqliteOnly('PostgreSQL has statistics', 'the plans of these statements', () => {
  it('read no rows that end and stay, except those on the list', () => {
    const db = new Database(':memory:');
    db.exec(readFileSync(SCHEMA, 'utf8'));
    const unused = new Set(WALKS.flatMap(({ has }) => has));
    const found = [...sent].flatMap((text) => {
      if (!/^\s*(?:select|insert|update|delete|with|\/\*)/i.test(text) || normal(text) === OF_THE_TESTS) return [];
      const walks = walksOf(db, text);
      if (walks.length === 0) return [];
      const named = WALKS.flatMap(({ has }) => has).filter((words) => normal(text).includes(words));
      for (const words of named) unused.delete(words);
      return named.length > 0 ? [] : [`${walks.join('; ')}: ${normal(text)}`];
    });
    db.close();
    expect(found).toEqual([]);
    expect([...unused], 'walks of the list that no statement does').toEqual([]);
  });

  it.each([
    ['select * from returns where status = +? and expires_at <= +? order by expires_at limit 100', 'SCAN returns'],
    [
      'select * from refunds where client_id = +? and return_id = +? order by due_at',
      'SEARCH refunds USING INDEX refunds_by_age (client_id=?)',
    ],
  ])('would be on the list with a walk: %s', (text, walk) => {
    const db = new Database(':memory:');
    db.exec(readFileSync(SCHEMA, 'utf8'));
    expect(walksOf(db, text)).toEqual([walk]);
    db.close();
  });
});
