/**
 * An import turns the rows of a file into messages and writes them in batches. Each batch commits with the progress of
 * the run and the length of the reject file. A killed run can therefore continue, and every row is imported once or is
 * in the reject file once.
 */

import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { type Ctx, type CtxParts, makeCtx } from '../../platform/ctx.ts';
import { readJson } from '../../platform/json-column.ts';
import { INBOUND_JSON_LIMITS } from '../../platform/message/json.ts';
import type { FieldError } from '../../platform/message/validate.ts';
import type { Store } from '../../platform/storage/db.ts';
import type { ClientRow, StoreRow } from '../../platform/storage/tables.ts';
import { type InputFile, inspectFile } from './bytes.ts';
import type { ImportKind, LoadedMapping } from './mapping.ts';
import type { MappingContext } from './mapping-api.ts';
import { type Grouping, groupingOf, messageMaker, prepareRows, withoutReasons } from './messages.ts';
import { isWorthThread, prefetch } from './prefetch.ts';
import {
  type Counts,
  findProgress,
  forgetProgress,
  importId,
  NOTHING_YET,
  type Progress,
  type RunName,
  saveProgress,
} from './progress.ts';
import { type Refused, RejectFile, rejectPath, requireFolder } from './rejects.ts';
import { openRows, type Reason, ROW_LIMITS, type RowLimits, type RowReader, type SourceRow } from './rows.ts';
import { Seals, secretsOf } from './sealed.ts';
import type { Message, Owner, Prepared, Sink } from './sink.ts';
import { openSink } from './sinks.ts';

/** Number of rows per commit. A group of rows is never split. */
export const BATCH_ROWS = 500;

/**
 * A batch with at least this number of bytes of rows ends at the next group. Without this limit, a batch could have
 * many shipments of 20,000 lines.
 */
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Maximum number of rows of one group; further rows form another group. The rows of a shipment always form one group.
 */
const GROUP_ROWS_MAX = 10_000;

/**
 * Limits for shipments: a JSON row is a whole shipment, so it can be as long as a request (default of
 * INBOUND_BODY_LIMIT).
 */
const SHIPMENT_LIMITS: RowLimits = { rowBytes: 8 * 1024 * 1024, tokens: INBOUND_JSON_LIMITS };

export interface Installation extends Omit<CtxParts, 'sandbox'> {
  store: Store;
}

export interface ImportOptions {
  kind: ImportKind;
  clientId: string;
  /** The store of imported orders; for shipments, the store whose seller is the default. */
  storeId?: string;
  file: string;
  mapping?: LoadedMapping;
  /** Folder of the reject file; default: the folder of the input. */
  rejectFolder?: string;
  /** Whether to delete the progress of an earlier run of the same file. */
  again?: boolean;
  batchRows?: number;
  /** Called after each batch; `share` is the part of the file that was read, from 0 to 1. */
  onProgress?: (counts: Counts, share: number) => void;
  /** Stops the run between two batches. Another run can continue later. */
  signal?: AbortSignal;
}

export interface ImportSummary extends Counts {
  file: string;
  /** Path of the file with the rejected rows; undefined if no row was rejected, or if the file does not exist. */
  rejectFile: string | undefined;
  /** Whether this run continued an earlier run. */
  resumed: boolean;
  /** False if `signal` stopped the run. */
  finished: boolean;
}

/**
 * Imports one file. Rejected rows never stop the import.
 * @throws Error if the client, store or file does not exist, or an import of orders has no store.
 * @throws Error if the file cannot be unpacked or has no header.
 */
