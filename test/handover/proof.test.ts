import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anonymizeOrder } from '../../src/orders/anonymize.ts';
import { findOrdersOfPerson, personOf } from '../../src/orders/person.ts';
import { createSealer } from '../../src/platform/secrets.ts';
import { DAY_MS } from '../../src/platform/time.ts';
import { systemCtx } from '../orders/flow.ts';
import { type Counter, item, openCounter } from './counter.ts';

/** The key of every test installation. */
const sealer = createSealer(Buffer.from('ab'.repeat(32), 'hex'));

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]).toString('base64');
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 4, 5]).toString('base64');
const SIGNATURE = { kind: 'SIGNATURE', mediaType: 'image/png', data: PNG };
const PHOTO = { kind: 'PHOTO', mediaType: 'image/jpeg', data: JPEG };
const path = (id: string, handOverId: string) =>
  `/operator/v1/stores/S1/fulfillmentOrders/${id}/handOvers/${handOverId}/proof`;

let counter: Counter;
beforeEach(async () => {
  counter = await openCounter();
});
afterEach(() => counter.close());

const read = (id: string, handOverId: string, apiKey = counter.keys.all) =>
  counter.call({ method: 'GET', path: path(id, handOverId), headers: { apiKey } });
const at = (answer: { body: unknown }) => JSON.stringify(answer.body);

