/**
 * The sink of shipments. It announces each ASN or PO as a whole, with the parser and the rules of the inbound
 * operation.
 */

import { shortenedError } from '../../platform/csv.ts';
import { Refusal } from '../../platform/http/errors.ts';
import { isRecord } from '../../platform/message/record.ts';
import { inEnglish } from '../../platform/message/sentence.ts';
import { compile, type FieldError, fieldError } from '../../platform/message/validate.ts';
import { object, type TSchema } from '../../platform/schema.ts';
import { announce, type Message as InboundMessage, messageIn } from '../../receiving/announce.ts';
import type { InboundErrors } from '../../receiving/faults.ts';
import { type Reading, readMessage } from '../../receiving/reading.ts';
import { checkAgreement } from '../../receiving/rules.ts';
import { inboundAsn, inboundMessage, MEMBERS, receivingSchemas } from '../../receiving/schema.ts';
import { messageFromColumns } from './columns.ts';
import type { Message, Owner, Prepared, RowErrors, Sink } from './sink.ts';

/** A parsed shipment, and its seller. */
interface Read {
  sellerId: string | undefined;
  reading: Reading;
  message: InboundMessage | undefined;
}

/** The field that names the seller of a message. It is next to `asnData` or `poData`. */
const SELLER = 'sellerId';

export function inboundSink(owner: Owner): Sink {
  const validate = compile(inboundMessage, receivingSchemas);
  const clientId = owner.client.client_id;
  return {
    isWhole: true,
    fromColumns: () => (row) => ({ value: row, errors: [] }),
    fromRows,
    async prepare({ value: sent, errors }): Promise<Prepared> {
      const { sellerId, value } = sellerOf(owner, sent);
      const reading = await readMessage(value, validate);
      await checkAgreement(reading);
      const message = reading.errors.count === 0 && !reading.errors.overflows ? await messageIn(reading) : undefined;
      const ofSeller = sellerErrors(owner, sellerId);
      return { errors: [...errors, ...ofSeller], content: { sellerId, reading, message } satisfies Read };
    },
    async write(ctx, messages) {
      const outcomes: RowErrors[] = [];
      for (const { content, errors } of messages) {
        const { sellerId, reading, message } = content as Read;
        // The transaction can be retried. Errors of one attempt must not be added to the reading.
        const fresh = { ...reading, errors: reading.errors.copy() };
        try {
          // Without a message, `announce` checks the shipment and throws all errors, without a write.
          const judged = errors.length > 0 ? undefined : message;
          await announce(ctx, { clientId, sellerId: sellerId ?? '' }, fresh, judged);
          outcomes.push([]);
        } catch (error) {
          if (!(error instanceof Refusal) || error.status >= 500) throw error;
          const found = errorsOf(fresh.errors);
          const isKnown = sellerId !== undefined && owner.sellerIds.includes(sellerId);
          outcomes.push([...errors, ...(isKnown ? found : found.filter(({ rule }) => rule !== 'unknown_store'))]);
        }
      }
      return outcomes;
    },
  };
}

/**
 * Returns the seller of a shipment: `sellerId` next to the shipment, otherwise the seller of the store. Without both,
 * returns the seller of the header if it belongs to the client, otherwise the only seller of the client.
 */
function sellerOf({ store, sellerIds }: Owner, sent: unknown): { sellerId: string | undefined; value: unknown } {
  const own = isRecord(sent) ? sent[SELLER] : undefined;
  if (isRecord(sent) && typeof own === 'string' && own !== '') {
    const { [SELLER]: _, ...value } = sent;
    return { sellerId: own, value };
  }
  const header = Object.entries(headerOf(sent) ?? {}).find(([name]) => name.toLowerCase() === 'sellerid');
  const named = sellerIds.find((sellerId) => sellerId === header?.[1]);
  const only = sellerIds.length === 1 ? sellerIds[0] : undefined;
  return { sellerId: store?.seller_id ?? named ?? only, value: sent };
}

