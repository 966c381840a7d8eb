/**
 * `npm run proof:upgrade`: upgrades released programs while clients write, as docs/how-to/upgrade.md describes. If the
 * table of that guide allows it, the upgrade is rolling, and one process returns to the older version in between.
 * Otherwise the campaign stops the service. No acknowledged write may be lost. See proof/README.md.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PostgresServer } from '../town/postgres-server.ts';
import { NotHere, RELEASES } from '../town/releases.ts';
import { type Engine, upperBound } from './campaign.ts';
import { isRolling, next, release, today } from './upgrade/releases.ts';
import { type Outcome, type Plan, play } from './upgrade/turn.ts';

const NEXT = 'next';
/**
 * Number of controls in a short run: the upgrade from the last release that requires a stop, and a next version that
 * breaks this one.
 */
const CONTROLS_OF_SHORT = 2;
const SHOWN = 5;
const SHOWN_CHARACTERS = 400;

const say = (line: string) => process.stderr.write(`upgrade: ${line}\n`);

type Way = Pick<Plan, 'from' | 'to' | 'engine'> & Partial<Pick<Plan, 'force'>>;
type Played = Outcome & { name: string; engine: Engine };

/** Returns the upgrades from each earlier program to this one, and from this program to a next one. */
function waysOf(froms: readonly string[], engines: readonly Engine[], folder: string): Way[] {
  return froms.flatMap((name): Way[] => {
    // SQLite has one process for each file, so only PostgreSQL has a rolling upgrade.
    if (name === NEXT)
      return engines.includes('postgres') ? [{ from: today(), to: next(folder), engine: 'postgres' }] : [];
    const from = release(name);
    return engines.map((engine) => ({ from, to: today(), engine }));
  });
}

/**
 * Returns the upgrades in which the campaign must find a failure. In some, an older version continues to serve although
 * the table requires a stop. In the last, an undeclared migration breaks the older version.
 */
function controlsOf(froms: readonly string[], engines: readonly Engine[], folder: string): Way[] {
  if (!engines.includes('postgres')) return [];
  const forced = froms
    .filter((name) => name !== NEXT)
    .map((name) => release(name))
    .filter((from) => !isRolling(from, today()));
  const breaking: Way[] = froms.includes(NEXT)
    ? [{ from: today(), to: next(folder, { breaks: true }), engine: 'postgres' }]
    : [];
  return [...forced.map((from): Way => ({ from, to: today(), engine: 'postgres', force: true })), ...breaking];
}

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      from: { type: 'string', default: [...Object.keys(RELEASES), NEXT].join(',') },
      engine: { type: 'string', default: 'sqlite,postgres' },
      turns: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '10' },
      clients: { type: 'string', default: '8' },
      seed: { type: 'string', default: '1' },
      short: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const froms = values.from.split(',');
  const engines = values.engine.split(',') as Engine[];
  const seconds = values.short ? 2 : Number(values.seconds);
  const clients = values.short ? 4 : Number(values.clients);
  const folder = mkdtempSync(join(tmpdir(), 'backroom-upgrade-'));
  let server: PostgresServer | undefined;
  try {
    const ways = waysOf(froms, engines, folder);
    const controls = controlsOf(froms, engines, folder).slice(values.short ? -CONTROLS_OF_SHORT : 0);
    server = engines.includes('postgres') ? await PostgresServer.start() : undefined;
    const seed = Number(values.seed);
    const one = (way: Way, turn: number, isControl = false) =>
      played(
        {
          ...way,
          seed: seed * 1_000 + turn,
          seconds,
          clients,
          folder,
          serverUrl: way.engine === 'postgres' ? server?.url : undefined,
        },
        isControl,
      );
    const proper: Played[] = [];
    for (let turn = 0; turn < Number(values.turns); turn += 1) {
      for (const way of ways) proper.push(await one(way, turn));
    }
    const caught: boolean[] = [];
    for (const way of controls) caught.push(isCaught(await one(way, 0, true)));
    const failed = proper.filter(isWrong).length;
    const sum = (of: (one: Played) => number) => proper.reduce((all, one) => all + of(one), 0);
    const result = {
      campaign: 'upgrade',
      turns: proper.length,
      failed,
      acknowledged: sum(({ acknowledged }) => acknowledged),
      repeated: sum(({ repeated }) => repeated),
      unavailable: sum(({ unavailable }) => unavailable),
      broken: sum(({ broken }) => broken),
      lost: sum(({ lost }) => lost.length),
      control: { turns: caught.length, caught: caught.filter(Boolean).length },
      bound95: upperBound(failed, proper.length),
    };
    console.log(values.json ? JSON.stringify(result) : table(proper));
    return failed === 0 && proper.length > 0 && caught.every(Boolean) ? 0 : 1;
  } finally {
    await server?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function played(plan: Plan, isControl: boolean): Promise<Played> {
  const name = `${plan.from.name} to ${plan.to.name}`;
  const outcome = await play(plan).catch(brokenOff);
  const { how, acknowledged, repeated, unavailable, broken, lost, faults } = outcome;
  const part = isControl ? 'control, ' : '';
  say(
    `${part}${name}, ${plan.engine}, ${how}: ${acknowledged} acknowledged, ${repeated} repeated, ${unavailable} with 503, ${broken} other 5xx, ${lost.length} lost, ${faults.length} failures`,
  );
  const shown = isControl ? 1 : SHOWN;
  for (const fault of [...faults.slice(0, shown), ...lost.slice(0, shown)])
    say(`  ${fault.slice(0, SHOWN_CHARACTERS)}`);
  return { ...outcome, name, engine: plan.engine };
}

function brokenOff(error: unknown): Outcome {
  const why = `the turn was interrupted: ${(error as Error).stack}`;
  return {
    how: 'stop',
    acknowledged: 0,
    repeated: 0,
    unavailable: 0,
    broken: 0,
    lost: [],
    faults: [why],
    brokenOff: why,
  };
}

function isWrong({ lost, faults }: Outcome): boolean {
  return lost.length + faults.length > 0;
}

/** Returns whether callers or the database showed a failure. Other errors of the run do not count. */
function isCaught(outcome: Outcome): boolean {
  return isWrong(outcome) && outcome.brokenOff === undefined && outcome.broken + outcome.lost.length > 0;
}

/** Returns the results as a Markdown table, as in docs/reliability.md. */
function table(proper: readonly Played[]): string {
  const head = [
    'upgrade',
    'engine',
    'how',
    'turns',
    'acknowledged',
    'repeated',
    '503',
    'other 5xx',
    'lost',
    'failed turns',
  ];
  const lines = Map.groupBy(proper, ({ name, engine, how }) => [name, engine, how].join(' | '));
  const rows = [...lines].map(([what, turns]) => {
    const sum = (of: (one: Played) => number) => turns.reduce((all, one) => all + of(one), 0).toLocaleString('en-US');
    return [
      what,
      turns.length,
      sum(({ acknowledged }) => acknowledged),
      sum(({ repeated }) => repeated),
      sum(({ unavailable }) => unavailable),
      sum(({ broken }) => broken),
      sum(({ lost }) => lost.length),
      turns.filter(isWrong).length,
    ];
  });
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof NotHere)) throw error;
  say(`not run: ${error.message}`);
  process.exitCode = 2;
}
