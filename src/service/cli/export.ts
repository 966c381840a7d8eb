import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Argument, type Command } from 'commander';
import { personOf } from '../../orders/person.ts';
import { stringifyJson } from '../../platform/message/json.ts';
import type { Sealer } from '../../platform/secrets.ts';
import type { Store } from '../../platform/storage/db.ts';
import { EXPORT_KINDS, type ExportKind, exportLines } from '../import/export.ts';
import { withInstallation, withStore } from './installation.ts';
import { type Io, WrongUsage } from './io.ts';
import { mustFindOrdersOfPerson } from './person.ts';

interface Options {
  client: string;
  webOrder?: string;
  store?: string;
  output?: string;
}

export function add(program: Command, io: Io): void {
  program
    .command('export')
    .description(
      'Write items, orders, nodes, announced shipments (inbound) or stock as NDJSON for import, or all data about the person of a web order as one JSON line. PINs are left out.',
    )
    .addArgument(new Argument('<kind>', 'data to write').choices([...EXPORT_KINDS, PERSON]))
    .requiredOption('--client <clientId>', 'client of the data')
    .option('--web-order <webOrderId>', 'person: a web order of the customer')
    .option(
      '--store <storeId>',
      'person: store of the web order; required if several stores have an order with this number',
    )
    .option(
      '-o, --output <file>',
      'file to write, compressed with gzip if its name ends in .gz; default: standard output',
    )
    .addHelpText(
      'after',
      '\nExample:\n  backroom export items --client ACME -o items.ndjson.gz\n  backroom export person --client ACME --web-order W100023 -o person.json',
    )
    .action((kind: ExportKind | typeof PERSON, options: Options) => run(io, kind, options));
}

const PERSON = 'person';

async function* personLine(
  parts: { store: Store; sealer: Sealer },
  of: { client: string; webOrder: string; store?: string },
): AsyncGenerator<string> {
  const { store, sealer } = parts;
  yield stringifyJson(await store.read(async (db) => personOf(db, sealer, await mustFindOrdersOfPerson(db, of))));
}

async function run(io: Io, kind: ExportKind | typeof PERSON, options: Options): Promise<void> {
  const { client, output, webOrder, store } = options;
  if (kind === PERSON) {
    if (webOrder === undefined) throw new WrongUsage('export person needs --web-order: a web order of the person.');
    // Only this export decrypts values. The other exports also work if the key is lost.
    await withInstallation(io, (parts) => write(io, kind, personLine(parts, { ...options, webOrder }), output));
    return;
  }
  if (webOrder !== undefined) throw new WrongUsage('--web-order can be used only with export person.');
  if (store !== undefined) throw new WrongUsage('--store can be used only with export person.');
  await withStore(io, (opened) => write(io, kind, exportLines(opened.store, kind, client), output));
}

async function write(io: Io, kind: string, found: AsyncIterable<string>, output: string | undefined): Promise<void> {
  let count = 0;
  const lines = async function* () {
    for await (const line of found) {
      count++;
      yield `${line}\n`;
    }
  };
  const source = Readable.from(lines());
  if (output === undefined) {
    await pipeline(source, io.out, { end: false, signal: io.signal });
  } else {
    const partial = `${output}.partial`;
    const target = createWriteStream(partial, { flush: true, mode: 0o600 });
    try {
      if (output.endsWith('.gz')) await pipeline(source, createGzip(), target, { signal: io.signal });
      else await pipeline(source, target, { signal: io.signal });
      await rename(partial, output);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }
  io.err.write(`${count} ${kind} exported\n`);
}
