import { badRequest, Refusal } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { UploadedFile } from '../platform/http/upload.ts';
import { fieldError } from '../platform/message/validate.ts';
import { integer, list, named, object, sentence, Type } from '../platform/schema.ts';
import { formatDateTime } from '../platform/time.ts';
import { catalogsOf } from './access.ts';
import { say } from './sentences.ts';
import { putItems } from './store.ts';
import { UPLOAD_COLUMNS_MAX, UPLOAD_RECORDS_MAX, type UploadedRow, type UploadReading } from './upload-rows.ts';
import { readUploadRows } from './upload-worker.ts';

export const UploadResult = named(
  'UploadResult',
  object({
    fileName: Type.String({ description: 'Name of the file' }),
    itemCount: integer(0, UPLOAD_RECORDS_MAX, { description: 'Records of the file' }),
    uploadedItemCount: integer(0, UPLOAD_RECORDS_MAX, { description: 'Records that were stored' }),
    rejectedItemCount: integer(0, UPLOAD_RECORDS_MAX, { description: 'Records that were rejected and not stored' }),
    uploadedTime: Type.String({ description: 'Time of the upload, in UTC' }),
    errItemList: object(
      {
        entry: list(
          object({
            key: Type.String({ description: 'itemId of the record, or `line <n>` if it has none' }),
            value: object(
              {
                errMsg: list(
                  sentence(1, 2000),
                  { max: 101 },
                  { description: 'All errors of the record with their lines' },
                ),
              },
              { description: 'Reasons of the rejection of the record' },
            ),
          }),
          { max: UPLOAD_RECORDS_MAX },
          { description: 'One entry for each rejected record' },
        ),
      },
      { description: 'Records that were rejected' },
    ),
  }),
);

/** Creates or changes the items of a CSV file (docs/interface.md#item-writes). */
export const uploadItems = writeOperation({
  id: 'uploadItems',
  since: '0.1.0',
  method: 'POST',
  path: '/item-service/clients/{clientId}/upload',
  summary: 'Upload items as CSV',
  description: `Creates or overwrites up to 1000 items from a CSV file in the part "filename" of a multipart/form-data body.

- The header names fields, nested ones by path, like hierarchy.deptNumber and upcs.0.upc. It has at most ${UPLOAD_COLUMNS_MAX} columns, separated by commas, semicolons or tabs.
- Each record is a whole item, as for PUT. An empty cell means that the field is absent; in styleId and taxCode it is an empty text.
- The service stores valid records and lists the others with all their errors. The status is 200 in both cases.`,
  events: ['item.created', 'item.updated'],
  access: { auth: 'basic', group: 'items', permission: 'items.write', wholeClient: 'allNodes' },
  message: {
    consumes: 'multipart',
    limit: 'uploadBodyLimit',
    replies: {
      200: {
        description: 'Counts of stored records, and the rejected records with their errors.',
        schema: UploadResult,
      },
    },
    refusals: {
      400: 'The file cannot be read, has unknown or too many columns, or more than 1000 records (EXCEED_MAX_COUNT).',
    },
  },
  run: {
    repeat: 'same',
    prepare: async ({ body, client }) => rowsOf(await readUploadRows((body as UploadedFile).content, client)),
    async handle(ctx, { body, clientId, prepared: rows }) {
      const reach = await catalogsOf(ctx.db, ctx.actor, clientId);
      const errorsByLine = new Map(rows.map((row) => [row.line, row.errors]));
      const good = rows.filter((row) => {
        const isOut = row.checked !== undefined && reach !== undefined && !reach.includes(row.checked.catalogId);
        if (isOut)
          errorsByLine.set(row.line, [
            fieldError(
              '/catalogId',
              'access',
              say('you have no access to this catalog; use a credential of a store with this catalog'),
            ),
          ]);
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
            value: {
              errMsg: errorsByLine.get(line)!.map(({ message }) => say('line {line}: {message}', { line, message })),
            },
          })),
        },
      });
    },
  },
  example: {
    path: '/item-service/clients/TOWN/upload',
    csv: 'catalogId,clientId,clientItemId,itemId,salesClass,styleId,taxCode,type,upcs.0.upcType,upcs.0.upc\\n21,TOWN,DEMO-2,21-DEMO-2,stock,POT,76800,MERCH,UPC,400638133393\\n',
  },
});

function rowsOf(reading: UploadReading): readonly UploadedRow[] {
  if ('rows' in reading) return reading.rows;
  if (reading.refused === 'records') {
    const words = say('The maximum record count of {max} has been exceeded', { max: UPLOAD_RECORDS_MAX });
    throw new Refusal(400, 'VALIDATION', 'EXCEED_MAX_COUNT', words);
  }
  throw badRequest(reading.errors, reading.total);
}
