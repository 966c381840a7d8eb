/**
 * `?merge=true` (docs/interface.md#item-writes): absent and null fields keep their values, objects merge field by
 * field, and lists are replaced. Bar codes and bundle items merge by their key. `store.ts` merges custom attributes on
 * every write. The functions accept any value. Values of a wrong type stay as sent, and the schema rejects them.
 */
import { isRecord } from '../platform/message/record.ts';
import type { FieldError } from '../platform/message/validate.ts';
import { ELIGIBILITY_FLAGS, isDelete, without } from './canonical.ts';
import { ELEMENT_KEYS } from './rules.ts';
import type { Item } from './schema.ts';

type Loose = Record<string, unknown>;

/** Returns the stored item with a patch applied. */
export function merged(stored: Item | undefined, patch: unknown): unknown {
  if (stored === undefined || !isRecord(patch)) return patch;
  const base = withoutOverruled(without(stored, 'customDynamicAttributes'), patch);
  const whole: Loose = { ...base, ...patch };
  for (const [name, old] of Object.entries(base)) {
    if (Object.hasOwn(patch, name)) whole[name] = member(name, old, patch[name]);
  }
  return whole;
}

function member(name: string, old: unknown, value: unknown): unknown {
  if (name === 'fulfillmentTypeEligibilities' || name === 'customDynamicAttributes') return value;
  const key = ELEMENT_KEYS[name];
  if (key !== undefined) return joined(key, old, value);
  if (!isRecord(old) || !isRecord(value)) return value;
  const base = name === 'brand' && value.description !== undefined ? { ...old, descriptions: undefined } : old;
  return { ...base, ...value };
}

/**
 * Converts an error of a merged item to an error of the patch: the pointer gets the index that the element has in the
 * patch.
 */
export function inPatch(error: FieldError, whole: unknown, patch: unknown): FieldError {
  const [, name, index = '', rest = ''] = /^\/(upcs|bundleItems)\/(\d+)(.*)$/.exec(error.pointer) ?? [];
  if (name === undefined) return error;
  const [joinedList, sent] = [isRecord(whole) ? whole[name] : undefined, isRecord(patch) ? patch[name] : undefined];
  if (!Array.isArray(joinedList) || !Array.isArray(sent)) return error;
  const key = ELEMENT_KEYS[name]!;
  const id = keyOf(key, joinedList[Number(index)]);
  const place = sent.findIndex((element) => keyOf(key, element) === id);
  return place < 0 ? error : { ...error, pointer: `/${name}/${place}${rest}` };
}

function keyOf(key: readonly string[], element: unknown): string {
  return JSON.stringify(isRecord(element) ? key.map((name) => element[name]) : element);
}

/** Merges `sent` into `old` by key: elements are changed, added, or deleted (operationType delete). */
export function joined(key: readonly string[], old: unknown, sent: unknown): unknown {
  if (!Array.isArray(old) || !Array.isArray(sent)) return sent;
  const byKey = new Map<string, unknown>(old.map((element: unknown) => [keyOf(key, element), element]));
  for (const element of sent as unknown[]) {
    const id = keyOf(key, element);
    if (isRecord(element) && isDelete(element)) byKey.delete(id);
    else
      byKey.set(
        id,
        isRecord(element) && isRecord(byKey.get(id)) ? { ...(byKey.get(id) as Loose), ...element } : element,
      );
  }
  return [...byKey.values()];
}

/**
 * Drops the stored list of eligibilities. Also drops each stored boolean whose entry is in the list that the patch
 * sends. The list and the booleans state the same facts. If the patch says that the item is no bundle, its stored
 * contents are dropped, too.
 */
function withoutOverruled(stored: Omit<Item, 'customDynamicAttributes'>, patch: Loose): Loose {
  const base: Loose = { ...stored, fulfillmentTypeEligibilities: undefined };
  if (patch.bundle === false && patch.bundleItems === undefined) base.bundleItems = undefined;
  const sent = patch.fulfillmentTypeEligibilities;
  for (const entry of Array.isArray(sent) ? (sent as unknown[]) : []) {
    const flag = isRecord(entry)
      ? ELIGIBILITY_FLAGS[entry.fulfillmentTypeId as keyof typeof ELIGIBILITY_FLAGS]
      : undefined;
    if (flag !== undefined) base[flag] = undefined;
  }
  return base;
}
