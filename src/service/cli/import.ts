import { SingleBar } from 'cli-progress';
import { Argument, type Command } from 'commander';
import { IMPORT_KINDS, type ImportKind, type LoadedMapping, loadMapping } from '../import/mapping.ts';
import { type Counts, forgetInterrupted } from '../import/progress.ts';
import { BATCH_ROWS, type ImportSummary, importFile } from '../import/run.ts';
import { type Installation, withInstallation, withStore } from './installation.ts';
import { type Io, print, printJson, WrongUsage, wholeFrom } from './io.ts';

interface Options {
  client: string;
  store?: string;
  mapping?: string;
  rejects?: string;
  again?: true;
  forget?: string;
  batchRows: number;
  json?: true;
}

/** Interval of progress lines without a terminal, in milliseconds. */
const LINE_MS = 3000;

export function add(program: Command, io: Io): void {
  program
    .command('import')
    .description(
      'Read items, orders, nodes, node items, users, announced shipments (inbound) or opening stock from JSON, NDJSON or CSV files, also gzip. Run the command again to resume.',
    )
    .addArgument(new Argument('[kind]', 'kind of the rows').choices(IMPORT_KINDS))
    .argument('[files...]', 'files to read, one after another')
    .requiredOption('--client <clientId>', 'client of the data')
    .option(
      '--store <storeId>',
      'store of the orders, or of the seller of the shipments; for other kinds only the mapping uses it',
    )
    .option('--mapping <file>', 'module that turns rows into messages (docs/importing.md)')
    .option('--rejects <folder>', 'folder of the reject files; default: the folder of each input')
    .option('--batch-rows <count>', 'rows per commit', wholeFrom(1, 99_999), BATCH_ROWS)
    .option('--again', 'import a file again from the beginning')
    .option('--forget <run>', 'end an interrupted import, which doctor reports, without its other rows')
    .option('--json', 'print one JSON line with the summary')
    .addHelpText(
      'after',
      '\nExample:\n  backroom import items items.csv.gz --client ACME\n  backroom import --forget 5fd924625f6ab16a19cc9807c7c506ae --client ACME',
    )
    .action((kind: ImportKind | undefined, files: string[], options: Options) => {
      if (options.forget !== undefined) return forget(io, options.forget, kind, options);
      if (kind === undefined || files.length === 0)
        throw new WrongUsage('Name the kind of the rows and the files to read.');
      return run(io, kind, files, options);
    });
}

async function run(io: Io, kind: ImportKind, files: readonly string[], options: Options): Promise<void> {
  if (kind === 'orders' && options.store === undefined)
    throw new WrongUsage('An import of orders needs --store, the store of the orders.');
  const mapping = options.mapping === undefined ? undefined : await loadMapping(options.mapping, kind);
  const summaries: ImportSummary[] = [];
  const importAll = async (installation: Installation) => {
    for (const file of files) {
      const one = await importOne(io, installation, kind, file, options, mapping);
      summaries.push(one);
      if (!one.finished) break;
    }
  };
  try {
    await withInstallation(io, importAll, { seals: true });
  } catch (error) {
    // The earlier files are imported: the user needs their counts and reject files.
    if (summaries.length > 0) printSummaries(io, summaries, options);
    throw error;
  }
  printSummaries(io, summaries, options);
  const stopped = summaries.find((one) => !one.finished);
  if (stopped !== undefined) {
    throw new Error(
      `The import was stopped after row ${stopped.rowsRead} of ${stopped.file}; run the command again to resume.`,
    );
  }
  const { rowsRead, rowsImported } = totalOf(summaries);
  if (rowsRead > 0 && rowsImported === 0) throw new Error('Every row was rejected; nothing was imported.');
}

function printSummaries(io: Io, summaries: readonly ImportSummary[], { json }: Options): void {
  if (json) printJson(io, { ...totalOf(summaries), files: summaries });
  else for (const one of summaries) for (const line of describe(one)) print(io, line);
}

