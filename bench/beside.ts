/**
 * `npm run bench:beside -- --before VERSION|COMMIT|FOLDER [--pairs N] [--json]`: runs this checkout and another release
 * at the same time, each on its own database. The command sends the same writes to both sides in turns, one block at a
 * time. Both sides of a pair run within a second, so slow phases of a shared machine affect both. `bench:pair` measures
 * every figure; this command decides whether a write is really slower. The command prints the median and the quartiles
 * of the speed now / before. It exits with 1 if a write is slower by the rule of `bench:pair`.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkoutOf } from '../town/releases.ts';
import { compared, FEWEST_ROUNDS, lineOf, type Round } from './support/pairs.ts';
import { type Result, shown } from './support/scenario.ts';

const HERE = fileURLToPath(new URL('..', import.meta.url));
/** Number of orders or receipts in a block. */
const BLOCK = 50;
/** Number of blocks before the measurement. V8 compiles the code during the first hundreds of requests. */
const WARM_UP = 20;
const TICKET_ORDERS = 10;
const HOME_QUEUE = 'WAITING_FOR_PICK_SFS';

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    pairs: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
  },
});
if (values.before === undefined) {
  console.error(
    'Name another release: --before VERSION, --before COMMIT, or --before FOLDER with its packages installed',
  );
  process.exit(2);
}
const folderOf = (name: string) => (existsSync(join(name, 'bench', 'run.ts')) ? resolve(name) : checkoutOf(name));

const folder = mkdtempSync(join(tmpdir(), 'backroom-beside-'));
const pairs = Number(values.pairs);
const before = await sideOf(folderOf(values.before), 'before');
const now = await sideOf(HERE, 'now');
try {
  const rounds: Round[] = [];
  // With too few pairs for a comparison, the run is only a test of this command, so one block of warm-up is enough.
  for (let pair = pairs < FEWEST_ROUNDS ? -1 : -WARM_UP; pair < pairs; pair += 1) {
    const [first, second] = pair % 2 === 0 ? [before, now] : [now, before];
    const results = new Map([
      [first, await first.block()],
      [second, await second.block()],
    ]);
    const of = (side: typeof before) => ({ results: results.get(side)! });
    if (pair >= 0) rounds.push({ scenario: 'writes', before: of(before), now: of(now) });
  }
  const figures = compared(rounds).pairs;
  if (values.json) console.log(JSON.stringify({ figures }));
  else for (const figure of figures) console.log(lineOf(figure));
  if (figures.some(({ isSlower }) => isSlower)) process.exitCode = 1;
} finally {
  await before.stop();
  await now.stop();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Starts the service of a checkout with the bench of that checkout. The function `block` of the result sends one block
 * of each kind of write.
 */
async function sideOf(root: string, name: string) {
  const load = <T>(file: string) => import(join(root, 'bench', 'support', file)) as Promise<T>;
  const data = await load<typeof import('./support/data.ts')>('data.ts');
  const { startBackroom } = await load<typeof import('./support/processes.ts')>('processes.ts');
  const { Client } = await load<typeof import('./support/client.ts')>('client.ts');
  const orders = await load<typeof import('./support/orders.ts')>('orders.ts');
  const { confirm, generate } = await load<typeof import('./support/tickets.ts')>('tickets.ts');
  const shipments = await load<typeof import('./support/shipments.ts')>('shipments.ts');
  const filled = data.copyOf(await data.filledWithItems(folder, orders.ORDER_ITEMS), name);
  const service = await startBackroom(filled.url);
  const client = await Client.open(service.port, filled.credentials);
  const { nodeId } = orders.orderBody(0);
  let sent = 0;
  const numbers = () => Array.from({ length: BLOCK }, (_, n) => sent + n);

  const intake = async (n: number) => {
    const parcel = { fulfillmentType: 'SHIP_TO_HOME', carrier: 'UPS', service: 'GROUND', shipMethod: 'UPS_GROUND' };
    await client.send('POST', `/operator/v1/stores/${data.STORE}/fulfillmentOrders`, {
      ...orders.orderBody(n),
      ...parcel,
    });
  };
  const idOf = (n: number) => String(orders.orderBody(n)['fulfillmentOrderId']);
  const pick = async (ids: readonly string[]) => confirm(client, await generate(client, ids, 'Ada', HOME_QUEUE), 'Ada');
  const slip = async (n: number) => {
    const [storeId, fulfillmentOrderId] = [data.STORE, idOf(n)];
    const path = `/stores/${storeId}/fulfillmentOrders/${fulfillmentOrderId}/packslip/generate`;
    await client.send('POST', path, { storeId, nodeId, modifyAssociateId: 'Ada', fulfillmentOrderId });
  };
  const announce = (n: number) =>
    client.send('POST', shipments.TRANSMIT, shipments.asnMessage(n, { cartons: 1, lines: 20 }));
  const receive = (n: number) =>
    client.send(
      'POST',
      `/operator/v1/clients/${data.CLIENT}/nodes/${shipments.DEPOT}/inbound/ASN/${shipments.asnNumber(n)}/receipts`,
      { receiptId: `r${n}`, userId: 'Ada', cartons: [{ cartonId: shipments.cartonId(n, 0), as: 'GOOD' }] },
    );
  const each = (work: (n: number) => Promise<unknown>) => async () => {
    for (const n of numbers()) await work(n);
  };
  const kinds: Record<string, () => Promise<void>> = {
    'order intake': each(intake),
    'generate + CONFIRM, 10 orders': async () => {
      const ids = numbers().map(idOf);
      while (ids.length > 0) await pick(ids.splice(0, TICKET_ORDERS));
    },
    'pack slip': each(slip),
    'ASN of 20 lines': each(announce),
    'receipt of a carton of 20 lines': each(receive),
  };

  return {
    async block(): Promise<Result[]> {
      const results: Result[] = [];
      for (const [kind, work] of Object.entries(kinds)) {
        const began = performance.now();
        await work();
        const value = Math.round(BLOCK / ((performance.now() - began) / 1000));
        results.push(shown({ name: kind, engine: 'sqlite', value, unit: 'records/s', note: '' }));
      }
      sent += BLOCK;
      return results;
    },
    async stop(): Promise<void> {
      client.close();
      await service.stop();
    },
  };
}