/** Returns the header of a message in the format of an export; undefined without a header. */
function headerOf(sent: unknown): unknown {
  if (!isRecord(sent)) return undefined;
  const data = sent['asnData'] ?? sent['poData'];
  const shipment: unknown = Array.isArray(data) ? data[0] : data;
  return isRecord(shipment) ? shipment['header'] : undefined;
}

function sellerErrors({ sellerIds }: Owner, sellerId: string | undefined): FieldError[] {
  if (sellerId === undefined) {
    const message = `the seller of the shipment is unknown; send it in '${SELLER}', or its store with --store`;
    return [fieldError(`/${SELLER}`, 'required', inEnglish(message))];
  }
  if (sellerIds.includes(sellerId)) return [];
  const message = `the client has no seller ${JSON.stringify(sellerId)}; send the seller of one of its stores`;
  return [fieldError(`/${SELLER}`, 'exists', inEnglish(message))];
}

/** Names of rules in an import, by the error codes of the inbound operation. */
const RULES: Readonly<Record<string, string>> = {
  STORE_NOT_FOUND: 'unknown_store',
  WAREHOUSE_NOT_FOUND: 'unknown_warehouse',
  ITEM_NOT_FOUND: 'unknown_item',
  NUMBER_ALREADY_USED: 'conflict',
  CARTON_ALREADY_ANNOUNCED: 'carton_already_announced',
};

const LINE = /^\/(?:asn|po)data\/(?:0\/)?details\/detail\/(\d+)(?=\/|$)/i;

/** Returns the errors of a reading. Errors of a line have the pointer `/lines/<index>/<field>`. */
function errorsOf(errors: InboundErrors): FieldError[] {
  return errors.all().map(({ pointer, rule, code, message }) => {
    const index = LINE.exec(pointer)?.[1];
    const field = pointer.slice(pointer.lastIndexOf('/'));
    const words = String(message)
      .replace(/ \[[^\]]*\]$/, '')
      .replace(/^Line \d+: /, '');
    return fieldError(
      index === undefined ? field : `/lines/${index}${field}`,
      RULES[code ?? ''] ?? rule,
      inEnglish(words),
    );
  });
}

type Names = Readonly<Record<string, string>>;

const HEADER: ReadonlySet<string> = new Set(MEMBERS.header);
const LINES: ReadonlySet<string> = new Set(MEMBERS.line);
/** Fields that both the header and the lines have. One column sets both. */
const BOTH: ReadonlySet<string> = new Set(MEMBERS.header.filter((name) => LINES.has(name)));
const ATTRIBUTES = ['headerExtendedAttributes', 'detailExtendedAttributes'] as const;

/** Canonical names of columns by their lower-case form. The case of a column name does not matter. */
const CANONICAL: Names = Object.fromEntries([...HEADER, ...LINES, SELLER].map((name) => [name.toLowerCase(), name]));

/** Schema with all columns of a row. It gives the types of the cells. */
const ROW: TSchema = (() => {
  const { header, details } = inboundAsn.properties;
  return object({ ...header.properties, ...details.properties.detail.items.properties });
})();

/**
 * Makes a shipment from CSV rows, one row for each line. Columns of the header must have the same value in all rows of
 * a shipment.
 */
