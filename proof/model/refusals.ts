/** What a refusal of goods in names, in the model's words: cartons, items, places of the message, sellers. */
import { skuOf } from './world.ts';

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
}

const nameOf = ({ cartonId = '', itemId }: KeyShown) => `${cartonId}/${skuOf(itemId)}`;

export function namesIn(body: unknown): string[] {
  const { refusals, needed, held, lines, sellerIds, errors } = body as Refused;
  const keys = needed ?? held ?? lines;
  if (keys !== undefined) return keys.map(nameOf).sort();
  if (refusals !== undefined) {
    return refusals.map(({ code, cartonId = '', itemId, userId = '' }) => {
      return `${code} ${cartonId} ${itemId === undefined ? '' : skuOf(itemId)} ${userId}`;
    });
  }
  return sellerIds ?? errors?.map(({ pointer }) => pointer) ?? [];
}
