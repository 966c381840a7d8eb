/** The checks of doctor, and the form of their findings. */

/**
 * Every check by name, with its engine: `server` is PostgreSQL, `file` is SQLite. The service also runs the checks
 * marked `start` when it starts: they are quick, and each problem that they find is a line of the log. docs/doctor.md
 * has a row for each check.
 */
export const CHECKS = {
  database: { of: 'both' },
  server: { of: 'server' },
  pooler: { of: 'server' },
  schema: { of: 'both' },
  file: { of: 'file' },
  primary: { of: 'server', start: true },
  durability: { of: 'server', start: true },
  connections: { of: 'server', start: true },
  clock: { of: 'server', start: true },
  'database certificate': { of: 'server', start: true },
  replica: { of: 'server', start: true },
  shards: { of: 'server', start: true },
  certificate: { of: 'both', start: true },
  traces: { of: 'both' },
  'plain text': { of: 'both', start: true },
  files: { of: 'file' },
  disk: { of: 'file', start: true },
  secret: { of: 'both' },
  backups: { of: 'both' },
  'events to come': { of: 'both' },
  'places of events': { of: 'both' },
  webhooks: { of: 'both' },
  imports: { of: 'both' },
  documents: { of: 'both' },
  'states of orders': { of: 'both' },
  'units of orders': { of: 'both' },
  amounts: { of: 'both' },
  'sealed values': { of: 'both' },
  numbers: { of: 'both' },
  'words of items': { of: 'both' },
  'keys of orders': { of: 'both' },
  'units of picks': { of: 'both' },
  'units of check-ins': { of: 'both' },
  'units on their way back': { of: 'both' },
  'units in packages': { of: 'both' },
  're-source requests': { of: 'both' },
  'units of tickets': { of: 'both' },
  'orders and tickets': { of: 'both' },
  revisions: { of: 'both' },
  'one ticket an order': { of: 'both' },
  'levels of stock': { of: 'both' },
  'moves of stock': { of: 'both' },
  'stock of orders': { of: 'both' },
  'sums of goods in': { of: 'both' },
  'places of goods in': { of: 'both' },
  shipments: { of: 'both' },
  cartons: { of: 'both' },
  'count plans': { of: 'both' },
  'units of returns': { of: 'both' },
  refunds: { of: 'both' },
  interchanges: { of: 'both' },
} as const satisfies Record<string, { of: 'both' | 'server' | 'file'; start?: true }>;
export type Check = keyof typeof CHECKS;

/** `warning`: the checked part works now, but needs attention; `unknown`: the check could not be completed. */
export type Level = 'ok' | 'warning' | 'error' | 'unknown';

/** The result of one check. */
export interface Finding {
  check: Check;
  /** False for the levels `error` and `unknown`. */
  ok: boolean;
  level: Level;
  found: string;
  /** The fix; absent if the check found no problem. */
  fix?: string;
}

/** A problem and its fix. */
export interface Trouble {
  found: string;
  fix: string;
}

/** Maximum number of problems that one finding names. */
const NAMED = 3;

export function fine(check: Check, found: string): Finding {
  return { check, ok: true, level: 'ok', found };
}

/** Returns the finding of a check with its problems. Without a problem, the finding has the text `well`. */
export function finding(
  check: Check,
  troubles: readonly Trouble[],
  well: string,
  level: Exclude<Level, 'ok'> = 'error',
): Finding {
  if (troubles.length === 0) return fine(check, well);
  const named = troubles.slice(0, NAMED);
  const fixes = new Set(named.map(({ fix }) => fix));
  return {
    check,
    ok: level === 'warning',
    level,
    found: named.map(({ found }) => found.replace(/\.$/, '')).join('; '),
    fix: [...fixes].join('; '),
  };
}

/** A finding as a sentence for people. */
export function sentenceOf({ found, fix }: Finding): string {
  return fix === undefined ? found : `${found}; ${fix}`;
}
