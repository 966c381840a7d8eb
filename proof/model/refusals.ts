/**
 * Reads the values that an error of receiving names, in terms of the model: codes, cartons, items, users, lines,
 * pointers and sellers.
 */
import { sellerOf, skuOf } from './world.ts';

interface KeyShown {
  cartonId?: string;
  itemId: string;
}

interface Refused {
  refusals?: { code: string; cartonId?: string; itemId?: string; userId?: string }[];
  needed?: KeyShown[];
  held?: KeyShown[];
  lines?: KeyShown[];
  sellerIds?: string[];
  errors?: { pointer: string }[];
  poAsnData?: { errors: { code: string; poAsnErrorPayload: { line?: number } }[] }[];
}

const nameOf = ({ cartonId = '', itemId }: KeyShown) => `${cartonId}/${skuOf(itemId)}`;

export function namesIn(body: unknown): unknown[] {
  const { refusals, needed, held, lines, sellerIds, errors, poAsnData } = body as Refused;
  const keys = needed ?? held ?? lines;
  if (keys !== undefined) return keys.map(nameOf).sort();
  if (refusals !== undefined) {
    return refusals.map(({ code, cartonId = '', itemId, userId = '' }) => {
      return `${code} ${cartonId} ${itemId === undefined ? '' : skuOf(itemId)} ${userId}`;
    });
  }
  if (poAsnData !== undefined) {
    return poAsnData[0]!.errors.map(({ code, poAsnErrorPayload: { line = '' } }) => `${code} ${line}`);
  }
  return sellerIds?.map(sellerOf) ?? errors?.map(({ pointer }) => pointer) ?? [];
}