export async function importFile(installation: Installation, options: ImportOptions): Promise<ImportSummary> {
  const { kind, clientId, file: path, mapping } = options;
  const owner = await findOwner(installation.store, clientId, options.storeId);
  if (kind === 'orders' && owner.store === undefined)
    throw new Error('An import of orders needs --store, the store of the orders.');
  const file = await inspectFile(path);
  const reader = openRows(file, kind === 'inbound' ? SHIPMENT_LIMITS : ROW_LIMITS);
  // A mapping can use the store for each kind, for example the catalog of the store for items.
  const usesStore = kind === 'orders' || kind === 'inbound' || mapping !== undefined;
  const storeId = (usesStore && owner.store?.store_id) || '';
  const id = importId([kind, clientId, storeId, mapping?.hash ?? '', file.hash]);
  if (options.again === true) await forgetProgress(installation.store, clientId, id);
  const begun = await findProgress(installation.store, clientId, id);
  const rejectFile = rejectPath(path, { kind, clientId, storeId, importId: id }, reader, options.rejectFolder);
  const start = begun ?? NOTHING_YET;
  if (start.finished) return summary(options, start, rejectFile, true);
  const { sealer, ports } = installation;
  const seals = new Seals(secretsOf(kind, mapping?.mapping), sealer, ports.randomBytes);
  const rejects = new RejectFile(rejectFile, reader, seals);
  rejects.check(start.rejectPosition);
  requireFolder(rejectFile);
  const run = new Run(installation, options, {
    name: { clientId, importId: id, kind, fileName: basename(path) },
    file,
    owner,
    sink: openSink(kind, owner, mapping?.mapping),
    context: await mappingContext(installation.store, owner),
    reader,
    rejects,
    seals,
    progress: start,
  });
  return summary(options, await run.toTheEnd(), rejectFile, begun !== undefined);
}

function summary(options: ImportOptions, progress: Progress, rejectFile: string, resumed: boolean): ImportSummary {
  const { rowsRead, rowsImported, rowsRefused, finished, rejectPosition } = progress;
  return {
    file: options.file,
    rowsRead,
    rowsImported,
    rowsRefused,
    // If the run was complete before, its reject file can be missing, or can have the name of an older release.
    rejectFile: rejectPosition > 0 && existsSync(rejectFile) ? rejectFile : undefined,
    resumed,
    finished,
  };
}

interface Parts {
  name: RunName;
  file: InputFile;
  owner: Owner;
  sink: Sink;
  context: MappingContext;
  reader: RowReader;
  rejects: RejectFile;
  seals: Seals;
  progress: Progress;
}

/** Rows that make one message. */
interface Group {
  key: string | undefined;
  rows: SourceRow[];
  /** Set if a row before the group is unreadable and may belong to the group. */
  isDoubtful?: true;
}

/** A message with the rows that it is made of. */
interface Made {
  rows: SourceRow[];
  message: Prepared;
}

class Run {
  readonly #installation: Installation;
  readonly #options: ImportOptions;
  readonly #parts: Parts;
  readonly #message: (rows: readonly SourceRow[]) => Message;
  readonly #grouping: Grouping | undefined;
  #progress: Progress;

  constructor(installation: Installation, options: ImportOptions, parts: Parts) {
    this.#installation = installation;
    this.#options = options;
    this.#parts = parts;
    this.#progress = parts.progress;
    this.#message = messageMaker(options.mapping?.mapping, parts);
    this.#grouping = groupingOf(options.mapping?.mapping, parts);
  }

  async toTheEnd(): Promise<Progress> {
    const { signal, batchRows = BATCH_ROWS } = this.#options;
    const source = this.#source();
    const groups: Group[] = [];
    let waiting = 0;
    let bytes = 0;
    // The run writes one batch while it reads the next batch.
    let writing: Promise<void> = Promise.resolve();
    try {
      for await (const rows of source.batches) {
        for (const row of rows) {
          const isNew = this.#add(groups, row);
          // Further rows may belong to the last group, so the batch ends before this group.
          if (isNew && (waiting >= batchRows || bytes >= BATCH_BYTES)) {
            await writing;
            if (signal?.aborted === true) return this.#progress;
            writing = this.#commit(groups.splice(0, groups.length - 1), source.progress());
            writing.catch(() => undefined);
            waiting = 0;
            bytes = 0;
          }
          waiting++;
          bytes += row.bytes.length;
        }
      }
    } finally {
      await writing;
    }
    if (signal?.aborted === true) return this.#progress;
    await this.#commit(groups, 'end');
    return this.#progress;
  }

