import { parse } from 'csv-parse/sync';
import { badRequest, badValue, Refusal } from '../http/errors.ts';
import { reply, writeOperation } from '../http/operation.ts';
import type { UploadedFile } from '../http/upload.ts';
import { FAULTS_MAX, type Fault, faultsOf } from '../http/validate.ts';
import { integer, list, named, object, Type, text } from '../schema.ts';
import type { ClientRow } from '../storage/tables.ts';
import { formatDateTime } from '../time.ts';
import { settingsOf } from '../values.ts';
import { catalogsOf } from './access.ts';
import { type CheckedItem, checkItem } from './check.ts';
import { headerFaults, itemFromRecord } from './csv.ts';
import { putItems } from './store.ts';

/** Most records of one upload (facts 2.10). */
export const UPLOAD_RECORDS_MAX = 1000;

export const UploadResult = named(
  'UploadResult',
  object({
    fileName: Type.String({ description: 'Name of the file' }),
    itemCount: integer(0, UPLOAD_RECORDS_MAX, { description: 'Records of the file' }),
    uploadedItemCount: integer(0, UPLOAD_RECORDS_MAX, { description: 'Records that were stored' }),
    rejectedItemCount: integer(0, UPLOAD_RECORDS_MAX, {
      description: 'Records that were refused; nothing of them was stored',
    }),
    uploadedTime: Type.String({ description: 'When, in UTC' }),
    errItemList: object(
      {
        entry: list(
          object({
            key: Type.String({ description: 'itemId of the record, or `line <n>` where it has none' }),
            value: object(
              {
                errMsg: list(
                  text(1, 2000),
                  { max: 101 },
                  { description: 'Everything that is wrong with it, with its line' },
                ),
              },
              { description: 'Why the record was refused' },
            ),
          }),
          { max: UPLOAD_RECORDS_MAX },
          { description: 'One entry for each record' },
        ),
      },
      { description: 'Records that were refused' },
    ),
  }),
);

interface UploadedRow {
  /** Line of the file on which the record begins. */
  line: number;
  key: string;
  faults: readonly Fault[];
  checked: CheckedItem | undefined;
}

/** Creates or overwrites up to 1000 items from a CSV file (facts 2.10). */
export const uploadItems = writeOperation({
  id: 'uploadItems',
  method: 'POST',
  path: '/item-service/clients/{clientId}/upload',
  auth: 'basic',
  group: 'items',
  wholeClient: 'allNodes',
  summary: 'Upload items as CSV',
  description:
    'Takes one CSV file in the part `filename` of a multipart/form-data body: a header with the names of members (nested ones by path, like `hierarchy.deptNumber` and `upcs.0.upc`), then at most 1000 records. Each record is a whole item, as for PUT; an empty cell is an absent member (blank for styleId and taxCode). Good records are stored, the others are listed with all their faults; the answer is 200 either way.',
  consumes: 'multipart',
  limit: 'uploadBodyLimit',
  replies: { 200: { description: 'What was stored and what was refused.', schema: UploadResult } },
  refusals: { 400: 'The file cannot be read, has unknown columns, or more than 1000 records (EXCEED_MAX_COUNT).' },
  prepare: async ({ body, client }) => readRows((body as UploadedFile).content, client),
  async handle(ctx, { body, clientId, prepared: rows }) {
    const reach = await catalogsOf(ctx.db, ctx.actor, clientId);
    const faultsByLine = new Map(rows.map((row) => [row.line, row.faults]));
    const good = rows.filter((row) => {
      const isOut = row.checked !== undefined && reach !== undefined && !reach.includes(row.checked.catalogId);
      if (isOut) faultsByLine.set(row.line, [faultsOf('/catalogId', 'access', 'access to this catalog is denied')]);
      return row.checked !== undefined && !isOut;
    });
    const outcomes = await putItems(
      ctx,
      clientId,
      good.map((row) => row.checked!),
    );
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.outcome === 'refused') faultsByLine.set(good[index]!.line, outcome.faults);
    }
    const refused = rows.filter((row) => faultsByLine.get(row.line)!.length > 0);
    return reply(200, {
      fileName: (body as UploadedFile).fileName,
      itemCount: rows.length,
      uploadedItemCount: rows.length - refused.length,
      rejectedItemCount: refused.length,
      uploadedTime: formatDateTime(ctx.now),
      errItemList: {
        entry: refused.map(({ key, line }) => ({
          key,
          value: { errMsg: faultsByLine.get(line)!.map((fault) => `line ${line}: ${fault.message}`) },
        })),
      },
    });
  },
});

interface CsvRecord {
  record: string[];
  line: number;
}

function readRows(content: Buffer, client: ClientRow): UploadedRow[] {
  const [header, ...records] = readCsv(content);
  if (header === undefined || records.length === 0) {
    throw badValue('', 'csv', 'the file has no records; send a header and at least one record');
  }
  if (records.length > UPLOAD_RECORDS_MAX) {
    const words = `The maximum record count of ${UPLOAD_RECORDS_MAX} has been exceeded`;
    throw new Refusal(400, 'VALIDATION', 'EXCEED_MAX_COUNT', words);
  }
  const faults = headerFaults(header.record);
  if (faults.length > 0) throw badRequest(faults.slice(0, FAULTS_MAX), faults.length);
  const settings = settingsOf(client);
  const first = new Map<string, number>();
  return records.map(({ record, line }) => {
    const cells = Object.fromEntries(header.record.map((name, index) => [name, record[index] ?? '']));
    const read = itemFromRecord(cells);
    const itemId = read.item.itemId;
    const key = typeof itemId === 'string' ? itemId.slice(0, 60) : `line ${line}`;
    const more = [...widthFaults(header.record.length, record.length), ...read.faults];
    const earlier = typeof itemId === 'string' ? first.get(itemId) : undefined;
    if (earlier !== undefined)
      more.push(faultsOf('/itemId', 'duplicate', `'itemId' is already on line ${earlier}; send an item once`));
    else if (typeof itemId === 'string') first.set(itemId, line);
    const verdict = checkItem(client, settings, read.item, () => more);
    return { line, key, faults: verdict.faults, checked: verdict.checked };
  });
}

function widthFaults(columns: number, cells: number): Fault[] {
  if (columns === cells) return [];
  return [
    faultsOf('', 'csv', `the record has ${cells} cells and the header ${columns}; quote cells that hold a comma`),
  ];
}

function readCsv(content: Buffer): CsvRecord[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw badValue('', 'encoding', 'the file is not valid UTF-8; save it as UTF-8');
  }
  if (text.includes('\0')) throw badValue('', 'character', 'the file holds NUL characters; send a CSV text');
  const lines: number[] = [];
  try {
    const records = parse(text, {
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n'],
      skip_empty_lines: true,
      to: UPLOAD_RECORDS_MAX + 2,
      on_record: (record: string[], info) => {
        lines.push(info.lines - record.join('').split('\n').length + 1);
        return record;
      },
    });
    return records.map((record, index) => ({ record, line: lines[index]! }));
  } catch (error) {
    throw badValue('', 'csv', `the file is not a CSV: ${(error as Error).message.slice(0, 200)}`);
  }
}
