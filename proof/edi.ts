/**
 * Campaign `edi`: sends suppliers' files, valid and broken, several times and concurrently, and kills the service
 * meanwhile. Independent parsers also read the files that the service writes (proof/edi/readers.ts). A case is a broken
 * file, a compared shipment, a file that sixteen callers send, or a kill. A day of a supplier's year, a shipment that
 * is closed twice, and a mutant of the X12 parser are also cases.
 */
import { type Campaign, main, type Work } from './campaign.ts';
import { sendAtOnce } from './edi/at-once.ts';
import { broken, faultOfReading, keptFiles, sendBroken } from './edi/broken.ts';
import { killWhileTaking } from './edi/kills.ts';
import { Bench, mutantsOfRoom } from './edi/mutation/score.ts';
import { differencesOfNodeX12, differencesOfPerl, whyNoPerl } from './edi/readers.ts';
import { compareShipments } from './edi/same.ts';
import { closeShipments } from './edi/statements.ts';
import { EDI, PARTNER, PROFILE, pick } from './edi/supplier.ts';
import { simulateYear } from './edi/year.ts';
import { openService, type Service } from './service.ts';

/** Share of the mutants that tests must notice. */
const BAR = 0.9;

/**
 * Share of each part in the cases. The full run has about 200 kills, a year of days, 500 compared shipments, 500 closed
 * shipments, and every mutant.
 */
const SHARES = {
  read: 0.18,
  sent: 0.07,
  same: 0.085,
  atOnce: 0.015,
  kills: 0.034,
  days: 0.061,
  closes: 0.085,
  mutants: 0.47,
} as const;
type Part = keyof typeof SHARES;
const PARTS = Object.keys(SHARES) as Part[];

const BUGS: Readonly<Record<string, Part>> = {
  'a cut file is read as if it were whole': 'read',
  'the message has a unit more than the file': 'same',
  'a repeated file is taken as another': 'atOnce',
  'a booked set is taken again after a kill': 'kills',
  'an acknowledgment is lost': 'days',
  'a statement has a unit more than its 861': 'closes',
  'half of the tests of the syntax are left out': 'mutants',
};

export const edi: Campaign = {
  name: 'edi',
  unit: 'cases',
  count: 6_000,
  control: { planted: 'each of seven bugs, one at a time', count: 60, bugs: Object.keys(BUGS) },
  async run(work) {
    for (const part of PARTS) {
      const isAsked = work.bug === undefined || BUGS[work.bug] === part;
      if (isAsked && !work.enough()) await RUNS[part](work, countOf(work, part));
    }
  },
};

function countOf({ count, planted }: Work, part: Part): number {
  const share = planted ? 1 : SHARES[part];
  const most = { read: 60, sent: 20, same: 5, atOnce: 2, kills: 4, days: 12, closes: 3, mutants: 60 }[part];
  return planted ? most : Math.max(1, Math.round(count * share));
}

const RUNS: Readonly<Record<Part, (work: Work, count: number) => Promise<void>>> = {
  read: async (work, count) => {
    const files = keptFiles();
    for (let done = 0; done < count && !work.enough(); done += 1) {
      const file = pick(work.random, files);
      const one = broken(work.random, file);
      // The planted bug: the parser gets the undamaged file.
      const fault = await faultOfReading(work.planted ? { ...one, text: file } : one);
      if (fault !== undefined) work.fail(`a file ${one.what}: ${fault}`);
      work.done();
    }
  },
  sent: (work, count) => withPartner(work, (service) => sendBroken(work, service, count)),
  same: (work, count) => withPartner(work, (service) => compareShipments(work, service, count, work.planted)),
  atOnce: (work, count) => withPartner(work, (service) => sendAtOnce(work, service, count, work.planted)),
  kills: (work, count) => killWhileTaking(work, count, work.planted),
  days: (work, count) =>
    withPartner(work, async (service) => {
      const contents = await simulateYear(work, service, count, work.planted);
      if (!work.planted) readByOthers(work, contents);
    }),
  closes: (work, count) => withPartner(work, (service) => closeShipments(work, service, count, work.planted)),
  mutants: tryMutants,
};

async function withPartner(work: Work, run: (service: Service) => Promise<void>): Promise<void> {
  const service = await openService(work, { env: { MAX_WAIT_MS: '60000' } });
  try {
    const put = await service.operator('PUT', `${EDI}/partners/${PARTNER}`, PROFILE);
    if (put.status >= 300) throw new Error(`PUT of the partner returned ${put.status}: ${put.text}`);
    await run(service);
  } finally {
    await service.close();
  }
}

/** Compares the service's files with the result of two independent parsers. */
function readByOthers(work: Work, contents: readonly string[]): void {
  for (const content of contents) for (const difference of differencesOfNodeX12(content)) work.fail(difference);
  const missing = whyNoPerl();
  if (missing !== undefined) {
    work.say(`not read by the second reader: ${missing}`);
    return;
  }
  for (const difference of differencesOfPerl(contents)) work.fail(difference);
}

/** Tries a sample of the mutants, or all of them. */
async function tryMutants(work: Work, count: number): Promise<void> {
  const { mutants, sources } = mutantsOfRoom();
  const bench = new Bench(sources, work.planted ? /(check|files|envelope)\.test/ : undefined);
  try {
    await bench.begin();
    const chosen = count >= mutants.length ? mutants : sample(mutants, count, work.random);
    const alive: string[] = [];
    for (const mutant of chosen) {
      const { killedBy } = await bench.try(mutant);
      if (killedBy === undefined) alive.push(`${mutant.file}:${mutant.line} ${mutant.what}`);
      work.done();
    }
    const score = 1 - alive.length / chosen.length;
    work.figure('mutation score', score);
    if (chosen.length === mutants.length) for (const one of alive) work.say(`no test notices ${one}`);
    // A random sample may score up to three standard errors below the required share, because its score varies.
    const slack = chosen.length === mutants.length ? 0 : 3 * Math.sqrt((BAR * (1 - BAR)) / chosen.length);
    if (score < BAR - slack) {
      const missed = alive.join('; ');
      work.fail(`tests notice ${(100 * score).toFixed(1)} % of ${chosen.length} mutants, but not: ${missed}`);
    }
  } finally {
    await bench.end();
  }
}

function sample<T>(all: readonly T[], count: number, random: () => number): T[] {
  const left = [...all];
  return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)[0]!);
}

await main(edi, import.meta.url);
