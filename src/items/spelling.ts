/**
 * Normalizes words with several spellings: types of bar codes to the spelling of the client's list, operation types to
 * `add` or `delete` (docs/interface.md#item-values). Words that are on no list stay as sent, and the rules reject them.
 */
import { isRecord } from '../platform/message/record.ts';
import { findSpelling, type Settings } from '../shared/client-settings.ts';

const LISTS = ['upcs', 'bundleItems', 'customDynamicAttributes'] as const;

/** Returns the item with normalized words, or the item itself if nothing changes. Accepts any value. */
export function inOneSpelling(item: unknown, settings: Settings): unknown {
  if (!isRecord(item)) return item;
  let copy: Record<string, unknown> | undefined;
  for (const name of LISTS) {
    const list = item[name];
    if (!Array.isArray(list)) continue;
    const spelled = list.map((element: unknown) => (isRecord(element) ? elementOf(element, settings) : element));
    if (spelled.every((element, index) => element === list[index])) continue;
    copy ??= { ...item };
    copy[name] = spelled;
  }
  return copy ?? item;
}

function elementOf(element: Record<string, unknown>, settings: Settings): Record<string, unknown> {
  const { upcType, operationType, item } = element;
  const changed: Record<string, unknown> = {};
  if (typeof upcType === 'string') changed['upcType'] = findSpelling(settings.upcTypes, upcType) ?? upcType;
  if (typeof operationType === 'string') changed['operationType'] = operationOf(operationType, settings);
  if (item !== undefined) changed['item'] = inOneSpelling(item, settings);
  return Object.entries(changed).every(([name, value]) => value === element[name])
    ? element
    : { ...element, ...changed };
}

/** Returns the normalized operation type. A blank operation type counts as `add`. */
function operationOf(written: string, { operationTypes }: Settings): string {
  if (written === '' || findSpelling(operationTypes.add, written) !== undefined) return 'add';
  return findSpelling(operationTypes.delete, written) === undefined ? written : 'delete';
}
