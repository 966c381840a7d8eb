/** The small town with a second warehouse, a new seller and items with long ids; and valid messages. */
import type { Json } from '../../src/platform/json-column.ts';
import type { Answer } from '../support/backroom.ts';
import { type Caller, type OpenTown, openTown } from '../support/town.ts';

const SELLER = 'TOWNS';
export const PATH = `/poasn-manager-service/sellers/${SELLER}/poasn/create`;
/** Items of the town's catalog with 15 and 16 characters after the catalog id. */
export const LONG_ITEMS = ['9'.repeat(15), '9'.repeat(16)] as const;

export interface Inbound extends OpenTown {
  /** Transmits a message as the town's client. */
  transmit: (body: unknown, headers?: Record<string, string>, as?: Caller) => Promise<Answer>;
  /** Reads a stored message as the operator. */
  read: (type: 'ASN' | 'PO', number: string) => Promise<Answer>;
  /** Counts the rows of shipments and lines, and the events about them. */
  counts: () => Promise<{ shipments: number; lines: number; events: number }>;
}

const CLIENT = '/operator/v1/clients/TOWN';

export async function openInbound(env: Record<string, string> = {}): Promise<Inbound> {
  const town = await openTown({ neighbours: true, env });
  const store = { name: 'Outlet', catalogId: '21', sellerId: 'OUTLET', storeCode: '988', currency: 'USD' };
  await made(town.operator('PUT', `${CLIENT}/stores/TOWN_OUTLET`, store));
  const five = { ...store, name: 'Five', sellerId: SELLER, storeCode: 'ABCDE' };
  await made(town.operator('PUT', `${CLIENT}/stores/TOWN_FIVE`, five));
  const node = (await town.operator('GET', `${CLIENT}/nodes/TOWN-DC001`)).body as Record<string, unknown>;
  const second = { ...node, nodeId: 'TOWN-DC002', receivingWarehouseId: 'DC002' };
  await made(town.operator('PUT', `${CLIENT}/nodes/TOWN-DC002`, second));
  await town.store.write(async (tx) => {
    const rows = LONG_ITEMS.map((id) => ({
      item_id: `21-${id}`,
      client_id: 'TOWN',
      revision: 1,
      doc: '{}' as Json<never>,
      created_at: 0,
      updated_at: 0,
      term_form: 0,
    }));
    await tx.insertInto('items').values(rows).execute();
  });
  return {
    ...town,
    transmit: (body, headers = {}, as = town.client) =>
      town.call({ method: 'POST', path: PATH, body, headers: { apikey: as.secrets.apiKey, ...headers } }),
    read: (type, number) => town.operator('GET', `${CLIENT}/inbound/${type}/${encodeURIComponent(number)}`),
    counts: () =>
      town.store.read(async (db) => {
        const shipments = await db.selectFrom('inbound_shipments').select('number').execute();
        const lines = await db.selectFrom('inbound_lines').select('number').execute();
        const events = await db
          .selectFrom('events')
          .select('event_id')
          .where('resource_type', '=', 'inbound')
          .execute();
        return { shipments: shipments.length, lines: lines.length, events: events.length };
      }),
  };
}

async function made(answer: Promise<Answer>): Promise<void> {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(text);
}

type Members = Record<string, unknown>;

/**
 * Returns an ASN with one carton line, or with a carton line for each of `lines`. `header` and `lines` replace the
 * default fields; undefined removes a field.
 */
export function asn(
  header: Members = {},
  ...lines: Members[]
): { asnData: [{ header: Members; details: { detail: Members[] } }] } {
  const number = typeof header['asnNumber'] === 'string' ? header['asnNumber'] : 'A-1';
  return {
    asnData: [
      {
        header: { asnNumber: 'A-1', receivingType: 'A', ...common, ...header },
        details: {
          detail: (lines.length === 0 ? [{}] : lines).map((line) => ({
            asnNumber: number,
            cartonId: 'CARTON-1',
            ...commonLine,
            ...line,
          })),
        },
      },
    ],
  };
}

/** Returns a PO with one line, or with a line for each of `lines`; the parameters are those of `asn`. */
export function po(
  header: Members = {},
  ...lines: Members[]
): { poData: [{ header: Members; details: { detail: Members[] } }] } {
  return {
    poData: [
      {
        header: { shipmentNumber: 'P-1', receivingType: 'P', ...common, ...header },
        details: { detail: (lines.length === 0 ? [{}] : lines).map((line) => ({ ...commonLine, ...line })) },
      },
    ],
  };
}

const common = {
  receivingWarehouseId: 'DC001',
  shipmentReceiptDate: '2026-03-20',
  orderDate: '2026-03-01T10:00:00Z',
  shipperName: 'Fine Goods Ltd',
  storeCode: '988',
};

const commonLine = {
  clientItemId: 'MUG-WHT',
  itemCost: 12.5,
  receivingWarehouseId: 'DC001',
  shippedQuantity: 24,
  trailerNumber: 'TR-7',
};

export interface FailureEntry {
  code: string;
  message: string;
  poAsnErrorPayload: Record<string, unknown>;
  type: string;
}

/** Returns the errors in the body of a rejection. */
export function errorsOf(answer: Answer): FailureEntry[] {
  return (answer.body as { poAsnData: [{ errors: FailureEntry[] }] }).poAsnData[0].errors;
}

export function messagesOf(answer: Answer): string[] {
  return errorsOf(answer).map(({ message }) => message);
}
