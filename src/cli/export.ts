import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Argument, type Command } from 'commander';
import { EXPORT_KINDS, type ExportKind, exportLines } from '../import/export.ts';
import { withStore } from './installation.ts';
import type { Io } from './io.ts';

interface Options {
  client: string;
  output?: string;
}

export function add(program: Command, io: Io): void {
  program
    .command('export')
    .description('Write items, orders or nodes as NDJSON that import takes. PINs are left out.')
    .addArgument(new Argument('<kind>', 'what to write').choices(EXPORT_KINDS))
    .requiredOption('--client <clientId>', 'client whose data it is')
    .option('-o, --output <file>', 'file to write, gzip when it ends in .gz; default: standard output')
    .addHelpText('after', '\nExample:\n  backroom export items --client ACME -o items.ndjson.gz')
    .action((kind: ExportKind, options: Options) => run(io, kind, options));
}

async function run(io: Io, kind: ExportKind, { client, output }: Options): Promise<void> {
  await withStore(io, async ({ store }) => {
    let count = 0;
    const lines = async function* () {
      for await (const line of exportLines(store, kind, client)) {
        count++;
        yield `${line}\n`;
      }
    };
    const source = Readable.from(lines());
    if (output === undefined) {
      await pipeline(source, io.out, { end: false, signal: io.signal });
    } else {
      const partial = `${output}.partial`;
      const target = createWriteStream(partial, { flush: true });
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
  });
}
