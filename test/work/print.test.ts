import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { printerGateOf } from '../../src/platform/http/gate.ts';
import { sendToPrinter } from '../../src/platform/printer.ts';
import { OutcomeUnknown, StorageUnavailable } from '../../src/platform/storage/errors.ts';
import { accessTypes, NODE, said } from '../people/support.ts';
import { type OpenTown, openTown } from '../support/town.ts';

/** A label printer on loopback. It accepts jobs as the raw port of a real printer does. */
interface Printer {
  port: number;
  jobs: string[];
  close: () => Promise<void>;
}

const open = new Set<Server>();

async function openPrinter(take?: (socket: Socket) => void): Promise<Printer> {
  const jobs: string[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    if (take !== undefined) {
      take(socket);
      return;
    }
    const parts: Buffer[] = [];
    socket.on('data', (part) => parts.push(part));
    socket.on('end', () => {
      jobs.push(Buffer.concat(parts).toString('utf8'));
      socket.end();
    });
  });
  open.add(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port: (server.address() as AddressInfo).port, jobs, close };
}

const LABEL =
  '^XA\n^CI28\n^PW400\n^LL240\n^FO20,20^A0N,40,40^FB360,1,0,C^FH_^FDGröße _5E 42^FS\n^FO20,80^GB3,80,3^FS\n^PQ1\n^XZ\n';

let town: OpenTown;
beforeEach(async () => {
  town = await openTown({ env: { PRINTER_ALLOW: 'loopback' } });
});
afterEach(async () => {
  await town.close();
  for (const server of open) server.close();
  open.clear();
});

const named = (printer: Partial<Record<string, unknown>>) =>
  town.operator('PUT', `${NODE}/printers`, {
    printers: [{ printerId: 'desk', name: 'Packing desk', host: '127.0.0.1', dpi: 203, ...printer }],
  });
const job = (more: object = {}) => ({ printId: 'p-1', userId: 'ana', printerId: 'desk', zpl: LABEL, ...more });
const print = (more: object = {}) => town.client.post(`${NODE}/print`, job(more));

describe('label printers of a node', () => {
  it('are configured by the operator, and shown to associates of the node without their address', async () => {
    const printers = [
      { printerId: 'desk', name: 'Packing desk', host: '192.168.20.7', port: 9100, dpi: 203, kind: 'ZPL' },
      { printerId: 'back', name: 'Back room', host: 'zebra-2.store.example', port: 6101, dpi: 300, kind: 'ZPL' },
    ];
    const put = await town.operator('PUT', `${NODE}/printers`, { printers });
    expect([put.status, put.body]).toEqual([200, { printers }]);
    const changes = async () => (await accessTypes(town)).filter((type) => type === 'node.printersChanged').length;
    expect(await changes()).toBe(1);
    const same = await town.operator('PUT', `${NODE}/printers`, { printers });
    expect([same.status, same.body, await changes()]).toEqual([200, { printers }, 1]);
    expect((await town.operator('GET', `${NODE}/printers`)).body).toEqual({ printers });
    const shown = { printers: printers.map(({ host: _host, port: _port, ...one }) => one) };
    expect((await town.client.get(`${NODE}/printers`)).body).toEqual(shown);
    expect((await (await town.signIn('associate')).get(`${NODE}/printers`)).body).toEqual(shown);
    expect((await (await town.signIn('operator')).get(`${NODE}/printers`)).body).toEqual({ printers });
    expect(said(await (await town.signIn('manager')).put(`${NODE}/printers`, { printers }))).toEqual([
      403,
      'ACCESS_DENIED',
    ]);
  });

  it.each(['8.8.8.8', '169.254.169.254', '0.0.0.0', '224.0.0.1', '::', 'fe80::1', '2001:4860:4860::8888'])(
    'cannot have the address %s: only private addresses are accepted',
    async (host) => {
      const answer = await named({ host });
      expect([answer.status, (answer.body as { errors: object[] }).errors]).toEqual([
        400,
        [expect.objectContaining({ pointer: '/printers/0/host' })],
      ]);
    },
  );

  it('are one of the lists that are sent at the same moment', async () => {
    const listOf = (...ids: string[]) =>
      ids.map((printerId) => ({ printerId, name: printerId, host: '192.168.20.7', port: 9100, dpi: 203, kind: 'ZPL' }));
    const lists = [listOf('desk'), listOf('desk', 'dock'), listOf('back')];
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(
        lists.map((printers) => town.operator('PUT', `${NODE}/printers`, { printers })),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(lists).toContainEqual((await town.operator('GET', `${NODE}/printers`)).body['printers']);
    }
  });

  it('are all named at once, each with its errors', async () => {
    const one = { printerId: 'desk', name: '', host: 'http://x/', port: 0, dpi: 200 };
    const answer = await town.operator('PUT', `${NODE}/printers`, { printers: [one, { ...one, name: 'x' }] });
    const pointers = (answer.body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);
    for (const end of ['/0/name', '/0/host', '/0/port', '/0/dpi', '/1/host'])
      expect(pointers).toContain(`/printers${end}`);
  });
});

