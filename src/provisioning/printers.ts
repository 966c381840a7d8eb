/** The label printers of a node. The operator sets them; users who work at the node can list them. */
import { recordAccess } from '../events/record.ts';
import { isOfOperator } from '../platform/ctx.ts';
import { isRawPort, printerGateOf } from '../platform/http/gate.ts';
import { readOperation, reply, writeOperation } from '../platform/http/operation.ts';
import { repeatErrors } from '../platform/http/put.ts';
import { identifier, integer, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { PrinterRow } from '../platform/storage/tables.ts';
import { stays } from './resource.ts';
import { say } from './sentences.ts';

/** Maximum number of printers of one node. */
const MOST = 50;
/** TCP port on which label printers accept raw data. */
const RAW_PORT = 9_100;

const OTHER_ADDRESS = say(
  'the address of a printer must be private; send a private address, or ask the operator to add this address to PRINTER_ALLOW',
);
const OTHER_PORT = say(
  'the port of a printer must be 9100 to 9109 or 6101 (raw printing); send one of these, or ask the operator to add the address of the printer to PRINTER_ALLOW',
);

const dpi = Type.Unsafe<203 | 300 | 600>({
  type: 'integer',
  enum: [203, 300, 600],
  description: 'Dots per inch of the printer',
});
const kind = oneOf(['ZPL'], { description: 'Language of labels that the printer understands' });

const fields = {
  printerId: identifier(40, { description: 'Id of the printer, unique at the node' }),
  name: text(1, 120, { description: 'Name of the printer in the list that users choose from' }),
  host: text(1, 253, {
    pattern: '^[0-9A-Za-z](?:[0-9A-Za-z.:-]*[0-9A-Za-z])?$|^::[0-9A-Fa-f:.]*$',
    'x-hint': say('send an IP address or a host name, without a port'),
    description: 'IP address or host name, in a private network',
  }),
  port: integer(1, 65_535, { description: 'TCP port for raw printing' }),
  dpi,
  kind,
};

const PrintersPut = named(
  'PrintersPut',
  object(
    {
      printers: list(
        object(
          { ...fields, port: Type.Optional(fields.port), kind: Type.Optional(kind) },
          { description: 'A printer; default port 9100, default kind ZPL' },
        ),
        { max: MOST },
        { description: 'All printers of the node, in the order of their display' },
      ),
    },
    { description: 'Label printers of a node, as the operator sets them' },
  ),
);

export const Printers = named(
  'Printers',
  object(
    {
      printers: list(
        object(
          { ...fields, host: Type.Optional(fields.host), port: Type.Optional(fields.port) },
          { description: 'A printer. Only the operator sees the address and the port' },
        ),
        { max: MOST },
        { description: 'Printers of the node' },
      ),
    },
    { description: 'Label printers of a node' },
  ),
);
export type Printers = Static<typeof Printers>;

/** Sets the printers of a node. */
export const putPrinters = writeOperation({
  id: 'putPrinters',
  since: '0.3.0',
  method: 'PUT',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/printers',
  summary: 'Set the label printers of a node',
  description:
    'Replaces the list of label printers that users at the node can print on. Only the operator sets the addresses of printers. Addresses must be private (10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7) or in PRINTER_ALLOW. Ports are 9100 to 9109 or 6101; an address in PRINTER_ALLOW can have any port. The service checks the address of a host name each time it prints.',
  access: { auth: 'operator', permission: 'installation', fresh: true },
  message: {
    body: PrintersPut,
    replies: { 200: { description: 'The printers as they are now.', schema: Printers } },
    refusals: { 404: 'There is no such client or node.' },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    rules({ config }, { body: { printers = [] } }, errors) {
      errors.addAll(
        repeatErrors(
          '/printers',
          printers.map((one) => one?.printerId),
        ),
      );
      for (const [index, one] of printers.entries()) {
        if (one?.host === undefined) continue;
        const port = one.port ?? RAW_PORT;
        if (!printerGateOf(config.printerAllow, port).refusesHost(one.host)) continue;
        const isOfPort = !isRawPort(port) && !printerGateOf(config.printerAllow, RAW_PORT).refusesHost(one.host);
        if (isOfPort) errors.add(`/printers/${index}/port`, 'port', OTHER_PORT);
        else errors.add(`/printers/${index}/host`, 'address', OTHER_ADDRESS);
      }
    },
    async handle(ctx, { clientId, node, body }) {
      const { db, dialect } = ctx;
      const nodeId = node.node_id;
      // Without the lock, the rows of two lists that are sent at the same time could mix.
      await db
        .selectFrom('nodes')
        .select('node_id')
        .where('client_id', '=', clientId)
        .where('node_id', '=', nodeId)
        .modifyEnd(dialect.forNoKeyUpdate)
        .execute();
      const rows = body.printers.map((one, ordinal) => ({
        client_id: clientId,
        node_id: nodeId,
        printer_id: one.printerId,
        name: one.name,
        host: one.host,
        port: one.port ?? RAW_PORT,
        dpi: one.dpi,
        kind: one.kind ?? 'ZPL',
        ordinal,
      }));
      const after = { printers: rows.map((row) => show(row, true)) };
      const before = await printersOf(db, clientId, nodeId);
      if (stays({ printers: before.map((row) => show(row, true)) }, after)) return reply(200, after);
      await db.deleteFrom('printers').where('client_id', '=', clientId).where('node_id', '=', nodeId).execute();
      if (rows.length > 0) await db.insertInto('printers').values(rows).execute();
      const printerIds = rows.map((row) => row.printer_id);
      await recordAccess(ctx, clientId, 'node.printersChanged', { nodeIds: [nodeId], printerIds });
      return reply(200, after);
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/printers',
    body: { printers: [{ printerId: 'desk', name: 'Packing desk', host: '192.168.20.7', dpi: 203 }] },
  },
});

/** Lists the printers of a node. */
export const getPrinters = readOperation({
  id: 'getPrinters',
  since: '0.3.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/printers',
  summary: 'List the label printers of a node',
  description: 'Returns the printers that users at the node can print on. Only the operator sees their addresses.',
  access: {
    auth: 'operatorOrApiKey',
    group: ['fulfillment', 'inbound'],
    permission: ['fulfillment.read', 'checkin.read', 'receive', 'installation'],
  },
  message: {
    replies: { 200: { description: 'The printers.', schema: Printers } },
    refusals: { 404: 'There is no such client or node.' },
    errors: 'problem',
  },
  run: {
    async handle({ db, actor }, { clientId, node }) {
      const rows = await printersOf(db, clientId, node.node_id);
      return reply(200, { printers: rows.map((row) => show(row, isOfOperator(actor))) });
    },
  },
  example: { path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/printers' },
});

function printersOf(db: Reader, clientId: string, nodeId: string): Promise<PrinterRow[]> {
  return db
    .selectFrom('printers')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .orderBy('ordinal')
    .execute();
}

function show(row: PrinterRow, withAddress: boolean): Printers['printers'][number] {
  return {
    printerId: row.printer_id,
    name: row.name,
    ...(withAddress && { host: row.host, port: row.port }),
    dpi: row.dpi as 203 | 300 | 600,
    kind: row.kind as 'ZPL',
  };
}

/** Named schemas of printers, for the OpenAPI document. */
export const printerSchemas = [PrintersPut, Printers];