  /**
   * Reads the rows. Rows are checked while they are read if each row is a message and there is no mapping. Large
   * files of items are then read and checked in another thread.
   */
  #source(): ReturnType<RowReader['read']> {
    const { sink, reader, file, owner, seals } = this.#parts;
    const [position, firstNumber] = [this.#progress.position, this.#progress.rowsRead + 1];
    const { kind, mapping } = this.#options;
    if (mapping !== undefined || this.#grouping !== undefined) {
      const { batches, progress } = reader.read(position, firstNumber);
      return { batches: opened(batches, seals), progress };
    }
    if (kind === 'items' && isWorthThread(file)) return prefetch({ file, position, firstNumber, client: owner.client });
    const { batches, progress } = reader.read(position, firstNumber);
    return { batches: prepared(opened(batches, seals), this.#message, sink), progress };
  }

  /**
   * Adds a row to its group. Returns true if the row begins a new group that is not doubtful (`isDoubtful`): a batch
   * can end before this row.
   */
  #add(groups: Group[], row: SourceRow): boolean {
    const last = groups.at(-1);
    const { isWhole } = this.#parts.sink;
    const hasRoom = last !== undefined && (isWhole === true || last.rows.length < GROUP_ROWS_MAX);
    if (this.#grouping !== undefined && row.error === undefined) {
      const key = attempt(() => this.#grouping!.keyOf(row.value));
      if (typeof key !== 'string') {
        row.error = key;
      } else if (last?.key === key && hasRoom) {
        last.rows.push(row);
        return false;
      } else {
        const isDoubtful = isWhole === true && last?.rows.at(-1)?.error !== undefined;
        groups.push({ key, rows: [row], ...(isDoubtful && { isDoubtful }) });
        return !isDoubtful;
      }
    }
    // An unreadable row does not split its group.
    if (last?.key !== undefined && hasRoom) {
      last.rows.push(row);
      return false;
    }
    groups.push({ key: undefined, rows: [row] });
    return true;
  }

  /**
   * Writes groups with the progress of the run. `share` is the part of the file that was read, or `end` for the last
   * groups.
   */
  async #commit(groups: readonly Group[], share: number | 'end'): Promise<void> {
    const { store } = this.#installation;
    const isLast = share === 'end';
    const before: Refused[] = [];
    const open = groups.map((group) => this.#sieve(group, before)).filter((rows) => rows.length > 0);
    const first = await this.#make(open, before);
    this.#progress = await store.write(async (tx) => {
      const ctx = this.#ctx(tx);
      const { rejects, name } = this.#parts;
      const { rejectPosition } = this.#progress;
      const refused = await this.#writeAll(ctx, first, before);
      const content = rejects.contentOf(refused, rejectPosition);
      const next = advanced(this.#progress, groups, refused, rejectPosition + content.length, isLast);
      await saveProgress(tx, name, this.#progress, next, ctx.now);
      // The row of the run is locked from here on: another process that imports the file cannot write its rejects.
      rejects.write(rejectPosition, content);
      return next;
    });
    this.#options.onProgress?.(this.#progress, isLast ? 1 : share);
  }

  #ctx(db: Ctx['db']): Ctx {
    const id = this.#parts.name.importId;
    return makeCtx(this.#installation, { db, actor: { kind: 'system', id: `import:${id}` }, requestId: id });
  }

  /**
   * Writes messages. Returns all rejected rows in the order of the file: the rows in `before`, which were rejected
   * without the database, and the rows that this method rejects.
   */
  async #writeAll(ctx: Ctx, first: readonly Made[], before: readonly Refused[]): Promise<Refused[]> {
    const refused = [...before];
    for (let messages = first; messages.length > 0; ) {
      const outcomes = await this.#parts.sink.write(
        ctx,
        messages.map(({ message }) => message),
      );
      const open = messages.flatMap(({ rows }, index) => this.#leftOver(rows, outcomes[index]!, refused));
      messages = await this.#make(open, refused);
    }
    return refused.sort((a, b) => a.row.number - b.row.number);
  }

  /** Makes messages from groups of rows. Rejects the rows of a group for which no message can be made. */
  async #make(open: readonly SourceRow[][], refused: Refused[]): Promise<Made[]> {
    const messages: Made[] = [];
    for (const rows of open) {
      const prepared = rows[0]!.prepared ?? this.#prepare(rows);
      const message = prepared instanceof Promise ? await prepared : prepared;
      if ('code' in message) refused.push(...rows.map((row) => ({ row, reasons: [message] })));
      else messages.push({ rows, message });
    }
    return messages;
  }

