/** Compares two versions of an item, for its history. */

import { stringifyJson } from '../platform/message/json.ts';
import { isRecord } from '../platform/message/record.ts';

/** A changed field: its JSON pointer, the value before (absent: added) and the value after (absent: removed). */
export interface Change {
  path: string;
  from?: unknown;
  to?: unknown;
}

/** Returns every field that differs, at the deepest level. Elements of lists are compared by index. */
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
