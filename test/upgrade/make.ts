/**
 * `npm run keep-database` keeps the database of a release for test/upgrade. The database has the small town of the
 * release after its whole tour, and orders in states that later releases handle differently. Run it in the checkout of
 * a version before the version is tagged. For an older release, pass the path of a checkout of that release (after `npm
 * ci`). It writes these files next to this script: `backroom-VERSION`.db.gz (SQLite), .sql.gz (the same rows for
 * PostgreSQL, written by the release's `copy`), .db.secret and .json (a credential). It never replaces existing files.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { PostgresServer } from '../../town/postgres-server.ts';
import { createDatabase } from '../../town/small-town.ts';

const checkout = resolve(process.argv[2] ?? '.');
const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string };
const kept = (end: string) => new URL(`./backroom-${version}.${end}`, import.meta.url);
if (!existsSync(kept('db.gz'))) await keepTown();
if (!existsSync(kept('sql.gz'))) await keepDump();

/** Writes the rows of the kept file as statements that any later version of PostgreSQL can read. */
async function keepDump(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-upgrade-'));
  const server = await PostgresServer.start();
  try {
    const file = join(folder, 'backroom.db');
    writeFileSync(file, gunzipSync(readFileSync(kept('db.gz'))), { mode: 0o600 });
    const url = await createDatabase(server.url, 'kept');
    const secret = readFileSync(kept('db.secret'), 'utf8').trim();
    const program = [join(checkout, 'src/main.ts'), 'copy', '--from', `sqlite:${file}`, '--to', url];
    execFileSync(process.execPath, program, {
      env: { ...process.env, BACKROOM_SECRET: secret },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const words = ['--no-owner', '--no-privileges', '--rows-per-insert=100', `--dbname=${url}`];
    const dump = execFileSync('pg_dump', words, { encoding: 'utf8', maxBuffer: 1 << 28 });
    // Removes the commands of psql, because the server does not know them.
    writeFileSync(kept('sql.gz'), gzipSync(dump.replaceAll(/^\\.*\n/gm, ''), { level: 9 }));
  } finally {
    await server.remove();
    rmSync(folder, { recursive: true });
  }
}

async function keepTown(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-upgrade-'));
  const demo = spawn(process.execPath, ['src/main.ts', 'demo', '--clock', 'manual', '--port', '0', '--data', folder], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // If the tour fails, the demo ends too.
  process.once('exit', () => demo.kill());
  let said = '';
  for await (const chunk of demo.stdout.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    if (said.includes('Stop with Ctrl+C.')) break;
  }
  demo.stdout.resume();

  const exported = (name: string) => new RegExp(`export ${name}='([^']*)'`).exec(said)![1]!;
  const names = ['BASE', 'API_KEY', 'BASIC', 'OPERATOR_KEY'];
  const env: Record<string, string> = {
    ...Object.fromEntries(names.map((name) => [name, exported(name)])),
    COOKIES: join(folder, 'cookies'),
  };
  for (const line of said.split('\n').filter((one) => /^(curl|printf) /.test(one))) {
    execFileSync('bash', ['-c', line], { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
  }

  // The tour declines an order, and its item is then held at the node. The orders below use another item.
  const ITEM = '21-LAMP-BRS';
  const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';
  const WHERE = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };

  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${env.BASE}${path}`, {
      method,
      headers: { apikey: env.API_KEY!, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  const address = { line1: '1 Pier', city: 'Newport', mainDivisionCode: 'RI', postalCode: '02840', countryCode: 'US' };

  function order(
    id: string,
    fulfillmentType: string,
    [firstName, lastName, phone]: readonly [string, string, string],
    more = {},
  ) {
    const email = `${id}@mail.example`;
    const [carrier, service] = fulfillmentType === 'SHIP_TO_HOME' ? ['UPS', 'GROUND'] : ['', ''];
    return {
      fulfillmentOrderId: id,
      omsOrderId: `1${id}`,
      webOrderId: `2${id}`,
      nodeId: WHERE.nodeId,
      fulfillmentType,
      orderDate: '2026-01-05T13:00:00+00:00',
      currency: 'USD',
      carrier,
      service,
      customer: { name: `${firstName} ${lastName}`, email, phone },
      destinations: [
        {
          destinationId: '1',
          destinationType: 'MAILING_ADDRESS',
          personName: { firstName, lastName },
          address,
          phone,
          email,
        },
      ],
      billToAddress: { destinationId: '1' },
      shippingAddress: { destinationId: '1' },
      lines: [{ webLineId: '1', itemId: ITEM, quantity: 2, unitPrice: 10 }],
      ...more,
    };
  }

  /** Generates the ticket of one order and confirms it with this many units found. */
  async function pick(id: string, queueId: string, picked: number): Promise<void> {
    const generated = (await call('POST', `${NODE}/pickTicket/generate`, {
      ...WHERE,
      queueId,
      userId: 'mara',
      modifyAssociateId: 'mara',
      fulfillmentOrderIds: [id],
    })) as { pickTicketDetails: { pickTicketId: string; pickTicketItems: { quantity: number }[] }[] };
    const { pickTicketId, pickTicketItems } = generated.pickTicketDetails[0]!;
    const canceled = pickTicketItems[0]!.quantity - picked;
    await call('PUT', `${NODE}/pickTicket/update`, {
      modifyAssociateId: 'mara',
      pickTicketDetails: {
        ...WHERE,
        pickTicketId,
        action: 'CONFIRM',
        userId: 'mara',
        holdLocation: 'B7',
        pickTicketItems: [
          {
            id: 1,
            itemId: ITEM,
            pickedQuantity: picked,
            canceledQuantity: canceled,
            ...(canceled > 0 && { cancellationReasonCode: 'CancelMXOutOfStock' }),
          },
        ],
      },
    });
  }

  const cancel = (id: string, lines?: { webLineId: string; quantity: number }[]) =>
    call('POST', `/operator/v1/stores/TOWN_US/fulfillmentOrders/${id}/cancel`, {
      reasonCode: 'CancelCustomerInitiated',
      ...(lines && { lines }),
    });

  const ISPU = 'WAITING_FOR_PICK_ISPU';
  const SFS = 'WAITING_FOR_PICK_SFS';
  await call('POST', '/operator/v1/stores/TOWN_US/fulfillmentOrders', [
    order('u-canceled-ready', 'STORE_PICK_UP', ['Søren', 'O’Brien', '+44 (0)20 7946 0958']),
    order('u-part-canceled', 'STORE_PICK_UP', ['Łukasz', 'Đorđević', '+1 401 555 0199 ext. 12']),
    order('u-returned', 'SHIP_TO_HOME', ['Æsa', 'Strauß', '+1 401 555 0198'], {
      headerCharges: 5,
      headerTax: 0.4,
      cashOnDelivery: 25.4,
    }),
    order('u-canceled-pack', 'SHIP_TO_HOME', ['Anna', 'Pier', '+1 401 555 0197']),
    order('u-pin', 'STORE_PICK_UP', ['Rosa', 'Quay', '+1 401 555 0196'], { pinNumber: '8462' }),
  ]);
  for (const id of ['u-canceled-ready', 'u-part-canceled', 'u-pin']) await pick(id, ISPU, 2);
  await pick('u-returned', SFS, 0);
  await pick('u-canceled-pack', SFS, 2);
  await cancel('u-canceled-ready');
  await cancel('u-canceled-pack');
  await cancel('u-part-canceled', [{ webLineId: '1', quantity: 1 }]);

  // An announced shipment; later releases can receive its goods.
  const detail = ['MUG-WHT', 'LAMP-BRS'].map((clientItemId, index) => ({
    asnNumber: 'U-ASN',
    cartonId: `0034012345000000${index}018`,
    clientItemId,
    itemCost: 3.25,
    receivingWarehouseId: 'DC001',
    shippedQuantity: 6 * (index + 1),
    trailerNumber: 'TR-7',
  }));
  const header = {
    asnNumber: 'U-ASN',
    receivingType: 'A',
    receivingWarehouseId: 'DC001',
    shipmentReceiptDate: '2026-03-20',
    shipperName: 'Quayside Vendor',
    storeCode: '988',
  };
  await call('POST', '/poasn-manager-service/sellers/TOWNS/poasn/create', {
    asnData: [{ header, details: { detail } }],
  });

  const ended = new Promise((done) => demo.once('exit', done));
  demo.kill('SIGTERM');
  await ended;
  writeFileSync(kept('db.secret'), readFileSync(join(folder, 'backroom.db.secret')));
  writeFileSync(kept('json'), `${JSON.stringify({ apiKey: env.API_KEY, basic: env.BASIC }, null, 2)}\n`);
  writeFileSync(kept('db.gz'), gzipSync(readFileSync(join(folder, 'backroom.db')), { level: 9 }));
  rmSync(folder, { recursive: true });
}