  #prepare(rows: readonly SourceRow[]): Prepared | Reason | Promise<Prepared> {
    const message = attempt(() => this.#message(rows));
    return 'code' in message ? message : this.#parts.sink.prepare(message);
  }

  /**
   * Returns the readable rows of a group that the mapping accepts, and adds the other rows to `refused`. A shipment
   * with an unreadable or rejected row is rejected as a whole.
   */
  #sieve({ key, rows, isDoubtful }: Group, refused: Refused[]): SourceRow[] {
    const unread = rows.find((row) => row.error !== undefined);
    if (this.#parts.sink.isWhole === true && key !== undefined && (isDoubtful === true || unread !== undefined)) {
      const words = unread === undefined ? 'before the shipment' : `(row ${unread.number})`;
      const reason = ofShipment(`a row that cannot be read ${words} may be a part of it`);
      refused.push(...rows.map((row) => ({ row, reasons: [row.error ?? reason] })));
      return [];
    }
    const mapping = this.#options.mapping?.mapping;
    const first = rows.find((row) => row.error === undefined);
    const judged = rows.map((row): Refused => {
      const reasons =
        row.error === undefined ? attempt(() => mapping?.refuse?.(row.value, first!.value) ?? []) : [row.error];
      return { row, reasons: 'code' in reasons ? [reasons] : reasons };
    });
    const wrong = judged.filter(({ reasons }) => reasons.length > 0);
    if (this.#parts.sink.isWhole === true && wrong.length > 0) {
      const ofOthers = [ofAnother(wrong[0]!.row)];
      refused.push(...judged.map(({ row, reasons }) => ({ row, reasons: reasons.length > 0 ? reasons : ofOthers })));
      return [];
    }
    refused.push(...wrong);
    return judged.filter(({ reasons }) => reasons.length === 0).map(({ row }) => row);
  }

  /**
   * Returns the rows to retry after the rejection of their message. If every error belongs to a line, the rows of these
   * lines are rejected and the other rows are retried. All rows are rejected if there are other errors, or if the
   * message must be stored as a whole.
   */
  #leftOver(rows: SourceRow[], errors: readonly FieldError[], refused: Refused[]): SourceRow[][] {
    if (errors.length === 0) return [];
    const { sink } = this.#parts;
    const byRow = new Map<SourceRow, Reason[]>();
    const ofAll: Reason[] = [];
    const linesAreRows =
      this.#grouping !== undefined && (this.#options.kind === 'orders' || sink.isWhole === true) && rows.length > 0;
    for (const error of errors) {
      const [at = '', line] = (linesAreRows && /^\/lines\/(\d+)(?=\/|$)/.exec(error.pointer)) || [];
      const row = line === undefined ? undefined : rows[Number(line)];
      if (row === undefined) ofAll.push(reasonOf(error));
      else {
        // The reject file names the row, so the pointer does not repeat the line.
        const own = sink.isWhole === true ? { ...error, pointer: error.pointer.slice(at.length) } : error;
        byRow.set(row, [...(byRow.get(row) ?? []), reasonOf(own)]);
      }
    }
    const isWhole = ofAll.length > 0 || sink.isWhole === true;
    const [wrong] = byRow.keys();
    const ofOthers = wrong !== undefined && sink.isWhole === true ? [ofAnother(wrong)] : [];
    for (const row of rows) {
      const reasons = [...(byRow.get(row) ?? []), ...ofAll];
      const whole = reasons.length === 0 ? ofOthers : reasons;
      if (whole.length > 0) refused.push({ row, reasons: whole });
    }
    const left = isWhole ? [] : rows.filter((row) => !byRow.has(row));
    return left.length > 0 ? [left] : [];
  }
}

/** Returns the reason for a valid row whose shipment is rejected. */
function ofShipment(why: string): Reason {
  return { code: 'SHIPMENT', message: `the shipment is imported as a whole, and ${why}` };
}

function ofAnother(wrong: SourceRow): Reason {
  return ofShipment(`another row of it is rejected (row ${wrong.number})`);
}

