import type { Ctx } from '../../platform/ctx.ts';
import { badValue, Refusal } from '../../platform/http/errors.ts';
import { type Reply, reply, writeOperation } from '../../platform/http/operation.ts';
import { object, oneOf, Type, text } from '../../platform/schema.ts';
import type { Reader } from '../../platform/storage/db.ts';
import { type Interchange, readBody } from '../../platform/x12/tokens.ts';
import { deskOf, dryRun } from './desk.ts';
import { findInterchange, type ShownInterchange, showInterchange } from './interchange-store.ts';
import { ediReceived } from './schema.ts';
import { say } from './sentences.ts';
import { type Desk, EVENTS_OF_TAKING, type Taken, takeInterchange } from './take.ts';
import { takeOut } from './taken.ts';

const X12 = 'application/edi-x12';

/** Receives X12 files (docs/edi-partners.md#send-a-file). */
export const receiveEdi = writeOperation({
  id: 'receiveEdi',
  since: '0.5.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/edi/interchanges',
  summary: 'Send an X12 file',
  description: `Processes the interchanges of an X12 file, at most 8 MiB. An 856 becomes an ASN, and an 850 or 860 becomes a PO. The same rules apply as for JSON. A 997, TA1 or 824 reports the outcome of a file that was sent to the partner.

- An error inside an interchange is not an HTTP error: the response has the findings, and the acknowledgments (TA1, 997, 824) for the partner in \`answers\`. A file without a readable ISA segment gets 400.
- The service finds the partner by the ids in the file, which the sender writes. If your gateway knows who has sent the file, name this partner in \`partnerId\`: an interchange with the ids of another partner is then quarantined.
- The same bytes again get the same response with 200, and change nothing.
- With \`dryRun=true\` everything is checked and nothing is stored.
- With \`Accept: application/edi-x12\` the response has only the acknowledgments, as X12, and they count as fetched.
- Each set is accepted or rejected independently. Several interchanges in a body are processed one after the other.`,
  events: EVENTS_OF_TAKING,
  access: { auth: 'operatorOrApiKey', group: 'inbound', permission: 'orders.intake', wholeClient: true },
  message: {
    query: object({
      dryRun: Type.Optional(
        oneOf(['true', 'false'], { description: 'true: the service checks the file and stores nothing' }),
      ),
      partnerId: Type.Optional(
        text(1, 30, {
          description:
            'Partner that your gateway has identified as the sender. An interchange with the ids of another partner is quarantined',
        }),
      ),
    }),
    consumes: 'x12',
    limit: 'uploadBodyLimit',
    replies: {
      200: { description: 'The same bytes were received before, or this is a dry run.', schema: ediReceived },
      201: {
        description: 'At least one interchange is new. The new interchanges were processed.',
        schema: ediReceived,
      },
    },
    refusals: {
      400: 'The file has no readable ISA segment (code NO_ENVELOPE, with `finding`), or has a NUL byte.',
      401: 'Credentials are missing, or the operator’s credentials are not valid.',
      404: 'There is no such client.',
      409: 'Another request is processing the same bytes (code IN_PROGRESS); send them again.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    commitsBefore: true,
    async prepare({ body, clientId, query }, _randomBytes, parts) {
      const interchanges = await interchangesOf(body as Buffer);
      if (query.dryRun === 'true') {
        return {
          shown: await dryRun(parts, async (desk, { db }) => {
            const taken = await takeAll(desk, clientId, interchanges, query.partnerId);
            const shown: ShownInterchange[] = [];
            for (const { interchangeId } of taken) shown.push(await showOne(db, clientId, interchangeId));
            return shown.map(withoutIds);
          }),
        };
      }
      return { taken: await takeAll(deskOf(parts), clientId, interchanges, query.partnerId) };
    },
    async handle(ctx, { clientId, headers, prepared }) {
      const wantsX12 = (headers.accept ?? '').toLowerCase().includes(X12);
      if (prepared.shown !== undefined) {
        if (wantsX12) return files(200, prepared.shown);
        return reply(200, { dryRun: true, interchanges: prepared.shown });
      }
      const status = prepared.taken.some(({ isNew }) => isNew) ? 201 : 200;
      const shown: ShownInterchange[] = [];
      for (const { interchangeId } of prepared.taken) {
        if (wantsX12) await takeAnswers(ctx, clientId, interchangeId);
        shown.push(await showOne(ctx.db, clientId, interchangeId));
      }
      return wantsX12 ? files(status, shown) : reply(status, { interchanges: shown });
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/edi/interchanges',
    x12: [
      'ISA*00*          *00*          *ZZ*GREENVALLEY    *12*4085551234     *261124*0930*U*00401*000000905*0*P*>~',
      'GS*SH*GREENVALLEY*4085551234*20261124*0930*905*X*004010~',
      'ST*856*0001~',
      'BSN*00*SHIP1001*20261124*0930*0001~',
      'HL*1**S~',
      'TD3*TL**TRAILER7~',
      'DTM*017*20261130~',
      'N1*ST*Main Street*92*004~',
      'HL*2*1*O~',
      'PRF*PO-7001~',
      'HL*3*2*P~',
      'MAN*GM*000123456789012343~',
      'HL*4*3*I~',
      'LIN*1*SK*MUG-WHT~',
      'SN1**24*EA~',
      'CTT*4*24~',
      'SE*15*0001~',
      'GE*1*905~',
      'IEA*1*000000905~',
    ].join('\n'),
  },
});

/** @throws Refusal 400 for a body without a readable ISA, or with NUL, which PostgreSQL cannot store. */
async function interchangesOf(body: Buffer): Promise<readonly Interchange[]> {
  const nul = body.indexOf(0);
  if (nul !== -1)
    throw badValue(
      '',
      'character',
      say('byte {nul} of the body is NUL, which an X12 file must not have; send a text file', { nul }),
    );
  const read = await readBody(body);
  if ('interchanges' in read) return read.interchanges;
  const { noEnvelope } = read;
  const words = say('{what}. {fix}', { what: noEnvelope.message, fix: noEnvelope.cure });
  throw new Refusal(400, 'VALIDATION', 'NO_ENVELOPE', words, {
    errors: [{ pointer: '', rule: 'envelope', message: words }],
    extra: { finding: noEnvelope },
  });
}

async function takeAll(
  desk: Desk,
  clientId: string,
  interchanges: readonly Interchange[],
  from: string | undefined,
): Promise<Taken[]> {
  const taken: Taken[] = [];
  for (const interchange of interchanges) taken.push(await takeInterchange(desk, clientId, interchange, from));
  return taken;
}

async function showOne(db: Reader, clientId: string, id: string): Promise<ShownInterchange> {
  return await showInterchange(db, (await findInterchange(db, clientId, id))!);
}

/** Leaves out the ids of a dry run, because they do not exist after its rollback. */
function withoutIds({ interchangeId: _id, answers, ...shown }: ShownInterchange) {
  return { ...shown, answers: answers.map(({ interchangeId: _answer, ...answer }) => answer) };
}

/** Marks the acknowledgments of an interchange as taken, because the HTTP response contains them. */
async function takeAnswers(ctx: Ctx, clientId: string, interchangeId: string): Promise<void> {
  const { answers } = await showOne(ctx.db, clientId, interchangeId);
  for (const { interchangeId: id } of answers) {
    await takeOut(ctx, (await findInterchange(ctx.db, clientId, id))!, { at: ctx.now });
  }
}

function files(status: number, shown: readonly { answers: readonly { content: string }[] }[]): Reply {
  // A body can have the same interchange twice. Its acknowledgments have control numbers, which the partner must not get
  // twice.
  const contents = new Set(shown.flatMap(({ answers }) => answers.map(({ content }) => content)));
  const text = [...contents].join('');
  return { status, text, headers: { 'content-type': X12 } };
}
