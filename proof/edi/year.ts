/**
 * Simulates a supplier's year on the clock of the service. Files have gaps in their control numbers, and arrive twice,
 * late or out of order; some have wrong sets. Shipments are received and closed. The supplier acknowledges Backroom's
 * files late, in any order, or never. At the end, all counts must agree.
 */
import { DAY_MS } from '../../src/platform/time.ts';
import type { Work } from '../campaign.ts';
import { NOON, OPERATOR_KEY, type Service } from '../service.ts';
import { contentOf, type Listed, listAll, type Shown, shownIn } from './desk.ts';
import { anyShipment, between, EDI, fileOf, pick, type SetOf, type Shipment, setOf } from './supplier.ts';

const NODE = '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound';
const HEADERS = { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/edi-x12' };
/**
 * Maximum number of days until the supplier acknowledges a file. It is longer than the time after which an
 * acknowledgment is overdue.
 */
const LATE_DAYS = 3;

interface Sent {
  control: number;
  text: string;
  shipments: readonly { shipment: Shipment; isWrong: boolean }[];
  shown?: Shown;
}

/** Simulates `days` days. With `loses`, one outgoing file is lost. Returns the contents of all outgoing files. */
export async function simulateYear(work: Work, service: Service, days: number, loses = false): Promise<string[]> {
  const year = new Year(work, service);
  await year.begin();
  for (let day = 0; day < days && !work.enough(); day += 1) {
    service.clock.now = NOON + day * DAY_MS;
    await year.day(day);
    work.done();
  }
  await year.end(loses);
  if (!work.planted) work.say(year.summary());
  return year.contents;
}

class Year {
  readonly #work: Work;
  readonly #service: Service;
  readonly #sent: Sent[] = [];
  /** Files that the supplier sends later than it writes them. */
  #late: Sent[] = [];
  /** Groups that the supplier will acknowledge, each with the day of its acknowledgment. */
  #toAcknowledge: { day: number; functionalId: string; group: string; interchangeId: string; code: string }[] = [];
  readonly #acknowledged = new Map<string, string>();
  #closed: string[] = [];
  #control = 1;
  #made = 0;
  /** Interchanges that the town has at the start. */
  #before = new Set<string>();
  /** The files that Backroom wrote to the supplier. */
  contents: string[] = [];

  constructor(work: Work, service: Service) {
    this.#work = work;
    this.#service = service;
  }

  summary(): string {
    return `${this.#sent.length} files, ${this.contents.length} written, ${this.#acknowledged.size} acknowledged, ${this.#closed.length} shipments closed`;
  }

  async begin(): Promise<void> {
    this.#before = new Set((await listAll(this.#service.operator, '')).map(({ interchangeId }) => interchangeId));
  }

  async day(day: number): Promise<void> {
    const { random } = this.#work;
    const files = Array.from({ length: between(random, 0, 2) }, () => this.#write());
    if (random() < 0.2 && files.length > 0) this.#late.push(files.pop()!);
    if (random() < 0.3 && this.#late.length > 0) files.push(this.#late.shift()!);
    for (const file of files) await this.#send(file);
    if (random() < 0.3 && this.#sent.length > 0) await this.#repeat(pick(random, this.#sent));
    if (random() < 0.5) await this.#receive();
    await this.#service.runDue();
    await this.#take(day);
    await this.#acknowledge(day);
    this.#service.clock.now += 1_000;
    await this.#service.runDue();
  }

  #write(): Sent {
    const { random } = this.#work;
    // The control numbers of a supplier have gaps.
    this.#control += between(random, 1, 3);
    const shipments = Array.from({ length: between(random, 1, 3) }, () => {
      const shipment = anyShipment(random, `Y${++this.#made}`);
      const isWrong = random() < 0.15;
      if (isWrong) shipment.lines[0]!.item = 'NO-SUCH-ITEM';
      return { shipment, isWrong };
    });
    const sets: SetOf[] = shipments
      .map(({ shipment }) => setOf(shipment))
      .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
    return { control: this.#control, text: fileOf(this.#control, sets), shipments };
  }

  async #post(text: string) {
    return await this.#service.call({ method: 'POST', path: `${EDI}/interchanges`, raw: text, headers: HEADERS });
  }

  async #send(file: Sent): Promise<void> {
    const answer = await this.#post(file.text);
    const [shown] = answer.status === 201 ? shownIn(answer) : [];
    if (shown === undefined) {
      this.#work.fail(`a new file got ${answer.status}: ${answer.text.slice(0, 300)}`);
      return;
    }
    file.shown = shown;
    this.#sent.push(file);
    const wrong = file.shipments.filter(({ isWrong }) => isWrong).length;
    const expected = wrong === 0 ? 'ACCEPTED' : wrong === file.shipments.length ? 'REJECTED' : 'PARTLY';
    if (shown.status !== expected)
      this.#work.fail(`a file with ${wrong} wrong sets of ${file.shipments.length} is ${shown.status}`);
  }

  async #repeat({ text, shown }: Sent): Promise<void> {
    const answer = await this.#post(text);
    const [again] = shownIn(answer);
    // The comparison ignores the status of the acknowledgments, which may have changed since the first response.
    const plain = (one: Shown | undefined) =>
      JSON.stringify({ ...one, answers: one?.answers.map(({ content }) => content) });
    if (answer.status !== 200 || plain(again) !== plain(shown))
      this.#work.fail(`a repeated file got ${answer.status} and another response`);
  }

  /**
   * Receives units of the first line of a random shipment, and closes the shipment. Sometimes the shipment is reopened
   * and closed again.
   */
  async #receive(): Promise<void> {
    const { random } = this.#work;
    const open = this.#sent
      .flatMap(({ shipments }) => shipments)
      .filter(({ isWrong, shipment: { number } }) => !isWrong && !this.#closed.includes(number));
    if (open.length === 0) return;
    const { type, number, lines } = pick(random, open).shipment;
    const post = async (path: string, body: object) => {
      const answer = await this.#service.client('POST', `${NODE}/${type}/${number}/${path}`, {
        userId: 'lee',
        ...body,
      });
      if (answer.status >= 300) this.#work.fail(`${path} of ${number}: ${answer.status} ${answer.text.slice(0, 300)}`);
    };
    const { carton, item } = lines[0]!;
    const of = lines.filter((line) => line.carton === carton && line.item === item);
    const units = of.reduce((sum, line) => sum + line.units, 0);
    const receive = (good: number, damaged: number) =>
      post('receipts', {
        receiptId: `year-r-${number}-${good}-${this.#closed.length}`,
        lines: [
          {
            ...(type === 'ASN' && { cartonId: carton }),
            itemId: `21-${item}`,
            good,
            ...(damaged > 0 && { damaged, reason: 'BROKEN' }),
          },
        ],
      });
    const good = between(random, 1, Math.max(1, units - 1));
    await receive(good, units > good && random() < 0.3 ? 1 : 0);
    await post('close', { closeId: `year-c-${number}-1`, reasons: [{ reason: 'LOST' }] });
    this.#closed.push(number);
    if (random() < 0.2) {
      await post('reopen', { reason: 'IT CAME' });
      await post('close', { closeId: `year-c-${number}-2`, reasons: [{ reason: 'LOST' }] });
      this.#closed.push(number);
    }
  }

  /** Marks the waiting files as taken, and chooses a day for the acknowledgment of each. */
  async #take(day: number): Promise<void> {
    const { random } = this.#work;
    const { operator } = this.#service;
    for (const { interchangeId, setIds } of await listAll(operator, '&direction=OUT&status=WAITING')) {
      const content = await contentOf(operator, interchangeId);
      this.contents.push(content);
      await operator('POST', `${EDI}/interchanges/${interchangeId}/taken`, {});
      const [, functionalId = '', group = ''] = /^GS\*(AG|RC)\*[^~]*\*(\d+)\*X\*/m.exec(content) ?? [];
      if (functionalId === '' || random() < 0.1) continue;
      if (!setIds.includes(functionalId === 'AG' ? '824' : '861'))
        this.#work.fail(`${setIds.join()} in a group ${functionalId}`);
      const code = random() < 0.9 ? 'A' : 'R';
      this.#toAcknowledge.push({ day: day + between(random, 0, LATE_DAYS), functionalId, group, interchangeId, code });
    }
  }

  async #acknowledge(day: number): Promise<void> {
    const { random } = this.#work;
    const due = this.#toAcknowledge.filter((one) => one.day <= day);
    this.#toAcknowledge = this.#toAcknowledge.filter((one) => one.day > day);
    if (due.length === 0) return;
    this.#control += between(random, 1, 3);
    const sets = due
      .toSorted(() => random() - 0.5)
      .map(
        ({ functionalId, group, code }): SetOf => [
          '997',
          [`AK1*${functionalId}*${group}`, `AK9*${code}*1*1*${code === 'A' ? 1 : 0}`],
        ],
      );
    const answer = await this.#post(fileOf(this.#control, sets));
    const [shown] = answer.status === 201 ? shownIn(answer) : [];
    if (shown?.status !== 'ACCEPTED' || shown.answers.length > 0)
      this.#work.fail(`acknowledgments got ${answer.status} ${shown?.status}`);
    for (const { interchangeId, code } of due)
      this.#acknowledged.set(interchangeId, code === 'A' ? 'ACKNOWLEDGED' : 'REFUSED');
  }

  /** Checks all files, acknowledgments and statements at the end of the year. */
  async end(loses: boolean): Promise<void> {
    const { operator, clock, runDue, store } = this.#service;
    clock.now += 2 * DAY_MS;
    await runDue();
    const all = await listAll(operator, '&direction=OUT');
    const ours = new Set(this.#sent.map(({ shown }) => shown?.interchangeId));
    const lost = loses ? all.findIndex(({ sourceId }) => ours.has(sourceId)) : -1;
    const out = all.filter((_, at) => at !== lost);
    await this.#everyFileOnce(out);
    this.#numbersOnce(out);
    this.#acknowledgmentsCame(out);
    const advices = out.filter(({ setIds }) => setIds.includes('861'));
    if (advices.length !== this.#closed.length)
      this.#work.fail(`${advices.length} statements were sent of ${this.#closed.length}`);
    const kept = await store.read((db) =>
      db
        .selectFrom('edi_interchanges')
        .select('interchange_id')
        .where('client_id', '=', 'TOWN')
        .where('status', '=', 'TAKING')
        .execute(),
    );
    if (kept.length > 0) this.#work.fail(`${kept.length} interchanges are left as TAKING`);
    for (const content of this.contents.filter((one) => one.includes('*861*'))) this.#statementAddsUp(content);
  }

  /** Checks that each file has one 997, that each wrong set has an 824, and that each right set is booked. */
  async #everyFileOnce(out: readonly Listed[]): Promise<void> {
    const { operator } = this.#service;
    for (const { shown, shipments, control } of this.#sent) {
      const own = out.filter(({ sourceId }) => sourceId === shown?.interchangeId);
      const wrong = shipments.filter(({ isWrong }) => isWrong).length;
      const kinds = own
        .map(({ setIds }) => setIds[0])
        .toSorted()
        .join();
      const expected = [...Array.from({ length: wrong }, () => '824'), '997'].join();
      if (kinds !== expected)
        this.#work.fail(`file ${control} has the acknowledgments ${kinds} instead of ${expected}`);
      for (const {
        shipment: { type, number },
        isWrong,
      } of shipments) {
        const { status } = await operator('GET', `/operator/v1/clients/TOWN/inbound/${type}/${number}`);
        if ((status === 200) === isWrong) this.#work.fail(`${type} ${number}: status ${status}`);
      }
    }
    const kept = await listAll(operator, '&direction=IN&setId=856');
    const orders = await listAll(operator, '&direction=IN&setId=850');
    const ids = new Set([...kept, ...orders].map(({ interchangeId }) => interchangeId)).difference(this.#before);
    if (ids.size !== this.#sent.length)
      this.#work.fail(`${ids.size} interchanges are kept of ${this.#sent.length} files`);
  }

  #numbersOnce(out: readonly Listed[]): void {
    const numbers = new Set(out.map(({ controlNumber }) => controlNumber));
    if (numbers.size !== out.length) this.#work.fail(`${out.length} interchanges have ${numbers.size} control numbers`);
  }

  #acknowledgmentsCame(out: readonly Listed[]): void {
    for (const { interchangeId, status, setIds } of out) {
      const needsNone = setIds.includes('997');
      const expected = needsNone ? 'TAKEN' : (this.#acknowledged.get(interchangeId) ?? 'OVERDUE');
      if (status !== expected && status !== 'WAITING')
        this.#work.fail(`${setIds.join()} ${interchangeId} is ${status} instead of ${expected}`);
    }
  }

  /**
   * Checks the sums of an 861: announced and excess units must equal received (RCD02), returned (RCD04) and short
   * units.
   */
  #statementAddsUp(content: string): void {
    const number = /BRA\*([^*]+)/.exec(content)?.[1];
    const shipment = this.#sent
      .flatMap(({ shipments }) => shipments)
      .find((one) => one.shipment.number === number)?.shipment;
    if (shipment === undefined) {
      this.#work.fail(`a statement of ${number}, which was not sent`);
      return;
    }
    let [received, returned, short, over] = [0, 0, 0, 0];
    for (const line of content.split('~').filter((one) => /^\s*RCD/.test(one))) {
      const elements = line.trim().split('*');
      received += Number(elements[2]);
      returned += Number(elements[4] || 0);
      for (let at = 6; at < elements.length; at += 3) {
        if (elements[at + 2] === '02') short += Number(elements[at]);
        if (elements[at + 2] === '03') over += Number(elements[at]);
      }
    }
    const announced = shipment.lines.reduce((sum, { units }) => sum + units, 0);
    if (announced + over !== received + returned + short) {
      this.#work.fail(
        `861 of ${number}: announced ${announced} + over ${over} is not received ${received} + returned ${returned} + short ${short}`,
      );
    }
  }
}
