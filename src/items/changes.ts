/** What changed between two items, for their history. */

import { stringifyJson } from '../platform/message/json.ts';
import { isRecord } from '../platform/message/record.ts';

/** One change: the JSON pointer of the field, its value before (absent: it was added) and after (absent: it was removed). */
export interface Change {
  path: string;
  from?: unknown;
  to?: unknown;
}

/** Every field that differs, down to the innermost; elements of lists are compared by their place. */
export function changesBetween(from: unknown, to: unknown, path = ''): Change[] {
  if (from !== undefined && to !== undefined) {
    const [a, b] = [membersOf(from), membersOf(to)];
    if (a !== undefined && b !== undefined && Array.isArray(from) === Array.isArray(to)) {
      const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
      return names.flatMap((name) => changesBetween(a[name], b[name], `${path}/${name}`));
    }
    if (from === to || stringifyJson(from) === stringifyJson(to)) return [];
  }
  return [{ path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
}

function membersOf(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) || Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}