/** Removes the reasons of a reject file, and decrypts its encrypted values. */
async function* opened(batches: AsyncGenerator<SourceRow[]>, seals: Seals): AsyncGenerator<SourceRow[]> {
  for await (const rows of batches) {
    for (const row of rows) {
      if (row.error !== undefined) continue;
      const read = seals.open(row.value);
      if ('error' in read) row.error = read.error;
      else row.value = withoutReasons(read.value);
    }
    yield rows;
  }
}

async function* prepared(
  batches: AsyncIterable<SourceRow[]>,
  make: (rows: readonly SourceRow[]) => Message,
  sink: Sink,
): AsyncGenerator<SourceRow[]> {
  for await (const rows of batches) {
    await prepareRows(rows, make, sink);
    yield rows;
  }
}

/** Runs a function of a mapping. Returns a reason to reject the row if the function throws an error. */
function attempt<T>(work: () => T): T | Reason {
  try {
    return work();
  } catch (error) {
    return { code: 'MAPPING_FAILED', message: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Returns the reason for an error. Its code is the name of the rule in capital letters, such as MAX_LENGTH for
 * `maxLength`. Unknown ids have a code by their field, such as UNKNOWN_ITEM.
 */
function reasonOf(error: FieldError): Reason {
  const name = /\/(\w+)Id$/.exec(error.pointer)?.[1];
  const rule = error.rule === 'exists' ? `unknown_${name ?? 'value'}` : error.rule;
  const code = rule
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/\W+/g, '_')
    .toUpperCase();
  // The pointer identifies a nested field: a message can have several fields named `value`.
  const isDeep = error.pointer.lastIndexOf('/') > 0;
  return { code, message: isDeep ? `${error.pointer}: ${String(error.message)}` : String(error.message) };
}

function advanced(
  from: Progress,
  groups: readonly Group[],
  refused: readonly Refused[],
  rejectPosition: number,
  finished: boolean,
): Progress {
  const rows = groups.reduce((sum, group) => sum + group.rows.length, 0);
  const rowsRefused = { ...from.rowsRefused };
  for (const { reasons } of refused) rowsRefused[reasons[0]!.code] = (rowsRefused[reasons[0]!.code] ?? 0) + 1;
  return {
    position: groups.at(-1)?.rows.at(-1)?.end ?? from.position,
    rejectPosition,
    rowsRead: from.rowsRead + rows,
    rowsImported: from.rowsImported + rows - refused.length,
    rowsRefused,
    finished,
  };
}

async function findOwner(store: Store, clientId: string, storeId: string | undefined): Promise<Owner> {
  return store.read(async (db) => {
    const client = await db.selectFrom('clients').selectAll().where('client_id', '=', clientId).executeTakeFirst();
    if (client === undefined) throw new Error(`There is no client ${JSON.stringify(clientId)}.`);
    const sellers = await db.selectFrom('sellers').select('seller_id').where('client_id', '=', clientId).execute();
    const sellerIds = sellers.map((row) => row.seller_id);
    if (storeId === undefined) return { client, store: undefined, sellerIds };
    const own = db.selectFrom('stores').selectAll().where('client_id', '=', clientId);
    const found: StoreRow | undefined = await own.where('store_id', '=', storeId).executeTakeFirst();
    if (found === undefined)
      throw new Error(`Client ${JSON.stringify(clientId)} has no store ${JSON.stringify(storeId)}.`);
    return { client, store: found, sellerIds };
  });
}

async function mappingContext(
  store: Store,
  owner: { client: ClientRow; store: StoreRow | undefined },
): Promise<MappingContext> {
  const clientId = owner.client.client_id;
  const rows = await store.read((db) =>
    db.selectFrom('nodes').selectAll().where('client_id', '=', clientId).orderBy('node_id').execute(),
  );
  const catalogs = readJson(owner.client.catalog_ids);
  return {
    clientId,
    storeId: owner.store?.store_id,
    currency: owner.store?.currency,
    catalogId: owner.store?.catalog_id ?? catalogs[0] ?? '',
    nodes: rows.map((row) => ({
      nodeId: row.node_id,
      name: row.name,
      nodeType: row.node_type,
      address: readJson(row.address),
      phone: row.phone,
      fulfillmentTypes: readJson(row.fulfillment_types),
    })),
  };
}
