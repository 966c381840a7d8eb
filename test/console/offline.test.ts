import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchDevice } from '../../town/console/chromium.ts';
import { killTab } from './support/browser.ts';
import { type Device, type Floor, type Line, openFloor } from './support/harness.ts';
import type { Harness } from './support/harness-page.ts';

declare const harness: Harness;

let floor: Floor;
beforeAll(async () => {
  floor = await openFloor();
});
afterEach(() => floor.proxy.reset());
afterAll(() => floor.close());

const SCANS = /\/scans$/;
const CONFIRM = /PUT .*\/pickTicket\/update$/;
const MUGS = [['MUG-WHT', 6]] as const;
const MANY = [
  ['MUG-WHT', 20],
  ['TEE-BLU-M', 20],
  ['SOAP-LAV', 20],
] as const;

const scanCalls = () => floor.proxy.passed.filter(({ url }) => SCANS.test(url));
const idsIn = (body: string) => (JSON.parse(body) as { scans: { scanId: string }[] }).scans.map(({ scanId }) => scanId);

/**
 * Checks the end state of every test: the service has each scan once and in the original order, and its counts match
 * the device.
 */
async function expectConserved(device: Device, ticket: string, scans: readonly string[]): Promise<void> {
  const rows = await floor.rows(ticket);
  expect(rows.scans).toEqual(scans);
  expect(await device.shown(ticket)).toEqual(rows.counted);
  for (const [item, picked, canceled] of rows.counted) {
    const quantity = rows.items.find(([id]) => id === item)![1];
    expect(picked + canceled, `units of item ${item}`).toBeLessThanOrEqual(quantity);
  }
}

/** Checks a ticket after CONFIRM: the found and declined units add up to the ordered units and match the device. */
async function expectClosed(ticket: string, items: readonly (readonly [number, number, number])[]): Promise<void> {
  const rows = await floor.rows(ticket);
  expect(rows).toMatchObject({ status: 'CLOSED', outcome: 'CONFIRMED' });
  expect(rows.items.map(([id, , picked, canceled]) => [id, picked, canceled])).toEqual(items);
  const { ordered, picked, declined } = rows.units;
  expect(picked + declined).toBe(ordered);
}

async function ready(user: string, lines: readonly Line[] = MUGS) {
  const ticket = await floor.ticket(user, lines);
  const device = await floor.device(user);
  await device.load(ticket);
  return { ticket, device };
}

/** Ends the connection to the database, as a browser does in the background. */
async function endConnection({ page }: Device): Promise<void> {
  await page.evaluate(() =>
    harness.outbox.withDatabase(async (database) => {
      database.close();
      database.dispatchEvent(new Event('close'));
    }),
  );
}

/** Stores a receipt of the shipment NO-FILE, then makes the outbox act as if the file of a kind could not be loaded. */
async function receiveWithout(kind: 'inbound' | 'ticket', { page }: Device): Promise<void> {
  await page.evaluate(async (lost) => {
    const at = { clientId: 'TOWN', nodeId: 'TOWN-Store001', type: 'ASN' as const, sellerId: 'TOWNS', id: 'NO-FILE' };
    const lines = [{ itemId: 'mug', clientItemId: 'mug', lineNumbers: [], good: 1, damaged: 0, refused: 0 }];
    const subject = { kind: 'inbound' as const, ...at, part: 'item mug' };
    await harness.outbox.add({ kind: 'receive', subject, at: 0, lines });
    harness.loseFile(lost);
  }, kind);
}