function fromRows(columns: readonly string[]) {
  const canonical = columns.map((column) => {
    const [first = '', ...rest] = column.split('.');
    return [CANONICAL[first.toLowerCase()] ?? first, ...rest].join('.');
  });
  const again = canonical.findIndex((name, index) => canonical.indexOf(name) !== index);
  if (again !== -1) {
    const first = columns[canonical.indexOf(canonical[again]!)]!;
    throw new Error(`The columns ${first} and ${columns[again]!} are the same field; remove one of them.`);
  }
  const nameOf = (name: string) => columns[canonical.indexOf(name)];
  const cell = (row: Record<string, string>, name: string) => row[nameOf(name) ?? '']?.trim() ?? '';
  const isPo = (row: Record<string, string>) =>
    cell(row, 'receivingType') === '' ? cell(row, 'asnNumber') === '' : cell(row, 'receivingType') === 'P';
  const isOfHeader = (column: string) => {
    const [name = ''] = column.split('.');
    return name === SELLER || (HEADER.has(name) && name !== 'headerExtendedAttributes') || name === ATTRIBUTES[0];
  };
  const ofHeader = columns.filter((_, index) => isOfHeader(canonical[index]!));
  const attributes = columns.flatMap((column, index) => attributeOf(column, canonical[index]!) ?? []);
  const fields = canonical.filter((name, index) => attributeOf(columns[index]!, name) === undefined);
  const readFields = messageFromColumns(fields, ROW, receivingSchemas);
  const read = (row: Record<string, string>): ReturnType<typeof readFields> => {
    const { value, errors } = readFields(renamed(row));
    const shortened: FieldError[] = [];
    for (const { column, list, name } of attributes) {
      const cell = row[column] ?? '';
      const others = value[list] ?? {};
      // If the column `list` has a text, the schema reports it.
      if (cell === '' || !isRecord(others)) continue;
      const earlier: unknown[] = Array.isArray(others['extendedAttributes']) ? others['extendedAttributes'] : [];
      value[list] = { ...others, extendedAttributes: [...earlier, { name, value: cell }] };
      const error = shortenedError(`/${list}/${name}`, cell);
      if (error !== undefined) shortened.push(error);
    }
    return { value, errors: [...errors, ...shortened] };
  };
  const renamed = (row: Record<string, string>) =>
    Object.fromEntries(columns.map((column, index) => [canonical[index]!, row[column] ?? '']));
  return {
    keyOf(row: unknown): string {
      const cells = row as Record<string, string>;
      const number = cell(cells, isPo(cells) ? 'shipmentNumber' : 'asnNumber');
      return JSON.stringify([cell(cells, SELLER), isPo(cells), number]);
    },
    messageOf(rows: readonly Record<string, string>[]): Message {
      const first = rows[0]!;
      const po = isPo(first);
      const messages = rows.map(read);
      const parts = messages.map(({ value }) => partsOf(value));
      const { sellerId, header } = parts[0]!;
      header['receivingType'] ??= po ? 'P' : 'A';
      const shipment = { header, details: { detail: parts.map(({ line }) => line) } };
      const errors = rows.flatMap((row, index) =>
        ofHeader
          .filter((column) => row[column] !== first[column])
          .map((column) => {
            const message = `'${column}' is ${JSON.stringify(row[column])}, but ${JSON.stringify(first[column])} in the first row of the shipment; use one value in all rows of the shipment`;
            return fieldError(`/lines/${index}/${column}`, 'header-mismatch', inEnglish(message));
          }),
      );
      const shortened = messages.flatMap(({ errors }, index) =>
        errors.map((error) => ({ ...error, pointer: `/lines/${index}${error.pointer}` })),
      );
      return {
        value: { ...(sellerId !== undefined && { sellerId }), [po ? 'poData' : 'asnData']: [shipment] },
        errors: [...errors, ...shortened],
      };
    },
  };
}

/**
 * Splits a row into fields of the header and of the line. An unknown column belongs to the line, where the check
 * reports it.
 */
function partsOf(row: Record<string, unknown>) {
  const { [SELLER]: sellerId, ...fields } = row;
  const entries = Object.entries(fields);
  const header = Object.fromEntries(entries.filter(([name]) => HEADER.has(name)));
  const line = Object.fromEntries(entries.filter(([name]) => !HEADER.has(name) || BOTH.has(name)));
  return { sellerId, header, line };
}

/**
 * Returns the extended attribute of a column such as `detailExtendedAttributes.PONumber`. Its name can be a number, and
 * can contain dots. Columns with the path of a field, such as `detailExtendedAttributes.extendedAttributes.0.name`, are
 * no attribute.
 */
function attributeOf(column: string, canonical: string): { column: string; list: string; name: string } | undefined {
  const list = ATTRIBUTES.find((one) => canonical.startsWith(`${one}.`));
  const name = canonical.slice((list ?? '').length + 1);
  return list === undefined || name.startsWith('extendedAttributes.') ? undefined : { column, list, name };
}
