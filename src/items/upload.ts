import { badRequest, Refusal } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { UploadedFile } from '../platform/http/upload.ts';
import { fieldError } from '../platform/message/validate.ts';
import { integer, list, named, object, Type, text } from '../platform/schema.ts';
import { formatDateTime } from '../platform/time.ts';
import { catalogsOf } from './access.ts';
import { putItems } from './store.ts';
import { UPLOAD_COLUMNS_MAX, UPLOAD_RECORDS_MAX, type UploadedRow, type UploadReading } from './upload-rows.ts';
import { readUploadRows } from './upload-worker.ts';

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

/** Creates or overwrites up to 1000 items from a CSV file (docs/interface.md#item-writes). */
export const uploadItems = writeOperation({
  id: 'uploadItems',
  method: 'POST',
  path: '/item-service/clients/{clientId}/upload',
  auth: 'basic',
  group: 'items',
  permission: 'items.write',
  wholeClient: 'allNodes',
  repeat: 'same',
  summary: 'Upload items as CSV',
  description: `Takes one CSV file in the part "filename" of a multipart/form-data body: a header with the names of fields (nested ones by path, like hierarchy.deptNumber and upcs.0.upc), at most ${UPLOAD_COLUMNS_MAX} of them, then at most 1000 records. Each record is a whole item, as for PUT; an empty cell is an absent field (blank for styleId and taxCode). Good records are stored, the others are listed with all their errors; the answer is 200 either way.`,
  consumes: 'multipart',
  limit: 'uploadBodyLimit',
  replies: { 200: { description: 'What was stored and what was refused.', schema: UploadResult } },
  refusals: {
    400: 'The file cannot be read, has unknown columns or too many, or more than 1000 records (EXCEED_MAX_COUNT).',
  },
  prepare: async ({ body, client }) => rowsOf(await readUploadRows((body as UploadedFile).content, client)),
  async handle(ctx, { body, clientId, prepared: rows }) {
    const reach = await catalogsOf(ctx.db, ctx.actor, clientId);
    const errorsByLine = new Map(rows.map((row) => [row.line, row.errors]));
    const good = rows.filter((row) => {
      const isOut = row.checked !== undefined && reach !== undefined && !reach.includes(row.checked.catalogId);
      if (isOut) errorsByLine.set(row.line, [fieldError('/catalogId', 'access', 'access to this catalog is denied')]);
      return row.checked !== undefined && !isOut;
    });
    const outcomes = await putItems(
      ctx,
      clientId,
      good.map((row) => row.checked!),
    );
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.outcome === 'refused') errorsByLine.set(good[index]!.line, outcome.errors);
    }
    const refused = rows.filter((row) => errorsByLine.get(row.line)!.length > 0);
    return reply(200, {
      fileName: (body as UploadedFile).fileName,
      itemCount: rows.length,
      uploadedItemCount: rows.length - refused.length,
      rejectedItemCount: refused.length,
      uploadedTime: formatDateTime(ctx.now),
      errItemList: {
        entry: refused.map(({ key, line }) => ({
          key,
          value: { errMsg: errorsByLine.get(line)!.map((error) => `line ${line}: ${error.message}`) },
        })),
      },
    });
  },
});

function rowsOf(reading: UploadReading): readonly UploadedRow[] {
  if ('rows' in reading) return reading.rows;
  if (reading.refused === 'records') {
    const words = `The maximum record count of ${UPLOAD_RECORDS_MAX} has been exceeded`;
    throw new Refusal(400, 'VALIDATION', 'EXCEED_MAX_COUNT', words);
  }
  throw badRequest(reading.errors, reading.total);
}
