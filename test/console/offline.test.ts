import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Floor, openFloor } from './support/harness.ts';

let floor: Floor;
beforeAll(async () => {
  floor = await openFloor();
});
afterAll(() => floor.close());

const MUGS = [['MUG-WHT', 6]] as const;

describe('the outbox', () => {
  it('keeps a scan before it counts, shows it at once, and sends it', async () => {
    const ticket = await floor.ticket('mara', MUGS);
    const device = await floor.device('mara');
    await device.load(ticket);
    const scanId = await device.scan(ticket, 1);
    expect(await device.shown(ticket)).toEqual([[1, 1, 0]]);
    await device.sent();
    expect(await floor.rows(ticket)).toMatchObject({ scans: [scanId], counted: [[1, 1, 0]], user: 'mara' });
    expect(await device.shown(ticket)).toEqual([[1, 1, 0]]);
    expect(await device.sync()).toBe('SENT');
  });
});
