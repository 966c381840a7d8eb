/**
 * Upgrades the kept database of every release to this program: doctor finds no error, and work continues in the state
 * of that release. make.ts describes the kept data.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/platform/storage/db.ts';
import { add as doctor } from '../../src/service/cli/doctor.ts';
import { add as migrate } from '../../src/service/cli/migrate.ts';
import { RELEASES as PROGRAMS } from '../../town/releases.ts';
import { perform } from '../cli/in-process.ts';
import { type Backroom, openBackroom } from '../support/backroom.ts';
import { ENGINE } from '../support/store.ts';
import { kept, openKept } from './kept.ts';

const CHANGELOG = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
const RELEASES = [...CHANGELOG.matchAll(/^## (\d+\.\d+\.\d+)$/gm)].map(([, version = '']) => version);

/** Ten minutes after the last event in the kept towns. */
const THEN = Date.UTC(2026, 0, 5, 15, 10);
const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';
const WHERE = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };

const folder = mkdtempSync(join(tmpdir(), 'backroom-releases-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Picks all units of an order and hands them over. */
async function carryOn(room: Backroom, apikey: string, id: string, pinNumber: string): Promise<void> {
  const headers = { apikey };
  const generated = await room.call({
    method: 'POST',
    path: `${NODE}/pickTicket/generate`,
    headers,
    body: {
      ...WHERE,
      queueId: 'WAITING_FOR_PICK_ISPU',
      userId: 'mara',
      modifyAssociateId: 'mara',
      fulfillmentOrderIds: [id],
    },
  });
  expect(generated.status, generated.text).toBe(201);
  const [ticket] = generated.body.pickTicketDetails;
  const items = ticket.pickTicketItems as { id: number; itemDetails: { itemId: string }; quantity: number }[];
  const confirmed = await room.call({
    method: 'PUT',
    path: `${NODE}/pickTicket/update`,
    headers,
    body: {
      modifyAssociateId: 'mara',
      pickTicketDetails: {
        ...WHERE,
        pickTicketId: ticket.pickTicketId,
        action: 'CONFIRM',
        userId: 'mara',
        holdLocation: 'B7',
        pickTicketItems: items.map(({ id: line, itemDetails: { itemId }, quantity }) => ({
          id: line,
          itemId,
          pickedQuantity: quantity,
          canceledQuantity: 0,
        })),
      },
    },
  });
  expect(confirmed.status, confirmed.text).toBeLessThan(300);
  await handOver(room, apikey, id, pinNumber);
}

async function handOver(room: Backroom, apikey: string, id: string, pinNumber: string): Promise<void> {
  const read = async () =>
    (await room.operator('GET', `/operator/v1/stores/TOWN_US/fulfillmentOrders/${id}`)).body as {
      status: string;
      lines: { webLineId: string; itemId: string; pickedQuantity: number }[];
    };
  const { lines } = await read();
  const hand = (pin: string) =>
    room.call({
      method: 'PUT',
      path: `${NODE}/customerPickUp/confirm`,
      headers: { apikey },
      body: {
        modifyAssociateId: 'bo',
        customerPickUpDetails: {
          ...WHERE,
          fulfillmentOrderId: id,
          pinNumber: pin,
          customerPickUpItems: lines.map(({ webLineId, itemId, pickedQuantity }) => ({
            webLineId,
            itemId,
            customerPickedQuantity: pickedQuantity,
            canceledQuantity: 0,
            backroomPickedQuantity: pickedQuantity,
          })),
        },
      },
    });
  // The old program sealed this PIN.
  expect((await hand('0000')).body).toMatchObject({ code: 'WRONG_PIN' });
  const handed = await hand(pinNumber);
  expect(handed.status, handed.text).toBe(204);
  expect(await read()).toMatchObject({ status: '3800' });
}

/**
 * Expects that doctor finds no error. The finding about durability is ignored, because the server of the tests does not
 * wait for its disk.
 */
async function mustBeSound(env: Record<string, string>): Promise<void> {
  const { out, err } = await perform(doctor, env, ['doctor', '--json']);
  expect(err).toBe('');
  const { findings } = JSON.parse(out) as { findings: { check: string; ok: boolean; found: string }[] };
  expect(findings.length).toBeGreaterThan(10);
  expect(findings.filter(({ ok, check }) => !ok && check !== 'durability')).toEqual([]);
}

describe('every released version', () => {
  it('has its kept database: run `npm run keep-database` before the tag', () => {
    expect(RELEASES).toContain('0.1.0');
    const missing = RELEASES.flatMap((version) =>
      (['db.gz', 'sql.gz', 'db.secret', 'json'] as const)
        .map((end) => kept(version, end))
        .filter((file) => !existsSync(file)),
    );
    expect(missing.map((file) => file.pathname)).toEqual([]);
  });

  it('is in the table of the guide as `migrate` treats it, and in the campaign `upgrade`', async () => {
    const guide = readFileSync(new URL('../../docs/how-to/upgrade.md', import.meta.url), 'utf8');
    const rows = [...guide.matchAll(/^\| (\d+\.\d+\.\d+) \| (\w+) \| (\w+) \|$/gm)].map((row) => row.slice(1));
    const shown: Record<string, string> = {};
    for (const [version = '', ...ways] of rows) shown[version] = ways[ENGINE === 'sqlite' ? 0 : 1]!;
    const told: Record<string, string | null> = {};
    for (const version of RELEASES) {
      const { out } = await perform(migrate, await openKept(version, folder), ['migrate', '--check', '--json']);
      const { how } = JSON.parse(out) as { how: string | null };
      // A release with all migrations needs no upgrade.
      if (how !== null) told[version] = how;
    }
    expect(shown).toMatchObject(told);
    expect(Object.keys(PROGRAMS)).toEqual(expect.arrayContaining(Object.keys(told)));
    expect(RELEASES).toEqual(expect.arrayContaining(Object.keys(shown)));
  });

  it.each(RELEASES)('%s is upgraded, doctor finds nothing, and its orders and shipments go on', async (version) => {
    const env = await openKept(version, folder);
    const before = await perform(migrate, env, ['migrate', '--check', '--json']);
    const { pending } = JSON.parse(before.out) as { pending: unknown[] };
    const migrated = await perform(migrate, env, ['migrate', '--no-backup', '--json']);
    expect(migrated.code, migrated.err).toBe(0);
    expect((JSON.parse(migrated.out) as { applied: unknown[] }).applied).toEqual(pending);
    await mustBeSound(env);

    const { apiKey } = JSON.parse(readFileSync(kept(version, 'json'), 'utf8')) as { apiKey: string };
    const store = await openStore(env['DATABASE_URL']!, { connections: 5 });
    const room = await openBackroom(env, { store, seed: `upgraded from ${version}`, now: THEN });
    try {
      await carryOn(room, apiKey, '100000000103001', '4711');
      await handOver(room, apiKey, 'u-pin', '8462');
      const shipment = '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound/ASN/U-ASN';
      const announced = await room.operator('GET', shipment);
      expect(announced.body).toMatchObject({ state: 'EXPECTED' });
      const received = await room.operator('POST', `${shipment}/receipts`, {
        receiptId: 'dock-1',
        userId: 'ann',
        cartons: [{ cartonId: '00340123450000000018', as: 'GOOD' }],
      });
      expect(received.status, received.text).toBeLessThan(300);
      const events = await room.operator('GET', '/operator/v1/events?clientId=TOWN&limit=500');
      expect(events.status).toBe(200);
    } finally {
      // Closes only the server: the room's `close` would check events of older releases against the present schemas.
      await room.server.close();
    }
    await mustBeSound(env);
  });
});
