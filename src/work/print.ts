import { setTimeout as sleep } from 'node:timers/promises';
import { recordAccess } from '../events/record.ts';
import { type CommandKey, claimCommand, findCommand, keepReply, releaseCommand, scopeOf } from '../kernel/commands.ts';
import { notFound, Refusal } from '../platform/http/errors.ts';
import { printerGateOf } from '../platform/http/gate.ts';
import { type PrepareParts, reply, writeOperation } from '../platform/http/operation.ts';
import { quote } from '../platform/message/words.ts';
import { JOB_MS, type PrintOutcome, sendToPrinter, WAIT_MS } from '../platform/printer.ts';
import { identifier, integer, named, object, type Static, text } from '../platform/schema.ts';
import { OutcomeUnknown, type Store } from '../platform/storage/db.ts';
import { say } from './sentences.ts';
import { zplError } from './zpl.ts';

/** Maximum number of bytes in one job: some tens of labels. It is also the maximum length of a text in a message. */
const BYTES_MAX = 100_000;

const Print = named(
  'Print',
  object(
    {
      printId: identifier(64, { description: 'Your id for the job. The service prints a job only once' }),
      userId: identifier(64, { description: 'Login of the user who prints' }),
      printerId: identifier(40, { description: 'Printer of the node' }),
      zpl: text(1, BYTES_MAX, {
        description:
          'Labels in ZPL II, at most 100,000 bytes in UTF-8. Each label is from ^XA to ^XZ. Only label commands are allowed',
      }),
    },
    { description: 'Labels for a printer of the node' },
  ),
);
type Print = Static<typeof Print>;

const Printed = named(
  'Printed',
  object(
    {
      printId: text(1, 64, { description: 'Id of the job' }),
      printerId: text(1, 40, { description: 'Printer' }),
      bytes: integer(0, BYTES_MAX, { description: 'Bytes that the printer has accepted' }),
    },
    { description: 'A job that a printer has accepted' },
  ),
);

