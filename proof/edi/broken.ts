/**
 * Files that are cut, changed or have wrong counts. The campaign reads them with the X12 parser alone, and sends them
 * to the service.
 */
import { globSync, readFileSync } from 'node:fs';
import { functionalAcknowledgments, interchangeAcknowledgment } from '../../src/platform/x12/acknowledge.ts';
import { judge } from '../../src/platform/x12/check.ts';
import type { Finding } from '../../src/platform/x12/findings.ts';
import { readBody } from '../../src/platform/x12/tokens.ts';
import type { Work } from '../campaign.ts';
import { OPERATOR_KEY, type Service } from '../service.ts';
import { shownIn } from './desk.ts';
import { anyShipment, between, EDI, fileOf, pick, type Random, setOf } from './supplier.ts';

const FOLDER = new URL('../../test/edi/files/', import.meta.url);
const OTHERS = '*~>^:|A0Z9 \n\r\t\x01\x80\xc3\xff';

/** A broken file; `what` describes the damage and its place. */
export interface Broken {
  text: string;
  what: string;
  /** True if the file is cut before its trailer, so that the parser must find an error. */
  isCut?: boolean;
}

/** Breaks a file at a random place. */
export function broken(random: Random, file: string): Broken {
  const place = between(random, 0, file.length - 1);
  const way = between(random, 0, 3);
  if (way === 0) {
    const isCut = file.split('ISA').length === 2 && place < file.lastIndexOf('IEA');
    return { text: file.slice(0, place), what: `cut at byte ${place}`, isCut };
  }
  if (way === 1) {
    const other = OTHERS.charAt(between(random, 0, OTHERS.length - 1));
    return {
      text: file.slice(0, place) + other + file.slice(place + 1),
      what: `byte ${place} as ${JSON.stringify(other)}`,
    };
  }
  if (way === 2) {
    const counts = [...file.matchAll(/(?<=(?:SE|GE|IEA|CTT)\*)\d+/g)];
    if (counts.length > 0) {
      const { index, 0: sent } = pick(random, counts);
      const text = `${file.slice(0, index)}${Number(sent) + between(random, 1, 9)}${file.slice(index + sent.length)}`;
      return { text, what: `another count at byte ${index}` };
    }
  }
  const end = between(random, place, Math.min(file.length, place + 60));
  return { text: file.slice(0, place) + file.slice(end), what: `without the bytes ${place} to ${end}` };
}

/** Returns the stored EDI files of the tests, which resemble the output of other programs. */
export function keptFiles(): string[] {
  return globSync('*.x12', { cwd: FOLDER })
    .toSorted()
    .map((file) => readFileSync(new URL(file, FOLDER), 'latin1'));
}

/** Reads and checks a broken file. Returns what is wrong with the result; undefined if it is right. */
export async function faultOfReading({ text, isCut = false }: Broken): Promise<string | undefined> {
  const body = await readBody(Buffer.from(text, 'latin1'));
  if ('noEnvelope' in body) return placeFault(body.noEnvelope, text.length);
  let errors = 0;
  for (const interchange of body.interchanges) {
    const judged = await judge(interchange, { judgesAll: true });
    functionalAcknowledgments(judged, '004010');
    interchangeAcknowledgment(judged, 'ALWAYS');
    const all = [...judged.findings, ...judged.groups.flatMap(({ sets }) => sets.flatMap(({ findings }) => findings))];
    for (const found of all) {
      const fault = placeFault(found, text.length - interchange.start);
      if (fault !== undefined) return fault;
    }
    const own = all.filter(({ level }) => level === 'ERROR').length;
    errors += own;
    const isRejected = judged.groups.some(
      ({ rejected, sets }) => rejected || sets.some(({ outcome }) => outcome !== 'ACCEPTED'),
    );
    if (own > 0 && !judged.rejected && !isRejected) return 'an error rejects nothing';
  }
  return isCut && errors === 0 ? 'a cut file has no error' : undefined;
}

function placeFault({ code, offset, message, cure }: Finding, length: number): string | undefined {
  if (!(offset >= 0 && offset <= length)) return `${code} is at byte ${offset} of ${length}`;
  return message === '' || cure === '' ? `${code} says nothing` : undefined;
}

/**
 * Sends broken files. The service must respond as documented, book each accepted set completely, and book no other set.
 */
export async function sendBroken(work: Work, { call, operator }: Service, count: number): Promise<void> {
  const { random } = work;
  for (let done = 0; done < count && !work.enough(); done += 1) {
    const control = 700_000_000 + done;
    const shipments = [0, 1].map((at) => anyShipment(random, `B${done}-${at}`, 'ASN'));
    const { text, what } = broken(
      random,
      fileOf(
        control,
        shipments.map((one) => setOf(one)),
      ),
    );
    const headers = { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/edi-x12' };
    const answer = await call({
      method: 'POST',
      path: `${EDI}/interchanges`,
      raw: Buffer.from(text, 'latin1'),
      headers,
    });
    work.done();
    if (![200, 201, 400].includes(answer.status)) {
      work.fail(`a file ${what}: status ${answer.status} ${answer.text.slice(0, 200)}`);
      continue;
    }
    const booked = new Map<string, number>();
    if (answer.status !== 400) {
      for (const { sets, status, findings: ofEnvelope } of shownIn(answer)) {
        if (status === 'TAKING') work.fail(`a file ${what}: left as TAKING`);
        const isGroupRejected = ofEnvelope.some(({ level }) => level === 'ERROR');
        for (const { resources, outcome, findings } of sets) {
          for (const { number } of resources) booked.set(number, (booked.get(number) ?? 0) + 1);
          const hasError = isGroupRejected || findings.some(({ level }) => level === 'ERROR');
          if (hasError === (outcome === 'ACCEPTED')) work.fail(`a file ${what}: a set is ${outcome}`);
        }
      }
    }
    for (const { number } of shipments) {
      const { status } = await operator('GET', `/operator/v1/clients/TOWN/inbound/ASN/${number}`);
      if ((status === 200) !== booked.has(number))
        work.fail(`a file ${what}: ASN ${number} is ${status}, booked by the response: ${booked.has(number)}`);
    }
  }
}
