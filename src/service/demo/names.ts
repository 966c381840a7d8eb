/** Names of the small town in examples: `{orders.ready}` is the id of an order in this town. */
import { parseJson, stringifyJson } from '../../platform/message/json.ts';

/** Values by group and name. A group can also be a single text, for example `{now}`. */
export type Names = Readonly<Record<string, string | Readonly<Record<string, unknown>>>>;

/** A key in an example. Its value names an object of the town, whose fields are copied into the example. */
const SPREAD = '...';

/** Replaces the names in a value. @throws Error for a name that the town does not have. */
export function named<T>(value: T, names: Names): T {
  if (value === undefined) return value;
  const groups = Object.keys(names).join('|');
  const text = stringifyJson(spread(value, names)).replace(
    new RegExp(String.raw`\{(${groups})(?:\.(\w+))?\}`, 'g'),
    (all, group: string, name?: string) => {
      const found = names[group];
      const value = typeof found === 'string' ? found : found?.[name ?? ''];
      if (typeof value !== 'string') throw new Error(`${all} is not a name of the small town`);
      return value;
    },
  );
  return parseJson(text) as T;
}

function spread(value: unknown, names: Names): unknown {
  if (typeof value !== 'object' || value === null || !(SPREAD in value)) return value;
  const { [SPREAD]: group, ...own } = value as Record<string, unknown>;
  return { ...(names[group as string] as object), ...own };
}
