/**
 * Receives random units of shipments from EDI, closes the shipments, reopens them, and receives and closes them again.
 * Each 861 must have the lines and sums of its statement.
 */
import type { Work } from '../campaign.ts';
import { OPERATOR_KEY, type Service } from '../service.ts';
import { contentOf, listAll, shownIn } from './desk.ts';
import { anyShipment, between, EDI, fileOf, type Shipment, setOf } from './supplier.ts';

const NODE = '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound';
/** Number of shipments in one file. They are closed together. */
const TOGETHER = 20;
/** Maximum number of units of a line that arrive in excess of the announced units. */
const OVER_MAX = 2;

/** The units of one line of a statement, or of all its lines. */
interface Counts {
  announced: number;
  good: number;
  damaged: number;
  refused: number;
  held: number;
  short: number;
  over: number;
}

interface StatementLine extends Counts {
  cartonId?: string;
  clientItemId: string;
}

interface Statement {
  version: number;
  lines: StatementLine[];
  totals: Counts;
}

/** Closes `count` shipments, each twice. With `isWrong`, each 861 has one unit less than its statement. */
export async function closeShipments(work: Work, service: Service, count: number, isWrong = false): Promise<void> {
  for (let done = 0; done < count && !work.enough(); done += TOGETHER) {
    const shipments = Array.from({ length: Math.min(TOGETHER, count - done) }, (_, at) =>
      anyShipment(work.random, `C${done + at}`),
    );
    const sets = shipments.map((shipment) => setOf(shipment)).toSorted(([one], [other]) => Number(other) - Number(one));
    const sent = await service.call({
      method: 'POST',
      path: `${EDI}/interchanges`,
      raw: fileOf(700_000_001 + done, sets),
      headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/edi-x12' },
    });
    const [shown] = sent.status === 201 ? shownIn(sent) : [];
    if (shown?.status !== 'ACCEPTED') work.fail(`shipments ${done}: ${sent.status} ${sent.text.slice(0, 500)}`);
    for (const version of [1, 2]) {
      const closed = new Map<string, Statement>();
      for (const shipment of shipments) closed.set(shipment.number, await close(work, service, shipment, version));
      service.clock.now += 1_000;
      await service.runDue();
      const told = await statementsOf(service);
      if (told.length !== shipments.length)
        work.fail(`${told.length} statements were told of ${shipments.length} closes ${version}`);
      for (const { number, content } of told) {
        const statement = closed.get(number);
        if (isWrong) statement!.lines[0]!.good += 1;
        const fault = statement === undefined ? 'its shipment was not closed' : faultOf(content, number, statement);
        if (fault !== undefined) work.fail(`861 of ${number}, close ${version}: ${fault}`);
      }
    }
    work.done(shipments.length);
  }
}

/** Receives random units of a shipment and closes it. If `version` is above 1, reopens the shipment first. */
async function close(work: Work, service: Service, shipment: Shipment, version: number): Promise<Statement> {
  const { type, number, lines } = shipment;
  const { random } = work;
  const post = (path: string, body: object) => action(work, service, shipment, path, body);
  if (version > 1) await post('reopen', { reason: 'MORE CAME' });
  const keys = new Map(lines.map((line) => [`${line.carton} ${line.item}`, line]));
  const received = [...keys.values()].flatMap((line) => {
    if (random() < 0.3) return [];
    const left = between(random, 0, version === 1 ? line.units + OVER_MAX : OVER_MAX);
    const [damaged, refused] = [between(random, 0, 1), between(random, 0, 1)];
    const good = Math.max(0, left - damaged - refused);
    if (good + damaged + refused === 0) return [];
    return [
      {
        ...(type === 'ASN' && { cartonId: line.carton }),
        clientItemId: line.item,
        ...(good > 0 && { good }),
        ...(damaged > 0 && { damaged }),
        ...(refused > 0 && { refused }),
        ...(damaged + refused > 0 && { reason: 'WET' }),
      },
    ];
  });
  if (received.length > 0) await post('receipts', { receiptId: `edi-r-${number}-${version}`, lines: received });
  await approveHeld(work, service, shipment, version);
  const body = { closeId: `edi-c-${number}-${version}`, reasons: [{ reason: 'COUNTED' }] };
  return (await post('close', body)) as Statement;
}