describe('a proof of a hand-over', () => {
  it('is required where the client asks for it, and only for units that are handed over', async () => {
    await counter.settings({ handOverProof: 'SIGNATURE' });
    await counter.ready('1');
    const without = await counter.hand('1', [item('1', 1)], { handOverId: 'h1' });
    expect([without.status, at(without)]).toEqual([400, expect.stringContaining('/customerPickUpDetails/proof')]);
    expect((await counter.hand('1', [item('1', 0, 1)], { handOverId: 'h2' })).status).toBe(204);
    expect((await counter.hand('1', [item('1', 1)], { handOverId: 'h3', proof: SIGNATURE })).status).toBe(204);
  });

  it('of another kind, that is no picture, or that the client does not ask for is rejected', async () => {
    await counter.ready('1');
    const send = (proof: object) => counter.hand('1', [item('1', 1)], { handOverId: 'h1', proof });
    expect((await send(SIGNATURE)).status).toBe(400);
    await counter.settings({ handOverProof: 'PHOTO' });
    for (const wrong of [
      SIGNATURE,
      { ...PHOTO, data: PNG },
      { ...PHOTO, data: 'not base64' },
      { ...PHOTO, data: `${JPEG}A` },
      { ...PHOTO, mediaType: 'image/gif' },
    ]) {
      const answer = await send(wrong);
      expect([wrong, answer.status]).toEqual([wrong, 400]);
      expect(at(answer)).not.toContain(wrong.data);
    }
    expect((await send(PHOTO)).status).toBe(204);
  });

  it('has at most 75,000 bytes', async () => {
    await counter.settings({ handOverProof: 'ANY' });
    await counter.ready('1');
    const picture = (size: number) => {
      const bytes = Buffer.alloc(size, 7);
      Buffer.from(JPEG, 'base64').copy(bytes);
      return { ...PHOTO, data: bytes.toString('base64') };
    };
    const send = (size: number) => counter.hand('1', [item('1', 1)], { handOverId: 'h1', proof: picture(size) });
    expect((await send(75_001)).status).toBe(400);
    const largest = await send(75_000);
    expect(largest.status, largest.text.slice(0, 400)).toBe(204);
    const { body } = await read('1', 'h1');
    expect(Buffer.from((body as { data: string }).data, 'base64').length).toBe(75_000);
  });

  it('is stored sealed, told in the event by its kind only, and a retry with another one is a conflict', async () => {
    await counter.settings({ handOverProof: 'ANY' });
    await counter.ready('1');
    const hand = (proof: object) => counter.hand('1', [item('1', 1)], { handOverId: 'h1', proof });
    expect((await hand(SIGNATURE)).status).toBe(204);
    expect((await hand(SIGNATURE)).status).toBe(204);
    expect((await hand(PHOTO)).status).toBe(409);
    const [row] = await counter.handOvers('1');
    expect(row).toMatchObject({ proof_kind: 'SIGNATURE', proof_type: 'image/png' });
    expect(JSON.stringify(row)).not.toContain(PNG);
    const told = (await counter.events('1')).find(({ type }) => type === 'order.handedOver')!;
    expect(told.data).toMatchObject({ handOverId: 'h1', proof: 'SIGNATURE' });
    expect(JSON.stringify(told)).not.toContain(PNG);
  });

  it('is read with its own permission and noted in the access log', async () => {
    await counter.settings({ handOverProof: 'ANY' });
    await counter.ready('1');
    await counter.hand('1', [item('1', 1)], { handOverId: 'h1', proof: SIGNATURE });
    const { status, body } = await read('1', 'h1');
    expect([status, body]).toEqual([200, { handOverId: 'h1', at: expect.any(String), ...SIGNATURE }]);
    expect((await read('1', 'h2')).status).toBe(404);
    const log = await counter.operator('GET', '/operator/v1/clients/C1/accessEvents');
    const reads = (log.body as { events: { type: string; data: { operation?: string } }[] }).events.filter(
      ({ type, data }) => type === 'orders.read' && data.operation === 'readHandOverProof',
    );
    expect(reads.length).toBe(1);
  });

  it('is in the export of a person, and is gone when the customer’s data is anonymized', async () => {
    await counter.settings({ handOverProof: 'ANY' });
    await counter.ready('1');
    await counter.hand('1', [item('1', 1)], { handOverId: 'h1', proof: SIGNATURE });
    const order = await counter.row('1');
    const { store } = counter;
    const person = () =>
      store.read(async (db) => personOf(db, sealer, await findOrdersOfPerson(db, order.client_id, order.web_order_id)));
    expect(JSON.stringify(await person())).toContain(PNG);
    await store.write((tx) => anonymizeOrder(systemCtx(counter as never, tx), order));
    expect(JSON.stringify(await person())).not.toContain(PNG);
    expect((await read('1', 'h1')).status).toBe(404);
    expect((await counter.handOvers('1'))[0]).toMatchObject({
      proof_kind: null,
      proof_cipher: null,
      content_hash: '-',
    });
  });

  it('of an order whose customer was forgotten before the hand-over is deleted a day after the end of the order', async () => {
    await counter.settings({ handOverProof: 'ANY' });
    await counter.ready('1');
    const { store } = counter;
    const order = await counter.row('1');
    await store.write((tx) => anonymizeOrder(systemCtx(counter as never, tx), order));
    const verified = { proof: SIGNATURE, verificationMethod: 'PHOTO_ID' };
    expect((await counter.hand('1', [item('1', 3)], { handOverId: 'h1', ...verified })).status).toBe(204);
    await counter.server.runDue();
    expect((await read('1', 'h1')).status).toBe(200);
    expect((await counter.hand('1', [item('2', 2)], { handOverId: 'h2', ...verified })).status).toBe(204);
    counter.clock.now += DAY_MS - 1;
    await counter.server.runDue();
    const retry = await counter.hand('1', [item('2', 2)], { handOverId: 'h2', ...verified });
    expect(retry.status, retry.text).toBe(204);
    counter.clock.now += 1;
    await counter.server.runDue();
    expect(await counter.handOvers('1')).toMatchObject([
      { hand_over_id: 'h1', verification_method: null, proof_kind: null, proof_cipher: null },
      { hand_over_id: 'h2', verification_method: null, proof_kind: null, proof_cipher: null },
    ]);
    expect((await read('1', 'h2')).status).toBe(404);
    const { ended_at, due_at } = await counter.row('1');
    expect([ended_at, due_at]).toEqual([expect.any(Number), null]);
    const revision = (await counter.row('1')).revision;
    await counter.server.runDue();
    expect((await counter.row('1')).revision).toBe(revision);
  });
});