describe('the outbox', () => {
  it('keeps a scan before it counts, shows it at once, and sends it', async () => {
    const { ticket, device } = await ready('mara');
    const scanId = await device.scan(ticket, 1);
    expect(await device.shown(ticket)).toEqual([[1, 1, 0]]);
    await device.sent();
    await expectConserved(device, ticket, [scanId]);
    expect(await floor.rows(ticket)).toMatchObject({ counted: [[1, 1, 0]], user: 'mara' });
    expect(await device.sync()).toBe('SENT');
  });

  it('takes scans back, sent or not, and finds one that is missing', async () => {
    const { ticket, device } = await ready('mara');
    const first = await device.scan(ticket, 1);
    await device.sent();
    const plug = floor.proxy.unplug();
    const second = await device.scan(ticket, 1, 2);
    const third = await device.undo(ticket, first, 1);
    const fourth = await device.undo(ticket, second, 1, 2);
    const fifth = await device.scan(ticket, 1, 0, 1);
    expect(await device.shown(ticket)).toEqual([[1, 0, 1]]);
    expect((await device.view(ticket))?.scans.map(({ scanId }) => scanId)).toEqual([fifth]);
    plug();
    await device.flush();
    await device.sent();
    await expectConserved(device, ticket, [first, second, third, fourth, fifth]);
  });

  it('reads a ticket once for all calls that wait for the same read', async () => {
    const { ticket, device } = await ready('mara');
    const kept = (await device.view(ticket))!.ticket;
    const subject = { kind: 'ticket' as const, storeId: 'TOWN_US', nodeId: 'TOWN-Store001', id: ticket };
    const reads = await device.page.evaluate(
      async ([subject, kept]) => {
        const { promise, resolve } = Promise.withResolvers<undefined>();
        const began = Promise.withResolvers<undefined>();
        let count = 0;
        const read = () =>
          harness.outbox.snapshot.refreshTicket(subject, async () => {
            count += 1;
            began.resolve(undefined);
            await promise;
            return kept;
          });
        const first = read();
        await began.promise;
        const others = [read(), read(), read()];
        resolve(undefined);
        await Promise.all([first, ...others]);
        return count;
      },
      [subject, kept] as const,
    );
    expect(reads).toBe(2);
  });

  it('sends up to 500 scans in one call, and a CONFIRM after them', async () => {
    const { ticket, device } = await ready('mara', [['MUG-WHT', 600]]);
    const plug = floor.proxy.unplug();
    const subject = { kind: 'ticket' as const, storeId: 'TOWN_US', nodeId: 'TOWN-Store001', id: ticket };
    const scans = await device.page.evaluate(async (subject) => {
      const { outbox } = harness;
      const all = Array.from({ length: 600 }, () =>
        outbox.add({ kind: 'scan', subject, item: 1, picked: 1, canceled: 0 }),
      );
      return Promise.all<string>(all);
    }, subject);
    await device.confirm(ticket);
    const before = scanCalls().length;
    plug();
    await device.flush();
    await device.sent();
    const calls = scanCalls().slice(before);
    expect(calls.map(({ body }) => idsIn(body).length)).toEqual([500, 100]);
    await expectConserved(device, ticket, scans);
    await expectClosed(ticket, [[1, 600, 0]]);
  });

  it('sends the undo of a receipt whose response arrived after the screen checked', async () => {
    const { device } = await ready('mara');
    const plug = floor.proxy.unplug();
    const kinds = await device.page.evaluate(async () => {
      const { outbox } = harness;
      const names = { clientId: 'TOWN', nodeId: 'TOWN-Store001', type: 'ASN' as const, sellerId: 'TOWNS', id: 'LATE' };
      const subject = { kind: 'inbound' as const, ...names };
      const part = 'carton C1';
      const undo = (undoes: string) =>
        outbox.add({ kind: 'unreceive', subject: { ...subject, part }, at: 0, undoes, of: [], isKnown: false });
      const shipment = { receipts: [{ receiptId: 'r1', lines: [{ cartonId: 'C1', itemId: 'mug', good: 1 }] }] };
      await outbox.snapshot.refreshInbound(subject, () => Promise.resolve(shipment as never));
      await undo('r1');
      await undo('r2');
      return outbox.snapshot.inbound(subject)!.commands.map(({ wire }) => wire.kind);
    });
    expect(kinds).toEqual(['request', 'later']);
    plug();
  });

  it('sets aside at the start the undo of a receipt that was given up, of every user', async () => {
    const { device } = await ready('mara');
    floor.proxy.always(/^(POST|PUT) /, { kind: 'drop' });
    await device.page.evaluate(async () => {
      const { outbox } = harness;
      const part = 'carton C1';
      const at = { clientId: 'TOWN', nodeId: 'TOWN-Store001', id: 'OLD', part };
      const shipment = { kind: 'inbound' as const, ...at, type: 'ASN' as const, sellerId: 'TOWNS' };
      const back = { kind: 'return' as const, ...at, storeId: 'TOWN_US' };
      const lines = [
        { cartonId: 'C1', itemId: 'mug', clientItemId: 'mug', lineNumbers: [], good: 1, damaged: 0, refused: 0 },
      ];
      const receipt = await outbox.add({ kind: 'receive', subject: shipment, at: 0, lines });
      for (const undoes of [receipt, 'given-up']) {
        await outbox.add({ kind: 'unreceive', subject: shipment, at: 0, undoes, of: [], isKnown: false });
      }
      const undo = { kind: 'unreceiveReturn' as const, undoes: 'given-up', of: [], isKnown: false };
      await outbox.add({ ...undo, subject: back, returnId: 'R1', at: 0 });
    });
    expect(await device.waiting()).toBe(4);
    await device.as('noor');
    await device.page.reload();
    const again = await floor.again({ ...device, owner: { ...device.owner, userId: 'noor' } });
    await again.as('mara');
    // The undo of the waiting receipt remains.
    await expect.poll(() => again.page.evaluate(() => harness.outbox.ownWaiting.value)).toBe(2);
    const { setAside } = JSON.parse(await again.page.evaluate(() => harness.unsentText()));
    expect(setAside).toMatchObject([{ command: { undoes: 'given-up' } }, { command: { undoes: 'given-up' } }]);
  });

  it('keeps the order of a ticket when its first request fails, and does not block other tickets after a rejected request', async () => {
    const { ticket, device } = await ready('mara');
    const other = await floor.ticket('mara', MUGS);
    await device.load(other);
    floor.proxy.next(SCANS, {
      kind: 'refuse',
      status: 409,
      body: { code: 'CONFLICT', description: 'somebody has it', userId: 'noor' },
    });
    await device.scan(ticket, 1);
    await device.page.waitForFunction(() => harness.outbox.conflicts.value.length === 1);
    await device.scan(ticket, 1);
    const scanId = await device.scan(other, 1);
    await floor.proxy.seen(({ body }) => body.includes(scanId));
    await expect.poll(() => device.waiting()).toBe(2);
    expect(await device.conflicts()).toMatchObject([
      { code: 'CONFLICT', description: 'somebody has it', holder: 'noor' },
    ]);
    expect((await floor.rows(ticket)).scans).toEqual([]);
    await expectConserved(device, other, [scanId]);
    const lane = (await device.conflicts())[0]!.lane;
    await device.page.evaluate((one) => harness.sendAgain(one), lane);
    await device.sent();
    expect((await floor.rows(ticket)).scans).toHaveLength(2);
  });
});

