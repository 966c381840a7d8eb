/** English texts for items: search and one item. */
export const items = {
  search: 'Words or code',
  none: 'No item found',
  noneHint: 'Try fewer words, or scan its code.',
  noneYet: 'No item yet',
  noneYetHint: 'Import a file under Imports in the office.',
  several: 'Several items have this code. Which one is it?',
};

export const item = {
  title: 'Item',
  liesHere: 'lies here',
  noPlace: 'no place',
  blocked: 'Not offered at this node',
  blockedSince: (reason: string, at: string) => `${reason}, since ${at}`,
  free: 'Free it',
  sku: 'SKU',
  brand: 'Brand',
  color: 'Color',
  size: 'Size',
  type: 'Type',
  onHand: 'On hand by the feed',
  streetDate: 'Street date',
  hazard: 'Hazardous',
  codes: 'Codes',
  noCodes: 'It has no code. Find it by its number.',
  parts: 'Consists of',
};