/** Ends an interrupted import. The rows that it imported remain. */
async function forget(io: Io, importId: string, kind: ImportKind | undefined, options: Options): Promise<void> {
  if (kind !== undefined) throw new WrongUsage('--forget takes no kind and no files, only the run and --client.');
  const { client, json } = options;
  const run = await withStore(io, ({ store }) => forgetInterrupted(store, client, importId));
  if (run === undefined) {
    const [id, of] = [JSON.stringify(importId), JSON.stringify(client)];
    throw new Error(`Client ${of} has no interrupted import ${id}; backroom doctor names the interrupted imports.`);
  }
  const { kind: ofRows, file_name: file, rows_read: rowsRead } = run;
  if (json) printJson(io, { importId, kind: ofRows, file, rowsRead });
  else print(io, `Forgot the import of ${ofRows} from ${file}; its first ${rowsRead} rows were imported or rejected.`);
}

async function importOne(
  io: Io,
  installation: Parameters<typeof importFile>[0],
  kind: ImportKind,
  file: string,
  options: Options,
  mapping: LoadedMapping | undefined,
): Promise<ImportSummary> {
  const progress = showProgress(io, file);
  try {
    return await importFile(installation, {
      kind,
      clientId: options.client,
      file,
      ...(options.store !== undefined && { storeId: options.store }),
      ...(mapping !== undefined && { mapping }),
      ...(options.rejects !== undefined && { rejectFolder: options.rejects }),
      ...(options.again === true && { again: true }),
      batchRows: options.batchRows,
      onProgress: progress.show,
      signal: io.signal,
    });
  } finally {
    progress.end();
  }
}

/** Adds up the counts of several files. */
export function totalOf(counts: readonly Counts[]): Counts {
  const total: Counts = { rowsRead: 0, rowsImported: 0, rowsRefused: {} };
  for (const { rowsRead, rowsImported, rowsRefused } of counts) {
    total.rowsRead += rowsRead;
    total.rowsImported += rowsImported;
    for (const [reason, count] of Object.entries(rowsRefused)) {
      total.rowsRefused[reason] = (total.rowsRefused[reason] ?? 0) + count;
    }
  }
  return total;
}

function describe({ file, rowsRead, rowsImported, rowsRefused, rejectFile, resumed }: ImportSummary): string[] {
  const refused = Object.entries(rowsRefused).sort();
  return [
    `${file}: ${rowsRead} rows read, ${rowsImported} imported, ${rowsRead - rowsImported} rejected${resumed ? ' (including an earlier run)' : ''}`,
    ...refused.map(([reason, count]) => `  ${reason}: ${count}`),
    ...(rejectFile === undefined ? [] : [`  rejected rows: ${rejectFile}`]),
  ];
}

/** Shows a progress bar on a terminal; otherwise prints a line every few seconds. */
function showProgress(io: Io, file: string): { show: (counts: Counts, share: number) => void; end: () => void } {
  if (io.err.isTTY === true) {
    const bar = new SingleBar({
      format: `${file} {bar} {percentage}% | {rows} rows, {rejected} rejected`,
      stream: io.err,
    });
    bar.start(1000, 0, { rows: 0, rejected: 0 });
    return {
      show: ({ rowsRead, rowsImported }, share) =>
        bar.update(Math.floor(share * 1000), { rows: rowsRead, rejected: rowsRead - rowsImported }),
      end: () => bar.stop(),
    };
  }
  let last = performance.now();
  return {
    show: ({ rowsRead, rowsImported }, share) => {
      if (performance.now() - last < LINE_MS) return;
      last = performance.now();
      io.err.write(`${file}: ${Math.floor(share * 100)} %, ${rowsRead} rows, ${rowsRead - rowsImported} rejected\n`);
    },
    end: () => undefined,
  };
}
