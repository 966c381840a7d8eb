/** Rules of a receipt that its schema cannot express: rules for several fields together, and for the items of lines. */

import { findItemIds } from '../items/find.ts';
import { findAnnounced } from '../kernel/arrivals/announced.ts';
import { findReceivedItems } from '../kernel/arrivals/locked.ts';
import { KINDS } from '../kernel/arrivals/sums.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { readJson } from '../platform/json-column.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import type { ClientRow, InboundShipmentRow } from '../platform/storage/tables.ts';
import { clientItemIdOf, itemIdOf } from '../shared/item-id.ts';
import { ENTRIES_MAX, type ReceiptMessage } from './receipt-schema.ts';
import { say } from './sentences.ts';
import { readHeaderDoc } from './store.ts';

type Message = ValidPart<ReceiptMessage>;

/** Checks the rules of a receipt that concern several of its fields. */
export function formErrors({ cartons, lines, corrects, unannounced: _ }: Message, errors: FieldErrors): void {
  const count = (cartons?.length ?? 0) + (lines?.length ?? 0);
  if (count === 0 && !errors.isBad('/lines') && !errors.isBad('/cartons')) {
    errors.add('', 'nothing', say('the receipt is empty: send cartons or lines'));
  }
  if (count > ENTRIES_MAX) {
    errors.add(
      '',
      'maxItems',
      say('the receipt has {count} cartons and lines; send at most {entriesMax}', { count, entriesMax: ENTRIES_MAX }),
      ENTRIES_MAX,
    );
  }
  const whole = new Map<string, number>();
  for (const [index, carton] of (cartons ?? []).entries()) {
    const place = `/cartons/${index}`;
    const id = carton?.cartonId;
    if (corrects !== undefined) {
      errors.add(
        place,
        'correction',
        say('a correction must have no cartons; to take a carton back, send lines with negative quantities'),
      );
    }
    if (carton?.to !== undefined && carton.as !== undefined && carton.as !== 'GOOD') {
      errors.add(`${place}/to`, 'place', say('`to` is for good units only; leave `to` out'));
    }
    if (id === undefined) continue;
    const first = whole.get(id);
    if (first === undefined) whole.set(id, index);
    else
      errors.add(
        `${place}/cartonId`,
        'uniqueItems',
        say('carton {id} is in the message twice, also at /cartons/{first}; send it once', {
          id: JSON.stringify(id),
          first,
        }),
      );
  }
  for (const [index, line] of (lines ?? []).entries()) {
    if (line !== undefined)
      lineErrors(line, `/lines/${index}`, { isCorrection: corrects !== undefined, whole }, errors);
  }
}

function lineErrors(
  line: NonNullable<NonNullable<Message['lines']>[number]>,
  place: string,
  { isCorrection, whole }: { isCorrection: boolean; whole: ReadonlyMap<string, number> },
  errors: FieldErrors,
): void {
  const hasItem = line.itemId !== undefined || errors.isBad(`${place}/itemId`);
  const hasClientItem = line.clientItemId !== undefined || errors.isBad(`${place}/clientItemId`);
  if (!hasItem && !hasClientItem)
    errors.add(`${place}/itemId`, 'required', say('the line has no item: send itemId or clientItemId'));
  if (KINDS.every((kind) => (line[kind] ?? 0) === 0 && !errors.isBad(`${place}/${kind}`))) {
    errors.add(
      place,
      'nothing',
      say('the line has no units; send a number other than 0 in `good`, `damaged`, `refused` or `held`'),
    );
  }
  for (const kind of KINDS) {
    if (isCorrection || (line[kind] ?? 0) >= 0) continue;
    const message = say('{kind} is {line}; send 0 or more, or send the id of the corrected receipt in `corrects`', {
      kind,
      line: line[kind],
    });
    errors.add(`${place}/${kind}`, 'minimum', message, 0);
  }
  if (line.to !== undefined && (line.good ?? 0) === 0 && !errors.isBad(`${place}/good`)) {
    errors.add(
      `${place}/to`,
      'place',
      say('`to` is for good units only, and the line has no good units; leave `to` out'),
    );
  }
  const scanned = line.cartonId === undefined ? undefined : whole.get(line.cartonId);
  if (scanned !== undefined) {
    const message = say(
      'the message already has carton {cartonId} as a whole, at /cartons/{scanned}; send either the carton or its lines',
      {
        cartonId: JSON.stringify(line.cartonId),
        scanned,
      },
    );
    errors.add(`${place}/cartonId`, 'carton', message);
  }
}

/**
 * Returns the item id of each line; '' if the item is unknown. Adds an error for an unknown, ambiguous or contradictory
 * item, and for a carton on a PO.
 */
export async function resolveItems(
  ctx: ReadCtx,
  client: ClientRow,
  row: InboundShipmentRow,
  { cartons, lines = [] }: Message,
  errors: FieldErrors,
): Promise<string[]> {
  const { keys } = await findAnnounced(ctx, row);
  const announced = new Set([...keys.values()].map(({ itemId }) => itemId));
  const catalogs = row.type === 'BLIND' ? readJson(client.catalog_ids) : [readHeaderDoc(row.doc).catalogId];
  const candidates = lines.map((line) => {
    if (line?.itemId !== undefined) return [line.itemId];
    return line?.clientItemId === undefined ? [] : catalogs.map((catalogId) => itemIdOf(catalogId, line.clientItemId!));
  });
  const asked = [...new Set(candidates.flat())].filter((id) => !announced.has(id));
  const known = await findItemIds(ctx, row.client_id, asked);
  // An item that was received before remains valid, even if the catalog no longer has the item.
  const isWhole = asked.every((id) => known.has(id));
  const received = isWhole ? [] : await findReceivedItems(ctx.db, row);
  const exists = new Set([...announced, ...known, ...received]);
  if (row.type === 'PO') {
    for (const index of (cartons ?? []).keys()) poErrors(`/cartons/${index}`, errors);
    for (const [index, line] of lines.entries())
      if (line?.cartonId !== undefined) poErrors(`/lines/${index}/cartonId`, errors);
  }
  return lines.map((line, index) => {
    const place = `/lines/${index}`;
    const found = candidates[index]!.filter((id) => exists.has(id));
    const [itemId = ''] = found;
    if (line === undefined || candidates[index]!.length === 0) return itemId;
    if (line.itemId === undefined) {
      const name = JSON.stringify(line.clientItemId);
      if (found.length === 0)
        errors.add(
          `${place}/clientItemId`,
          'item',
          say('there is no item {name}; put it into the catalog first, or correct clientItemId', { name }),
        );
      if (found.length > 1)
        errors.add(
          `${place}/clientItemId`,
          'item',
          say('{name} is in {count} catalogs; send itemId instead, one of {found}', {
            name,
            count: found.length,
            found: found.join(', '),
          }),
        );
      return itemId;
    }
    if (found.length === 0)
      errors.add(
        `${place}/itemId`,
        'item',
        say('there is no item {itemId}; put it into the catalog first, or correct itemId', {
          itemId: JSON.stringify(line.itemId),
        }),
      );
    if (line.clientItemId !== undefined && line.clientItemId !== clientItemIdOf(line.itemId)) {
      errors.add(
        `${place}/clientItemId`,
        'item',
        say('clientItemId {clientItemId} does not match itemId {itemId}; send only one of them', {
          clientItemId: JSON.stringify(line.clientItemId),
          itemId: JSON.stringify(line.itemId),
        }),
      );
    }
    return itemId;
  });
}

function poErrors(place: string, errors: FieldErrors): void {
  errors.add(place, 'carton', say('a PO has no cartons; send lines without cartonId'));
}