describe('a long walk without the network', () => {
  it('30 lines and 60 units, with two reloads and a killed tab: every unit is there once, and goes by itself when the network is back', async () => {
    const lines = Array.from({ length: 30 }, (_, index): Line => ['MUG-WHT', 2, 5 + index]);
    const { ticket, device } = await ready('mara', lines);
    const away = floor.proxy.always(/^(POST|PUT) /, { kind: 'drop' });
    const scans: string[] = [];
    let at = device;
    for (let unit = 0; unit < 60; unit += 1) {
      if (unit === 15 || unit === 30) {
        await at.page.reload();
        at = await floor.again(at);
      }
      if (unit === 45) {
        await killTab(at.page);
        at = await floor.device('mara', { context: device.page.context() });
      }
      scans.push(await at.scan(ticket, (unit % 30) + 1));
    }
    const all = lines.map((_, index) => [index + 1, 2, 0] as const);
    await expect.poll(() => at.shown(ticket)).toEqual(all);
    await at.confirm(ticket);
    away();
    await at.page.evaluate(() => dispatchEvent(new Event('online')));
    await at.sent();
    await expectConserved(at, ticket, scans);
    await expectClosed(ticket, all);
  });
});

describe('what went wrong in others', () => {
  it('a key made but not sent: a CONFIRM carries its id as Idempotency-Key, the same with every try', async () => {
    const { ticket, device } = await ready('mara');
    await device.scan(ticket, 1, 6);
    await device.sent();
    floor.proxy.next(CONFIRM, { kind: 'drop' });
    floor.proxy.next(CONFIRM, { kind: 'refuse', status: 503, retryAfter: 1 });
    const id = await device.confirm(ticket);
    await device.drained();
    const tries = floor.proxy.passed.filter(({ method, url }) => CONFIRM.test(`${method} ${url}`)).slice(-3);
    expect(tries.map(({ headers }) => headers['idempotency-key'])).toEqual([id, id, id]);
    expect(new Set(tries.map(({ body }) => body)).size).toBe(1);
    await expectClosed(ticket, [[1, 6, 0]]);
  });

  it('a clock that is set back during the pause after a rejected request: the pause is no longer', async () => {
    const { ticket, device } = await ready('mara');
    floor.proxy.next(SCANS, { kind: 'refuse', status: 503, retryAfter: 1 });
    const scans = [await device.scan(ticket, 1)];
    await floor.proxy.seen(({ body, status }) => body.includes(scans[0]!) && status === 503);
    await device.page.evaluate(() => {
      const now = Date.now;
      Date.now = () => now() - 3 * 3_600_000;
    });
    await device.flush();
    await device.sent();
    await expectConserved(device, ticket, scans);
  });

  it('after a response cut after the commit nothing is counted twice, and a CONFIRM that closed the ticket is no conflict', async () => {
    const { ticket, device } = await ready('mara');
    floor.proxy.next(SCANS, { kind: 'cut' });
    const scans = [await device.scan(ticket, 1, 2)];
    await floor.proxy.seen(({ body }) => body.includes(scans[0]!));
    expect(await device.waiting()).toBe(1);
    expect(await device.shown(ticket)).toEqual([[1, 2, 0]]);
    // The content from the service already includes the waiting scan, so the device must not count the scan a second
    // time.
    await device.load(ticket).catch(() => undefined);
    expect(await device.shown(ticket)).toEqual([[1, 2, 0]]);
    await device.drained();
    scans.push(await device.scan(ticket, 1, 4));
    await device.sent();
    await expectConserved(device, ticket, scans);
    floor.proxy.next(CONFIRM, { kind: 'cut' });
    await device.confirm(ticket);
    await device.drained();
    expect(await device.conflicts()).toEqual([]);
    await expectClosed(ticket, [[1, 6, 0]]);
  });

  it('401 that parks for ever: what waits is kept, the page is told once, and goes after the next sign-in', async () => {
    const { ticket, device } = await ready('mara');
    const stop = floor.proxy.always(SCANS, { kind: 'refuse', status: 401, body: { code: 'SESSION_LOCKED' } });
    const scans = [await device.scan(ticket, 1)];
    await expect.poll(() => device.sync()).toBe('SIGN_IN');
    scans.push(await device.scan(ticket, 1));
    expect(await device.page.evaluate(() => harness.told)).toContain('signed out SESSION_LOCKED');
    await device.as(undefined);
    stop();
    const noor = floor.proxy.passed.length;
    await device.as('noor');
    await device.flush();
    expect(scanCalls().filter((one) => floor.proxy.passed.indexOf(one) >= noor)).toEqual([]);
    expect(await device.waiting()).toBe(0);
    expect(await device.page.evaluate(() => harness.outbox.left.value.length)).toBe(2);
    await device.as('mara');
    await device.sent();
    await expectConserved(device, ticket, scans);
  });

  it('the next person: work that waits goes under the name of who did it, with their ticket', async () => {
    const ticket = await floor.ticket('mara', MUGS);
    const device = await floor.device('mara', { ticket: 'ticket-of-mara' });
    await device.load(ticket);
    const plug = floor.proxy.unplug();
    const scans = [await device.scan(ticket, 1), await device.scan(ticket, 1)];
    await device.as('noor', 'ticket-of-noor');
    plug();
    await device.flush();
    await device.sent();
    const call = scanCalls().at(-1)!;
    expect(call.headers['outbox-ticket']).toBe('ticket-of-mara');
    expect(JSON.parse(call.body)).toMatchObject({ userId: 'mara' });
    expect((await floor.rows(ticket)).scans).toEqual(scans);
    expect(await device.view(ticket)).toBeUndefined();
  });

  it('a drop during sync that forgets the rest: all of it arrives, in order', async () => {
    const { ticket, device } = await ready('mara', MANY);
    const plug = floor.proxy.unplug();
    const scans: string[] = [];
    for (let n = 0; n < 30; n += 1) scans.push(await device.scan(ticket, (n % 3) + 1));
    plug();
    // The response of the first call is cut after the commit, the second call is dropped, the third gets 429.
    floor.proxy.next(SCANS, { kind: 'cut' });
    floor.proxy.next(SCANS, { kind: 'drop' });
    floor.proxy.next(SCANS, { kind: 'refuse', status: 429, retryAfter: 1 });
    await device.flush();
    for (let n = 0; n < 6; n += 1) scans.push(await device.scan(ticket, (n % 3) + 1));
    await device.drained();
    await expectConserved(device, ticket, scans);
    expect(await device.shown(ticket)).toEqual([
      [1, 12, 0],
      [2, 12, 0],
      [3, 12, 0],
    ]);
  });

  it('two tabs that duplicate: one of them sends, both show the same', async () => {
    const { ticket, device } = await ready('mara', MANY);
    const second = await floor.device('mara', { context: device.page.context() });
    const plug = floor.proxy.unplug();
    const scans: string[] = [];
    for (let n = 0; n < 10; n += 1) scans.push(await (n % 2 === 0 ? device : second).scan(ticket, 1));
    const all = [
      [1, 10, 0],
      [2, 0, 0],
      [3, 0, 0],
    ];
    await expect.poll(() => device.shown(ticket)).toEqual(all);
    await expect.poll(() => second.shown(ticket)).toEqual(all);
    const before = scanCalls().length;
    plug();
    await Promise.all([device.flush(), second.flush()]);
    await Promise.all([device.sent(), second.sent()]);
    const sent = scanCalls()
      .slice(before)
      .flatMap(({ body }) => idsIn(body));
    expect(sent).toEqual(scans);
    await expectConserved(device, ticket, scans);
    await expect
      .poll(() => second.shown(ticket))
      .toEqual([
        [1, 10, 0],
        [2, 0, 0],
        [3, 0, 0],
      ]);
  });

  it('a browser that ends the connection to the database: the device opens it again, counts and sends', async () => {
    const { ticket, device } = await ready('mara');
    const scans = [await device.scan(ticket, 1)];
    await device.page.evaluate(() =>
      harness.outbox.withDatabase(async (database) => {
        database.close();
        database.dispatchEvent(new Event('close'));
      }),
    );
    scans.push(await device.scan(ticket, 1));
    await device.sent();
    await expectConserved(device, ticket, scans);
  });

  it('a browser that ends each connection to the database: the device stops and says that it stores nothing', async () => {
    const { device } = await ready('mara');
    for (let n = 0; n < 4; n += 1) {
      expect(await device.sync()).toBe('SENT');
      await endConnection(device);
    }
    expect(await device.sync()).toBe('NO_STORAGE');
  });

  it('a full disk: the device says that it stores nothing, and sends when there is space, also if its connection ended', async () => {
    const { ticket, device } = await ready('mara');
    const plug = floor.proxy.unplug();
    const scanId = await device.scan(ticket, 1);
    await device.page.evaluate(() => {
      const put = Object.getOwnPropertyDescriptor(IDBObjectStore.prototype, 'put')!;
      harness.freeDisk = () => {
        Object.defineProperty(IDBObjectStore.prototype, 'put', put);
      };
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('the disk is full', 'QuotaExceededError');
      };
    });
    plug();
    await device.flush();
    expect(await device.sync()).toBe('NO_STORAGE');
    expect(await device.waiting()).toBe(1);
    await endConnection(device);
    await device.page.evaluate(() => harness.freeDisk?.());
    await device.flush();
    await device.sent();
    expect(await device.sync()).toBe('SENT');
    await expectConserved(device, ticket, [scanId]);
  });

  it('a file that cannot be loaded: the commands that need it wait unsent, and other work is sent', async () => {
    const { ticket, device } = await ready('mara');
    const plug = floor.proxy.unplug();
    await receiveWithout('inbound', device);
    const scanId = await device.scan(ticket, 1);
    plug();
    await device.flush();
    await expect.poll(() => device.waiting()).toBe(1);
    await expectConserved(device, ticket, [scanId]);
    expect(floor.proxy.passed.filter(({ url }) => url.includes('NO-FILE'))).toEqual([]);
  });

  it('a file that cannot be loaded: no command is sent without the file that stores a rejection', async () => {
    const { device } = await ready('mara');
    const plug = floor.proxy.unplug();
    await receiveWithout('ticket', device);
    plug();
    await device.flush();
    expect(await device.waiting()).toBe(1);
    expect(floor.proxy.passed.filter(({ url }) => url.includes('NO-FILE'))).toEqual([]);
  });

  it('a tab whose last request failed is not offline after another tab has sent everything', async () => {
    const { ticket, device } = await ready('mara');
    const second = await floor.device('mara', { context: device.page.context() });
    const free = floor.proxy.always(SCANS, { kind: 'drop' });
    const scans = [await device.scan(ticket, 1)];
    await expect.poll(() => device.sync()).toBe('OFFLINE');
    free();
    await second.flush();
    await device.sent();
    expect(await device.sync()).toBe('SENT');
    await expectConserved(device, ticket, scans);
  });

  it('a server push over unsent work: what the service says never takes a scan away, and never shows one twice', async () => {
    const { ticket, device } = await ready('mara');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // The first scan is in flight while the device reads the ticket again.
    floor.proxy.next(SCANS, { kind: 'hold', until: held });
    const scans = [await device.scan(ticket, 1)];
    const read = device.load(ticket);
    scans.push(await device.scan(ticket, 1));
    expect(await device.shown(ticket)).toEqual([[1, 2, 0]]);
    release();
    await read;
    expect(await device.shown(ticket)).toEqual([[1, 2, 0]]);
    const plug = floor.proxy.unplug();
    scans.push(await device.scan(ticket, 1));
    await device.load(ticket).catch(() => undefined);
    expect(await device.shown(ticket)).toEqual([[1, 3, 0]]);
    plug();
    await device.flush();
    await device.load(ticket);
    await device.sent();
    await expectConserved(device, ticket, scans);
  });

  it('a killed tab: what was scanned is there in the next one, also what was on its way', async () => {
    const { ticket, device } = await ready('mara');
    const stuck = floor.proxy.always(SCANS, { kind: 'hold', until: new Promise(() => {}) });
    const scans = [await device.scan(ticket, 1), await device.scan(ticket, 1)];
    await killTab(device.page);
    stuck();
    const next = await floor.device('mara', { context: device.page.context() });
    await next.sent();
    await expectConserved(next, ticket, scans);
  });

  it('a browser that dies with the network away loses nothing that was acknowledged', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'backroom-profile-'));
    try {
      const ticket = await floor.ticket('mara', MUGS);
      const first = await launchDevice(folder);
      const device = await floor.device('mara', { context: first.context });
      await device.load(ticket);
      const plug = floor.proxy.unplug();
      const scans = [await device.scan(ticket, 1), await device.scan(ticket, 1, 3)];
      await first.kill();
      plug();
      const second = await launchDevice(folder);
      const next = await floor.device('mara', { context: second.context });
      await next.sent();
      await expectConserved(next, ticket, scans);
      await second.kill();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('another database: every page and tab has the one of its service, and nothing else has any', async () => {
    const { device } = await ready('mara');
    await floor.device('mara', { context: device.page.context() });
    const names = await device.page.evaluate(async () =>
      (await indexedDB.databases()).map(({ name, version }) => [name, version]),
    );
    expect(names).toEqual([['backroom /', 1]]);
  });

  it('two devices with 50 receipts of a return of 40 units: each unit counts once, and each that is too many is one conflict', async () => {
    const returnId = await announced(40);
    const devices = [await floor.device('mara'), await floor.device('leo')];
    const plug = floor.proxy.unplug();
    for (const { page } of devices) await page.evaluate(receive25, returnId);
    expect(await Promise.all(devices.map((device) => device.waiting()))).toEqual([25, 25]);
    plug();
    const conflicts = async () => {
      // `flush` skips the pauses between attempts.
      await Promise.all(devices.map((device) => device.flush()));
      return (await Promise.all(devices.map((device) => device.conflicts()))).flat();
    };
    await expect.poll(async () => (await conflicts()).length, { timeout: 60_000 }).toBe(10);
    const { body } = await floor.town.client.get('/operator/v1/stores/TOWN_US/returns/R-40');
    expect(body.totals).toMatchObject({ requested: 40, sellable: 40, over: 0, open: 0 });
    const received = body.receipts.map(({ receiptId }: { receiptId: string }) => receiptId);
    const rejected = await conflicts();
    expect(rejected.map(({ code, commands }) => [code, commands.length])).toEqual(
      Array.from({ length: 10 }, () => ['UNANNOUNCED', 1]),
    );
    // Every receipt of both devices is either booked or a conflict.
    expect(new Set([...received, ...rejected.flatMap(({ commands }) => commands)]).size).toBe(50);
  });
});

