/** The checks of an item that need no database, for PUT, upload and import. They return their errors together. */
import { compileLate, FIELD_ERRORS_MAX, type FieldError } from '../platform/message/validate.ts';
import type { ItemRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { canonical, isDelete, itemText } from './canonical.ts';
import { inPatch, merged } from './merge.ts';
import { type ItemOwner, itemErrors, repeatsInPatch } from './rules.ts';
import { Item, ItemPatch, itemSchemas } from './schema.ts';
import { inOneSpelling } from './spelling.ts';
import { codeTermsOf, termsOf } from './terms.ts';

/**
 * A valid item. The value is plain data, because it may move from a thread that checks items to the thread that writes
 * them.
 */
export interface CheckedItem {
  itemId: string;
  catalogId: string;
  /** The JSON text of the item for reads, before its stored attributes are merged. */
  text: ItemRow['doc'];
  /** The itemIds that a bundle contains, in the order of its bundleItems. */
  contents: readonly string[];
  /** The words and codes by which searches find the item; undefined if a later step writes its words. */
  terms: readonly string[] | undefined;
  /** The terms of the item's codes only. */
  codeTerms: readonly string[];
  /** Names of custom attributes to delete (operationType delete). */
  removedAttributes: readonly string[];
}

export type ItemCheck =
  | { errors: readonly []; total: 0; checked: CheckedItem }
  | { errors: readonly FieldError[]; total: number | string; checked: undefined };

const validate = compileLate(Item, itemSchemas);
const validatePatch = compileLate(ItemPatch, itemSchemas);

interface CheckOptions {
  /** The stored item, if a patch changes one. */
  stored?: Item | undefined;
  /** Whether `terms` of the checked item remains undefined, because the words are written later. */
  termsLater?: boolean;
}

/**
 * Checks a whole item of `client`: the schema, then the rules between fields. `settings` are `settingsOf(client)`;
 * `beside` returns further errors, for example of a path that differs from the item. At most 100 errors are returned.
 */
export function checkItem(
  client: ItemOwner,
  settings: Settings,
  raw: unknown,
  beside: (item: unknown) => readonly FieldError[] = () => [],
  { stored, termsLater = false }: CheckOptions = {},
): ItemCheck {
  const validated = validate(raw);
  const item = inOneSpelling(validated.value, settings);
  const more = beside(item);
  const room = FIELD_ERRORS_MAX + 1 - validated.errors.length - more.length;
  const rules = itemErrors(item, client, settings, Math.max(0, room), stored);
  if (more.length === 0 && validated.errors.length === 0 && rules.length === 0) {
    return { errors: [], total: 0, checked: settle(item as Item, settings, termsLater) };
  }
  const errors = [...more, ...validated.errors, ...rules];
  return { ...capped(errors, typeof validated.total === 'string'), checked: undefined };
}

/** Returns the first 100 errors, and their total number (`100+` if there are more). */
export function capped(
  errors: readonly FieldError[],
  more = false,
): { errors: readonly FieldError[]; total: number | string } {
  const total = more || errors.length > FIELD_ERRORS_MAX ? `${FIELD_ERRORS_MAX}+` : errors.length;
  return { errors: errors.slice(0, FIELD_ERRORS_MAX), total };
}

/** Checks the result of a patch (`?merge=true`). Errors point into the patch; errors of its schema come first. */
export function checkPatch(
  client: ItemOwner,
  settings: Settings,
  stored: Item | undefined,
  raw: unknown,
  beside: (whole: unknown) => readonly FieldError[],
): ItemCheck {
  const shape = validatePatch(raw);
  const patch = inOneSpelling(shape.value, settings);
  const whole = merged(stored, patch);
  const validated = checkItem(client, settings, whole, beside, { stored });
  const repeats = repeatsInPatch(patch, FIELD_ERRORS_MAX);
  if (shape.errors.length === 0 && repeats.length === 0 && validated.checked !== undefined) return validated;
  const all = [...shape.errors, ...repeats, ...validated.errors.map((error) => inPatch(error, whole, patch))];
  const once = new Map(all.map((error) => [`${error.pointer} ${error.rule}`, error]));
  return { ...capped([...once.values()], typeof shape.total === 'string'), checked: undefined };
}

const NONE: readonly string[] = [];

function settle(item: Item, settings: Settings, termsLater: boolean): CheckedItem {
  const form = canonical(item, settings);
  const removed = item.customDynamicAttributes?.filter(isDelete).map((attribute) => attribute.name);
  return {
    itemId: form.itemId,
    catalogId: form.catalogId,
    text: itemText(form),
    contents: form.bundleItems?.map((one) => one.itemId) ?? NONE,
    terms: termsLater ? undefined : termsOf(form),
    codeTerms: codeTermsOf(form),
    removedAttributes: removed ?? NONE,
  };
}
