/** What doctor looks at, and how it says what it found. */

/**
 * Every check by its name, and where there is something to look at: `server` is PostgreSQL, `file` SQLite. Those of `start` are
 * looked at when the service starts, too: they are quick, and each is a line of the log. docs/doctor.md has a row for each.
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
  'units of picks': { of: 'both' },
  'units of check-ins': { of: 'both' },
  'units on their way back': { of: 'both' },
  'units in packages': { of: 'both' },
  're-source requests': { of: 'both' },
  'units of tickets': { of: 'both' },
  'orders and tickets': { of: 'both' },
  'one ticket an order': { of: 'both' },
  'levels of stock': { of: 'both' },
  'moves of stock': { of: 'both' },
  'stock of orders': { of: 'both' },
  'sums of goods in': { of: 'both' },
  'places of goods in': { of: 'both' },
  shipments: { of: 'both' },
  cartons: { of: 'both' },
} as const satisfies Record<string, { of: 'both' | 'server' | 'file'; start?: true }>;
export type Check = keyof typeof CHECKS;

/** `warning`: it works, and will not for long or not as it should; `unknown`: it could not be looked at. */
export type Level = 'ok' | 'warning' | 'error' | 'unknown';

/** One thing that was looked at. */
export interface Finding {
  check: Check;
  /** True also for a warning. */
  ok: boolean;
  level: Level;
  found: string;
  /** What to do; not there where all is well. */
  fix?: string;
}

/** Something wrong, and what to do about it. */
export interface Trouble {
  found: string;
  fix: string;
}

/** How many offenders are named. */
const NAMED = 3;

export function fine(check: Check, found: string): Finding {
  return { check, ok: true, level: 'ok', found };
}

/** The finding of a check: its troubles, or what is well where there are none. */
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