export const printLabels = writeOperation({
  id: 'printLabels',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/print',
  summary: 'Print labels on a printer of the node',
  description: `Sends labels in ZPL to a printer of the node by TCP and responds when the printer has accepted them.

- Only label commands are allowed. Commands that configure a printer or store data in it get 400, and so do control characters in texts and more than 500 copies (\`^PQ\`). A line end is allowed before \`^\`.
- The service prints a printId once. After the printer has accepted the labels, the same printId with the same content gets 200 and prints nothing; other content gets 409.
- While another request prints the same printId, the response is 409 \`IN_PROGRESS\`. Send the request again after \`Retry-After\`.
- If the printer cannot be reached or is busy (\`PRINTER_UNREACHABLE\`), nothing was printed: send the same printId again. If the connection ends early (\`PRINTER_TIMEOUT\`), first check which labels were printed: the same printId prints all of them again.
- The timeout is 60 s for earlier jobs of the printer and then 3 s for the connection (both \`PRINTER_UNREACHABLE\`), and 10 s for sending (\`PRINTER_TIMEOUT\`).`,
  access: {
    auth: 'operatorOrApiKey',
    group: ['fulfillment', 'inbound'],
    permission: ['fulfillment.write', 'checkin.write', 'receive'],
  },
  message: {
    body: Print,
    replies: {
      200: { description: 'The printer has accepted the labels, by this request or an earlier one.', schema: Printed },
    },
    refusals: {
      404: 'There is no such client, node or printer.',
      409: 'The printer cannot be reached or is busy (`PRINTER_UNREACHABLE`), or does not accept all labels (`PRINTER_TIMEOUT`), its address is not allowed (`PRINTER_ADDRESS`), another request prints the printId now (`IN_PROGRESS`), or the printId was used with other content.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    commitsBefore: true,
    rules(_ctx, { body: { zpl } }, errors) {
      if (zpl === undefined) return;
      const bytes = Buffer.byteLength(zpl);
      if (bytes > BYTES_MAX) {
        errors.add(
          '/zpl',
          'maxLength',
          say('zpl has {bytes} bytes in UTF-8; send at most {bytesMax} bytes in a job', {
            bytes,
            bytesMax: BYTES_MAX,
          }),
        );
      }
      const error = zplError(zpl);
      if (error !== undefined) errors.add('/zpl', 'zpl', error);
    },
    prepare: async ({ clientId, params: { nodeId }, body }, _randomBytes, parts) =>
      zplError(body.zpl) !== undefined || Buffer.byteLength(body.zpl) > BYTES_MAX
        ? undefined
        : print(clientId, nodeId, body, parts),
    async handle(ctx, { clientId, params: { nodeId }, body, prepared }) {
      const { printId, printerId, userId, zpl } = body;
      const bytes = Buffer.byteLength(zpl);
      if (prepared === 'UNKNOWN') {
        throw notFound(
          say('There is no printer {printerId} at node {nodeId}.', {
            printerId: quote(printerId),
            nodeId: quote(nodeId),
          }),
        );
      }
      if (prepared !== 'SENT' && prepared !== 'KNOWN') throw refusalOf(prepared!, printerId);
      if (prepared === 'SENT') {
        const what = { printId, printerId, userId, bytes, nodeIds: [nodeId] };
        await recordAccess(ctx, clientId, 'label.printed', what);
        await keepReply(ctx, keyOf(clientId, nodeId, body), { bytes });
      }
      return reply(200, { printId, printerId, bytes });
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/print',
    body: { printId: '4f1c2a', userId: 'ana', printerId: 'desk', zpl: '^XA^FO20,20^A0N,40,40^FDA-04-2^FS^XZ' },
    needs: 'printer',
  },
});

function keyOf(clientId: string, nodeId: string, { printId }: Print): CommandKey {
  return { clientId, scope: scopeOf('print', nodeId), commandId: printId };
}

/** Waits between the attempts to release a printId, 6 s in total. */
const RELEASE_WAITS_MS = [100, 200, 400, 800, 1_500, 3_000];

/**
 * Claims the job, then sends it outside the writer's transaction, because printers are slow. A failed job releases its
 * printId. If the process ends before it stores the response, or cannot release the printId, a retry counts the job as
 * printed after `JOB_MS`.
 * @throws Refusal 409 if another request sends the job now
 */
async function print(
  clientId: string,
  nodeId: string,
  body: Print,
  { store, ctx, now, present }: PrepareParts,
): Promise<PrintOutcome | 'KNOWN' | 'UNKNOWN'> {
  const key = keyOf(clientId, nodeId, body);
  const claim = store.write(async (tx) => {
    const own = ctx(tx);
    const printer = await own.db
      .selectFrom('printers')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('node_id', '=', nodeId)
      .where('printer_id', '=', body.printerId)
      .executeTakeFirst();
    // A retry of a printed job is recognized even after its printer is deleted.
    if (printer === undefined && (await findCommand(own.db, key)) === undefined) return 'UNKNOWN' as const;
    const known = await claimCommand(own, key, body, 'printId');
    if (known?.reply === null && known.at > now - JOB_MS) throw inProgress(body.printId);
    if (known !== undefined) return 'KNOWN' as const;
    return { printer: printer!, allowed: own.config.printerAllow };
  });
  const claimed = await claim.catch(async (error: unknown) => {
    // The claim may be stored, but nothing is sent.
    if (error instanceof OutcomeUnknown) await release(store, key, now).catch(() => undefined);
    throw error;
  });
  if (typeof claimed === 'string') return claimed;
  const { host, port } = claimed.printer;
  const gate = printerGateOf(claimed.allowed, port);
  const isLate = () => present() > now + WAIT_MS;
  const outcome = await sendToPrinter({ host, port, data: Buffer.from(body.zpl, 'utf8'), gate, isLate });
  if (outcome !== 'SENT') await release(store, key, now);
  return outcome;
}

/** Releases the printId of this request's claim; tries again for some seconds if the database is not available. */
async function release(store: Store, key: CommandKey, claimedAt: number): Promise<void> {
  for (const wait of RELEASE_WAITS_MS) {
    try {
      await store.write((tx) => releaseCommand({ db: tx }, key, claimedAt));
      return;
    } catch {
      await sleep(wait);
    }
  }
  await store.write((tx) => releaseCommand({ db: tx }, key, claimedAt));
}

function inProgress(printId: string): Refusal {
  const what = say('Another request prints printId {printId} now; send your request again.', {
    printId: quote(printId),
  });
  return new Refusal(409, 'STATE', 'IN_PROGRESS', what, { headers: { 'retry-after': '2' } });
}

function refusalOf(outcome: Exclude<PrintOutcome, 'SENT'>, printerId: string): Refusal {
  const printer = say('Printer {printerId}', { printerId: quote(printerId) });
  switch (outcome) {
    case 'UNREACHABLE':
      return new Refusal(
        409,
        'STATE',
        'PRINTER_UNREACHABLE',
        say('{printer} cannot be reached. Nothing was printed. Check that it is on and connected to the network.', {
          printer,
        }),
      );
    case 'LATE':
      return new Refusal(
        409,
        'STATE',
        'PRINTER_UNREACHABLE',
        say(
          '{printer} is busy with earlier jobs. Nothing was printed. Check the printer, then send the labels again.',
          {
            printer,
          },
        ),
      );
    case 'TIMEOUT':
      return new Refusal(
        409,
        'STATE',
        'PRINTER_TIMEOUT',
        say(
          '{printer} did not accept all labels. Check whether it is paused, open or out of paper, and which labels it printed.',
          { printer },
        ),
      );
    case 'ADDRESS_REFUSED':
      return new Refusal(
        409,
        'STATE',
        'PRINTER_ADDRESS',
        say(
          '{printer} has an address that is not allowed. Nothing was printed. Ask the operator to correct or allow the address.',
          { printer },
        ),
      );
  }
}

/** Named schemas of printing, for the OpenAPI document. */
export const printSchemas = [Print, Printed];
