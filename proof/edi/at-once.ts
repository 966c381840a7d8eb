/**
 * Sixteen callers send the same file at the same time. The file must have one effect, and all callers must get the same
 * acknowledgment.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../../town/call.ts';
import type { Work } from '../campaign.ts';
import { OPERATOR_KEY, type Service } from '../service.ts';
import { listAll, shownIn } from './desk.ts';
import { anyShipment, EDI, fileOf, setOf } from './supplier.ts';

const CALLERS = 16;
const HEADERS = { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/edi-x12' };

/**
 * Sends `count` files. `isAnother` plants the bug of the control run: each caller uses its own control number, so the
 * service cannot recognize the file.
 */
export async function sendAtOnce(
  work: Work,
  { call, operator }: Service,
  count: number,
  isAnother = false,
): Promise<void> {
  for (let done = 0; done < count && !work.enough(); done += 1) {
    const numbers = [0, 1, 2].map((at) => `O${done}-${at}`);
    const sets = numbers.map((number) => setOf(anyShipment(work.random, number, 'ASN')));
    const fileFrom = (caller: number) => fileOf(600_000_000 + done * 100 + (isAnother ? caller : 0), sets);
    const post = async (caller: number): Promise<Answer> => {
      for (;;) {
        const answer = await call({
          method: 'POST',
          path: `${EDI}/interchanges`,
          raw: fileFrom(caller),
          headers: HEADERS,
        });
        if (answer.status !== 409) return answer;
        if ((answer.body as { code?: string }).code !== 'IN_PROGRESS') work.fail(`409 ${answer.text}`);
        if (answer.headers['retry-after'] === undefined) work.fail('IN_PROGRESS has no Retry-After');
        await sleep(20);
      }
    };
    const answers = await Promise.all(Array.from({ length: CALLERS }, (_, caller) => post(caller)));
    const news = answers.filter(({ status }) => status === 201);
    if (news.length !== 1) work.fail(`${news.length} callers of ${CALLERS} got 201`);
    const bodies = new Set(answers.map(({ text }) => text));
    if (bodies.size !== 1) work.fail(`${bodies.size} different responses to one file`);
    const [shown] = shownIn(answers[0]!);
    if (shown?.status !== 'ACCEPTED' || shown.answers.length !== 1) work.fail(`the file is ${shown?.status}`);
    const kept = await listAll(operator, `&direction=IN&setId=856&number=${numbers[0]}`);
    if (kept.length !== 1) work.fail(`${kept.length} interchanges are kept of one file`);
    work.done();
  }
}
