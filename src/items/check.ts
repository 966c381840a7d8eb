/** The one way in: everything that a PUT, an upload and an import check of an item, with all faults at once. */
import { compileLate, FAULTS_MAX, type Fault } from '../message/validate.ts';
import type { Settings } from '../values.ts';
import { canonical, isDelete, itemText } from './canonical.ts';
import { inPatch, merged } from './merge.ts';
import { type ItemOwner, itemFaults } from './rules.ts';
import { Item, ItemPatch, itemSchemas } from './schema.ts';
import { inOneSpelling } from './spelling.ts';

/** An item that may be stored: plain data, so that one thread may check what another one writes. */
export interface CheckedItem {
  itemId: string;
  catalogId: string;
  /** The item as a read will answer it, before its stored attributes are joined in. */
  text: string;
  /** What a bundle contains, by itemId, in the order of its bundleItems. */
  contents: readonly string[];
  /** Names of custom attributes to delete (operationType delete). */
  removedAttributes: readonly string[];
}

export type ItemVerdict =
  | { faults: readonly []; total: 0; checked: CheckedItem }
  | { faults: readonly Fault[]; total: number | string; checked: undefined };

const validate = compileLate(Item, itemSchemas);
const validatePatch = compileLate(ItemPatch, itemSchemas);

/**
 * Checks a whole item of `client`: the schema, then the rules between members. `settings` are `settingsOf(client)`; `beside`
 * finds faults that stand beside it, such as a path that disagrees; `stored` is the item that a patch
 * made this of. At most 100 faults are held.
 */
export function checkItem(
  client: ItemOwner,
  settings: Settings,
  raw: unknown,
  beside: (item: unknown) => readonly Fault[] = () => [],
  stored?: Item,
): ItemVerdict {
  const verdict = validate(raw);
  const item = inOneSpelling(verdict.value, settings);
  const more = beside(item);
  const room = FAULTS_MAX + 1 - verdict.faults.length - more.length;
  const rules = itemFaults(item, client, settings, Math.max(0, room), stored);
  if (more.length === 0 && verdict.faults.length === 0 && rules.length === 0) {
    return { faults: [], total: 0, checked: settle(item as Item, settings) };
  }
  const faults = [...more, ...verdict.faults, ...rules];
  return { ...capped(faults, typeof verdict.total === 'string'), checked: undefined };
}

/** The first 100 faults, and how many there are. */
export function capped(faults: readonly Fault[], more = false): { faults: readonly Fault[]; total: number | string } {
  const total = more || faults.length > FAULTS_MAX ? `${FAULTS_MAX}+` : faults.length;
  return { faults: faults.slice(0, FAULTS_MAX), total };
}

/**
 * Checks what a patch makes of a stored item (`?merge=true`). Faults point into the patch; those of its own shape come first.
 */
export function checkPatch(
  client: ItemOwner,
  settings: Settings,
  stored: Item | undefined,
  raw: unknown,
  beside: (whole: unknown) => readonly Fault[],
): ItemVerdict {
  const shape = validatePatch(raw);
  const patch = inOneSpelling(shape.value, settings);
  const whole = merged(stored, patch);
  const verdict = checkItem(client, settings, whole, beside, stored);
  if (shape.faults.length === 0 && verdict.checked !== undefined) return verdict;
  const all = [...shape.faults, ...verdict.faults.map((fault) => inPatch(fault, whole, patch))];
  const once = new Map(all.map((fault) => [`${fault.pointer} ${fault.rule}`, fault]));
  return { ...capped([...once.values()], typeof shape.total === 'string'), checked: undefined };
}

const NONE: readonly string[] = [];

function settle(item: Item, settings: Settings): CheckedItem {
  const form = canonical(item, settings);
  const removed = item.customDynamicAttributes?.filter(isDelete).map((attribute) => attribute.name);
  return {
    itemId: form.itemId,
    catalogId: form.catalogId,
    text: itemText(form),
    contents: form.bundleItems?.map((one) => one.itemId) ?? NONE,
    removedAttributes: removed ?? NONE,
  };
}