/** Picks and hands over an order of mugs and announces a return of all its units; returns the id of the return. */
async function announced(units: number): Promise<string> {
  const ticket = await floor.ticket('mara', [['MUG-WHT', units]]);
  const picking = await floor.device('mara');
  await picking.load(ticket);
  await picking.scan(ticket, 1, units);
  await picking.confirm(ticket);
  await picking.sent();
  const { fulfillment_order_id: fulfillmentOrderId } = await floor.town.store.read((db) =>
    db
      .selectFrom('pick_ticket_lines')
      .select('fulfillment_order_id')
      .where('client_id', '=', 'TOWN')
      .where('pick_ticket_id', '=', ticket)
      .executeTakeFirstOrThrow(),
  );
  const { client } = floor.town;
  const customerPickUpItems = [{ webLineId: '1', itemId: '21-MUG-WHT', customerPickedQuantity: units }];
  const handed = await client.put('/stores/TOWN_US/nodes/TOWN-Store001/customerPickUp/confirm', {
    modifyAssociateId: 'mara',
    customerPickUpDetails: {
      ...{ storeId: 'TOWN_US', nodeId: 'TOWN-Store001', fulfillmentOrderId },
      customerPickUpItems: customerPickUpItems.map((one) => ({ ...one, backroomPickedQuantity: units })),
    },
  });
  expect(handed.status, handed.text).toBeLessThan(300);
  const lines = [{ fulfillmentOrderId, webLineId: '1', quantity: units }];
  const made = await client.post('/operator/v1/stores/TOWN_US/returns', { number: `R-${units}`, lines });
  expect(made.status, made.text).toBe(201);
  return made.body.returnId;
}

/** Receives 25 units with one receipt each. Runs in the page. */
async function receive25(returnId: string): Promise<void> {
  const of = { kind: 'return' as const, clientId: 'TOWN', nodeId: 'TOWN-Store001', storeId: 'TOWN_US', id: 'R-40' };
  for (let unit = 0; unit < 25; unit++) {
    await harness.outbox.add({
      kind: 'receiveReturn',
      subject: { ...of, part: String(unit) },
      returnId,
      at: Date.UTC(2026, 2, 2, 12),
      lines: [{ position: 1, itemId: '21-MUG-WHT', quantity: 1, condition: 'GOOD', disposition: 'SHELF' }],
    });
  }
}