describe('printing labels', () => {
  it('sends the labels to the printer as they are, in UTF-8', async () => {
    const printer = await openPrinter();
    await named({ port: printer.port });
    const answer = await print();
    expect([answer.status, answer.body]).toEqual([
      200,
      { printId: 'p-1', printerId: 'desk', bytes: Buffer.byteLength(LABEL) },
    ]);
    expect(printer.jobs).toEqual([LABEL]);
    const { body } = await town.operator('GET', '/operator/v1/clients/TOWN/accessEvents?limit=500');
    const events = (body as { events: { type: string; data: object }[] }).events;
    expect(events.at(-1)).toMatchObject({
      type: 'label.printed',
      data: { printId: 'p-1', printerId: 'desk', userId: 'ana' },
    });
  });

  it('is for people at the node, in their own name', async () => {
    const printer = await openPrinter();
    await named({ port: printer.port });
    const ana = await town.signIn('associate');
    const { userId: _userId, ...body } = job();
    expect((await ana.post(`${NODE}/print`, body)).status).toBe(200);
    expect((await ana.post(`${NODE}/print`, { ...body, userId: 'leo', printId: 'p-2' })).status).toBe(403);
    expect(said(await (await town.signIn('support')).post(`${NODE}/print`, body))).toEqual([403, 'ACCESS_DENIED']);
  });

  it('prints a printId once, also when it is sent by three at once', async () => {
    const printer = await openPrinter();
    await named({ port: printer.port });
    const answers = await Promise.all([print(), print(), print()]);
    // A request that begins after the printer has accepted the job gets 200.
    const outcomes = new Set(answers.map((answer) => said(answer).join(' ')));
    expect(outcomes).toContain('200 ');
    outcomes.delete('409 IN_PROGRESS');
    expect(outcomes.size).toBe(1);
    expect((await print()).status).toBe(200);
    expect(printer.jobs).toHaveLength(1);
    expect(said(await print({ zpl: `${LABEL}${LABEL}` }))).toEqual([409, 'CONFLICT']);
  });

  it('prints nothing under an Idempotency-Key of another job', async () => {
    const printer = await openPrinter();
    await named({ port: printer.port });
    const path = `${NODE}/print`;
    const headers = { ...town.client.headers, 'idempotency-key': 'k' };
    const send = (more: object) => town.call({ method: 'POST', path, body: job(more), headers });
    expect((await send({})).status).toBe(200);
    expect(said(await send({ printId: 'p-2' }))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await send({})).headers['idempotent-replayed']).toBe('true');
    expect(printer.jobs).toHaveLength(1);
  });

  it('says that a printer is off, and prints the same printId when it is on again', async () => {
    const off = await openPrinter();
    await off.close();
    await named({ port: off.port });
    expect(said(await print())).toEqual([409, 'PRINTER_UNREACHABLE']);
    const on = await openPrinter();
    await named({ port: on.port });
    expect((await print()).status).toBe(200);
    expect(on.jobs).toEqual([LABEL]);
  });

  it('says that another request still prints the printId, and counts it as printed if that request never ends', async () => {
    const printer = await openPrinter();
    await named({ port: printer.port });
    expect((await print()).status).toBe(200);
    // A command without a stored response: another request sends the job now, or the process of that request has ended.
    await town.store.write((tx) =>
      tx.updateTable('commands').set({ reply: null }).where('command_id', '=', 'p-1').execute(),
    );
    const second = await print();
    expect([said(second), second.headers['retry-after']]).toEqual([[409, 'IN_PROGRESS'], '2']);
    town.clock.now += 90_000;
    expect((await print()).status).toBe(200);
    expect(printer.jobs).toHaveLength(1);
  });

  it('says that labels can have come out if the printer breaks off, also directly after the last byte', async () => {
    const inside = await openPrinter((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await named({ port: inside.port });
    expect(said(await print({ zpl: LABEL.repeat(800) }))).toEqual([409, 'PRINTER_TIMEOUT']);
    const atEnd = await openPrinter((socket) => socket.resume().on('end', () => socket.resetAndDestroy()));
    await named({ port: atEnd.port });
    expect(said(await print())).toEqual([409, 'PRINTER_TIMEOUT']);
  });

  it('says that nothing was printed if there is no connection in time, or the printer is busy for too long', async () => {
    // A name that never resolves is as silent as a printer without power.
    const gate = { allows: () => true, refusesHost: () => false, lookup: () => undefined };
    const silent = { host: 'printer.store.example', port: 9100, data: Buffer.from(LABEL), gate };
    const sent = [false, true].map((late) => sendToPrinter({ ...silent, isLate: () => late }));
    expect(await Promise.all(sent)).toEqual(['UNREACHABLE', 'LATE']);
  });

  /** Fails a later write of the store, the first with 0. */
  const failWrite = (place: number, way: (write: () => Promise<unknown>) => Promise<never>) => {
    const { store } = town;
    const write = store.write.bind(store);
    let count = 0;
    store.write = (job) => {
      count += 1;
      return count === place + 1 ? way(() => write(job)) : write(job);
    };
  };

  it('prints a job whose claim was stored without a response when it is sent again', async () => {
    const printer = await openPrinter();
    await named({ port: printer.port });
    failWrite(0, async (write) => {
      await write();
      throw new OutcomeUnknown('The connection to the database broke during the commit.');
    });
    expect((await print()).status).toBe(503);
    expect(printer.jobs).toEqual([]);
    expect((await print()).status).toBe(200);
    expect(printer.jobs).toEqual([LABEL]);
  });

  it('releases the printId of a job that was not printed, although the database was away for a moment', async () => {
    const off = await openPrinter();
    await off.close();
    await named({ port: off.port });
    failWrite(1, () => Promise.reject(new StorageUnavailable('The connection to the database broke.')));
    expect(said(await print())).toEqual([409, 'PRINTER_UNREACHABLE']);
    const on = await openPrinter();
    await named({ port: on.port });
    expect((await print()).status).toBe(200);
    expect(on.jobs).toEqual([LABEL]);
  });

  it('takes a printer that keeps its connection open', async () => {
    const parts: Buffer[] = [];
    const printer = await openPrinter((socket) => socket.on('data', (part) => parts.push(part)));
    await named({ port: printer.port });
    expect((await print()).status).toBe(200);
    expect(Buffer.concat(parts).toString('utf8')).toBe(LABEL);
  });

  it('is asked of the address that a name leads to', async () => {
    const printer = await openPrinter();
    await named({ host: 'localhost', port: printer.port });
    expect((await print()).status).toBe(200);
    const closed = await openTown();
    await closed.operator('PUT', `${NODE}/printers`, {
      printers: [{ printerId: 'desk', name: 'x', host: 'localhost', port: printer.port, dpi: 203 }],
    });
    expect(said(await closed.client.post(`${NODE}/print`, job()))).toEqual([409, 'PRINTER_ADDRESS']);
    await closed.close();
    expect(printer.jobs).toHaveLength(1);
  });

  it('knows only printers of the node', async () => {
    expect(said(await print())).toEqual([404, 'NOT_FOUND']);
    const printer = await openPrinter();
    await named({ port: printer.port });
    const elsewhere = '/operator/v1/clients/TOWN/nodes/TOWN-Store002/print';
    expect(said(await town.client.post(elsewhere, job()))).toEqual([404, 'NOT_FOUND']);
    expect(printer.jobs).toEqual([]);
  });

  it.each([
    ['a command that resets the printer', '^XA~JR^XZ'],
    ['a network setting', '^XA^ND2,P,10.0.0.1^XZ'],
    ['a file that is kept', '~DYR:X.GRF,B,G,2,1,00^XA^XZ'],
    ['a stored format', '^XA^DFR:X.ZPL^FS^XZ'],
    ['another sign for commands', '^XA^CC/^XZ'],
    ['a password', '^XA^KP1234^XZ'],
    ['a setting that is kept', '^XA^JUS^XZ'],
    ['no label', 'hello'],
    ['a label without its end', '^XA^FO1,1'],
    ['a line of another protocol', '^XA\r\nSET owned 1\r\n^XZ'],
    ['a line in a text', '^XA^FDa\nCONFIG SET dir /tmp\n^FS^XZ'],
    ['a line behind spaces', '^XA\n  QUIT\n^XZ'],
    ['a control character', '^XA^FDa\u0007b^FS^XZ'],
    ['501 copies', '^XA^PQ501^XZ'],
    ['100 million copies', '^XA^PQ 99999999,0,1,Y^XZ'],
  ])('prints only labels: %s is rejected', async (_name, zpl) => {
    const printer = await openPrinter();
    await named({ port: printer.port });
    const answer = await print({ zpl });
    expect([answer.status, (answer.body as { errors: { pointer: string }[] }).errors[0]!.pointer]).toEqual([
      400,
      '/zpl',
    ]);
    expect(printer.jobs).toEqual([]);
  });

  it('prints 500 copies, and texts with line ends before commands', async () => {
    const printer = await openPrinter();
    await named({ port: printer.port });
    expect((await print({ zpl: '^XA\r\n^FDa^FS\n ^PQ500,0\n\n^XZ\n' })).status).toBe(200);
    expect(printer.jobs).toHaveLength(1);
  });
});

describe('the port of a printer', () => {
  const put = async (to: OpenTown, host: string, port: number) => {
    const printers = [{ printerId: 'desk', name: 'Desk', host, port, dpi: 203 }];
    const answer = await to.operator('PUT', `${NODE}/printers`, { printers });
    return [answer.status, (answer.body as { errors?: { pointer: string }[] }).errors?.map(({ pointer }) => pointer)];
  };

  it('is a raw port of printers, unless PRINTER_ALLOW has the address', async () => {
    for (const port of [9100, 9109, 6101]) expect(await put(town, '10.0.0.7', port)).toEqual([200, undefined]);
    for (const port of [9099, 9110, 6379, 80])
      expect(await put(town, '10.0.0.7', port)).toEqual([400, ['/printers/0/port']]);
    expect(await put(town, '127.0.0.1', 6379)).toEqual([200, undefined]);
  });

  it('of a name is checked for each job: another port needs an address in PRINTER_ALLOW', async () => {
    const gate = (allowed: string[], port: number) =>
      new Promise((resolve) => {
        printerGateOf(allowed, port).lookup('localhost', {}, (error) => resolve(error?.message));
      });
    expect(await gate(['loopback'], 6379)).toBeUndefined();
    expect(await gate([], 6379)).toMatch(/not allowed/);
    expect([9100, 6379].map((port) => printerGateOf([], port).allows('10.0.0.7'))).toEqual([true, false]);
  });
});
