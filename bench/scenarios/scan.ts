/**
 * Scans the code of a carton, with 1,000 announced carton lines and with at least 1,000 times as many (--quick: 5
 * times).
 */
import Database from 'better-sqlite3';
import { Client } from '../support/client.ts';
import { CLIENT, copyOf, type Filled, filledWithItems } from '../support/data.ts';
import { startBackroom } from '../support/processes.ts';
import { atMost, interleaved, type Scenario } from '../support/scenario.ts';
import { asnMessage, asnNumber, cartonId, DEPOT, TRANSMIT } from '../support/shipments.ts';

const PATH = `/operator/v1/clients/${CLIENT}/nodes/${DEPOT}/scan`;
/** Number of cartons of an ASN, and of lines of a carton. */
const SIZE = { cartons: 250, lines: 4 };
const LINES = SIZE.cartons * SIZE.lines;

export const scan: Scenario = {
  name: 'scan',
  async run(options) {
    const small = copyOf(await filledWithItems(options.folder, 200), 'scan-small');
    const filling = await startBackroom(small.url);
    const announcing = await Client.open(filling.port, small.credentials);
    await announcing.send('POST', TRANSMIT, asnMessage(0, SIZE));
    announcing.close();
    await filling.stop();
    const large = copyOf(small, 'scan-large');
    const asns = options.quick ? 5 : options.full ? 10_000 : 1_000;
    options.say(`  growing to ${asns * LINES} carton lines`);
    growShipments(large.file, asns);
    const perRound = options.quick ? 10 : 400;
    const services = await Promise.all([startBackroom(large.url), startBackroom(small.url)]);
    const sides: readonly [Filled, number][] = [
      [large, asns],
      [small, 1],
    ];
    const clients = await Promise.all(services.map(({ port }, side) => Client.open(port, sides[side]![0].credentials)));
    try {
      let sent = 0;
      const side = (at: number, count: number) => async () => {
        const began = performance.now();
        for (let n = 0; n < count; n++) {
          sent += 1;
          // The scanned cartons are spread over the whole table. Both sides use the same step between two cartons.
          const code = cartonId((sent * 7_919) % sides[at]![1], (sent * 31) % SIZE.cartons);
          await clients[at]!.send('POST', PATH, { code });
        }
        return ((performance.now() - began) * 1000) / count;
      };
      for (const at of [0, 1]) await side(at, perRound * 5)();
      const result = await interleaved(options.quick ? 1 : 9, side(0, perRound), side(1, perRound));
      const ratios = result.ratios.map((ratio) => ratio.toFixed(2)).join(' ');
      options.say(`  ${Math.round(result.value)} us against ${Math.round(result.counterpart)}, ratios ${ratios}`);
      const note = `one caller, cartons at random of ${asns * LINES} carton lines, against the same of ${LINES}; --full: 10,000,000`;
      return [atMost(1.5, { name: 'scan of a carton', engine: 'sqlite', unit: 'us', note, ...result })];
    } finally {
      for (const client of clients) client.close();
      await Promise.all(services.map((service) => service.stop()));
    }
  },
};

/** Copies the announced shipment until the database has `count` shipments, each with different cartons. */
function growShipments(file: string, count: number): void {
  const db = new Database(file);
  try {
    db.pragma('synchronous = OFF');
    db.pragma('journal_mode = OFF');
    db.pragma('cache_size = -200000');
    const copies = ['inbound_shipments', 'inbound_lines', 'inbound_cartons'].map((table) => {
      const columns = (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
      const values = columns.map((name) => {
        if (name === 'number') return '@number';
        if (name === 'message_id') return `t.message_id || '-' || @n`;
        if (name === 'carton_id') return `'0034012345' || substr('000000' || @n, -6) || substr(t.carton_id, -4)`;
        if (name === 'doc') return `replace(t.doc, '${asnNumber(0)}', @number)`;
        return `t.${name}`;
      });
      db.exec(`create temp table first_${table} as select * from ${table}`);
      return db.prepare(
        `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from first_${table} t`,
      );
    });
    const some = db.transaction((from: number, end: number) => {
      for (let n = from; n < end; n++) for (const copy of copies) copy.run({ n, number: asnNumber(n) });
    });
    for (let from = 1; from < count; from += 100) some(from, Math.min(from + 100, count));
    db.pragma('journal_mode = WAL');
  } finally {
    db.close();
  }
}