/** Decides whether the held units, which exceed the announced units, count as good or as `refused`. */
async function approveHeld(work: Work, service: Service, shipment: Shipment, version: number): Promise<void> {
  const { type, number } = shipment;
  const { body } = await service.client('GET', `${NODE}/${type}/${number}`);
  const { keys } = (body as { sums: { keys: { cartonId?: string; itemId: string; held: number }[] } }).sums;
  const lines = keys
    .filter(({ held }) => held > 0)
    .map(({ cartonId, itemId, held }) => ({
      ...(cartonId !== undefined && { cartonId }),
      itemId,
      [work.random() < 0.5 ? 'good' : 'refused']: held,
    }));
  if (lines.length === 0) return;
  await action(work, service, shipment, 'approve', { approvalId: `edi-a-${number}-${version}`, lines });
}

async function action(work: Work, service: Service, { type, number }: Shipment, path: string, body: object) {
  const answer = await service.client('POST', `${NODE}/${type}/${number}/${path}`, { userId: 'lee', ...body });
  if (answer.status >= 300) work.fail(`${path} of ${number}: ${answer.status} ${answer.text.slice(0, 300)}`);
  return answer.body;
}

/** Returns the waiting 861s. Marks all waiting interchanges as taken. */
async function statementsOf({ operator }: Service): Promise<{ number: string; content: string }[]> {
  const told: { number: string; content: string }[] = [];
  for (const { interchangeId, receipt } of await listAll(operator, '&direction=OUT&status=WAITING')) {
    if (receipt !== undefined) told.push({ number: receipt.number, content: await contentOf(operator, interchangeId) });
    await operator('POST', `${EDI}/interchanges/${interchangeId}/taken`, {});
  }
  return told;
}

/** The count that each condition code of an RCD segment reports. */
const CONDITIONS: Readonly<Record<string, keyof Counts>> = {
  '01': 'damaged',
  '02': 'short',
  '03': 'over',
  '09': 'held',
};

function faultOf(content: string, number: string, { version, lines, totals }: Statement): string | undefined {
  const segments = content.split('~').map((one) => one.trim().split('*'));
  const bra = segments.find(([id]) => id === 'BRA');
  if (bra?.[1] !== number || bra[3] !== (version === 1 ? '00' : '05')) return `BRA is ${bra?.join('*')}`;
  const told = segments.filter(([id]) => id === 'RCD');
  if (told.length !== lines.length) return `${told.length} RCD of ${lines.length} lines`;
  const sums: Counts = { announced: 0, good: 0, damaged: 0, refused: 0, held: 0, short: 0, over: 0 };
  for (const [at, line] of lines.entries()) {
    const rcd = told[at]!;
    const counts = countsOf(rcd);
    const expected = { ...line, announced: counts.announced };
    for (const name of Object.keys(sums) as (keyof Counts)[]) {
      if (name !== 'announced' && counts[name] !== expected[name])
        return `line ${at + 1} has ${counts[name]} ${name} of ${expected[name]}: ${rcd.join('*')}`;
      sums[name] += name === 'announced' ? line.announced : counts[name];
    }
    const from = segments.indexOf(rcd);
    const [lin, man] = [segments[from + 1]!, segments[from + 2]!];
    if (lin.join('*') !== `LIN**SK*${line.clientItemId}`) return `line ${at + 1} is of ${lin.join('*')}`;
    if (line.cartonId !== undefined && man.join('*') !== `MAN*GM*${line.cartonId}`)
      return `line ${at + 1} is in ${man.join('*')}`;
  }
  const { announced, over, good, damaged, held, refused, short } = sums;
  if (announced !== totals.announced || announced + over !== good + damaged + held + refused + short)
    return `announced ${announced} + over ${over} is not good ${good} + damaged ${damaged} + held ${held} + returned ${refused} + short ${short}`;
  return undefined;
}

/**
 * Returns the counts of an RCD segment: RCD02 has the received units and RCD04 the returned units. From RCD06 on, there
 * are triples of quantity, unit and condition.
 */
function countsOf(rcd: readonly string[]): Counts {
  const counts: Counts = {
    announced: 0,
    good: 0,
    damaged: 0,
    refused: Number(rcd[4] || 0),
    held: 0,
    short: 0,
    over: 0,
  };
  for (let at = 6; at + 2 < rcd.length; at += 3) counts[CONDITIONS[rcd[at + 2]!]!] += Number(rcd[at]);
  return { ...counts, good: Number(rcd[2]) - counts.damaged - counts.held };
}
