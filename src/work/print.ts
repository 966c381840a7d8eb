import { recordAccess } from '../events/record.ts';
import { type CommandKey, claimCommand, findCommand, releaseCommand } from '../kernel/commands.ts';
import { notFound, Refusal } from '../platform/http/errors.ts';
import { printerGateOf } from '../platform/http/gate.ts';
import { type PrepareParts, reply, writeOperation } from '../platform/http/operation.ts';
import { quote } from '../platform/message/words.ts';
import { type PrintOutcome, sendToPrinter } from '../platform/printer.ts';
import { identifier, integer, named, object, type Static, text } from '../platform/schema.ts';
import { zplFault } from './zpl.ts';

/** Bytes of one job, as long as a text of a message may be: some tens of labels. */
const BYTES_MAX = 100_000;

const Print = named(
  'Print',
  object(
    {
      printId: identifier(64, { description: 'Id of the job, of your choice: it is printed once' }),
      userId: identifier(64, { description: 'Who prints' }),
      printerId: identifier(40, { description: 'Printer of the node' }),
      zpl: text(1, BYTES_MAX, {
        description: 'Labels in ZPL II, each from ^XA to ^XZ, at most 100,000 bytes in UTF-8; only commands of labels',
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
      bytes: integer(0, BYTES_MAX, { description: 'Bytes that the printer has taken' }),
    },
    { description: 'What a printer has taken' },
  ),
);

/** Prints labels on a printer of the node. */
export const printLabels = writeOperation({
  id: 'printLabels',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/print',
  auth: 'operatorOrApiKey',
  group: ['fulfillment', 'inbound'],
  permission: ['fulfillment.write', 'checkin.write', 'receive'],
  repeat: 'same',
  summary: 'Print labels on a printer of the node',
  description: `Sends labels in ZPL to a printer of the node by TCP and responds when the printer has taken them. Only commands of labels are sent on: nothing that sets up a printer or is kept
in it. A printId is printed once: the same one with the same content is a 200 that prints nothing, with other content a 409. When the printer does not take the job nothing is
kept of it, and the same printId may be sent again. A connection may take 3 s, sending 10 s.`,
  body: Print,
  replies: { 200: { description: 'The printer has the labels, or had them before.', schema: Printed } },
  refusals: {
    404: 'There is no such client, node or printer.',
    409: 'The printer cannot be reached (`PRINTER_UNREACHABLE`) or takes nothing (`PRINTER_TIMEOUT`), its address is not allowed (`PRINTER_ADDRESS`), or the printId was used otherwise.',
  },
  errors: 'problem',
  rules(_ctx, { body: { zpl } }, errors) {
    if (zpl === undefined) return;
    const bytes = Buffer.byteLength(zpl);
    if (bytes > BYTES_MAX) {
      errors.add('/zpl', 'maxLength', `has ${bytes} bytes in UTF-8; send at most ${BYTES_MAX}, or several jobs`);
    }
    const fault = zplFault(zpl);
    if (fault !== undefined) errors.add('/zpl', 'zpl', fault);
  },
  prepare: async ({ clientId, params: { nodeId }, body }, _randomBytes, parts) =>
    zplFault(body.zpl) !== undefined || Buffer.byteLength(body.zpl) > BYTES_MAX
      ? undefined
      : print(clientId, nodeId, body, parts),
  async handle(ctx, { clientId, params: { nodeId }, body, prepared }) {
    const { printId, printerId, userId, zpl } = body;
    const bytes = Buffer.byteLength(zpl);
    if (prepared === 'UNKNOWN') {
      throw notFound(`There is no printer ${quote(printerId)} at node ${quote(nodeId)}.`);
    }
    if (prepared !== 'SENT' && prepared !== 'KNOWN') throw refusalOf(prepared!, printerId);
    if (prepared === 'SENT') {
      const what = { printId, printerId, userId, bytes, nodeIds: [nodeId] };
      await recordAccess(ctx, clientId, 'label.printed', what);
    }
    return reply(200, { printId, printerId, bytes });
  },
});

/** Claims the job and sends it, outside of the writer's transaction: a printer is slow. What it does not take is given back. */
async function print(
  clientId: string,
  nodeId: string,
  body: Print,
  { store, ctx }: PrepareParts,
): Promise<PrintOutcome | 'KNOWN' | 'UNKNOWN'> {
  const key: CommandKey = { clientId, scope: `print:${nodeId}`, commandId: body.printId };
  const claimed = await store.write(async (tx) => {
    const own = ctx(tx);
    const printer = await own.db
      .selectFrom('printers')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('node_id', '=', nodeId)
      .where('printer_id', '=', body.printerId)
      .executeTakeFirst();
    // What was printed is known also where its printer is no more.
    if (printer === undefined && (await findCommand(own.db, key)) === undefined) return 'UNKNOWN' as const;
    if ((await claimCommand(own, key, body, 'printId')) !== undefined) return 'KNOWN' as const;
    return { printer: printer!, allowed: own.config.printerAllow };
  });
  if (typeof claimed === 'string') return claimed;
  const { host, port } = claimed.printer;
  const gate = printerGateOf(claimed.allowed);
  const outcome = await sendToPrinter({ host, port, data: Buffer.from(body.zpl, 'utf8'), gate });
  if (outcome !== 'SENT') await store.write((tx) => releaseCommand({ db: tx }, key));
  return outcome;
}

function refusalOf(outcome: Exclude<PrintOutcome, 'SENT'>, printerId: string): Refusal {
  const printer = `Printer ${quote(printerId)}`;
  switch (outcome) {
    case 'UNREACHABLE':
      return new Refusal(
        409,
        'STATE',
        'PRINTER_UNREACHABLE',
        `${printer} cannot be reached: is it on, and on the network? Nothing was printed.`,
      );
    case 'TIMEOUT':
      return new Refusal(
        409,
        'STATE',
        'PRINTER_TIMEOUT',
        `${printer} did not take the labels in time: is it paused, open or out of paper? Look whether something was printed.`,
      );
    case 'ADDRESS_REFUSED':
      return new Refusal(
        409,
        'STATE',
        'PRINTER_ADDRESS',
        `${printer} has an address that is not allowed: ask the operator. Nothing was printed.`,
      );
  }
}

/** Named schemas of printing, for the document. */
export const printSchemas = [Print, Printed];
