/**
 * A contest for the check-in of one order: messages for different packages arrive at the same time. The responses and
 * the stored state must be the result of the messages in some sequential order.
 */
import { sql } from 'kysely';
import type { Arena } from './arena.ts';
import { inShort, NODE, sample, WHERE } from './arena.ts';

/** Units by package and web line. */
const PACKAGES = { P1: { '1': 2 }, P2: { '1': 1, '2': 2 } } as const;
type PackageId = keyof typeof PACKAGES;
const IDS = Object.keys(PACKAGES) as PackageId[];
const ITEMS: Record<string, string> = { '1': '21-MUG-WHT', '2': '21-TEE-RED-M' };

interface Message {
  action: 'UPDATE' | 'CONFIRM';
  packages: readonly PackageId[];
  /** Whether one unit of every line was damaged. */
  short: boolean;
}

/** `said`: whether the last message of each package had a damaged unit. `closed`: whether the check-in is closed. */
interface State {
  said: Partial<Record<PackageId, boolean>>;
  closed: boolean;
}

export async function checkIns(arena: Arena): Promise<void> {
  const { service, whole, fail } = arena;
  const [id] = (await arena.place(1, [3, 2], travelling())) as [string];
  const messages = Array.from({ length: 2 + whole(4) }, (_, index) => messageFor(arena, index));
  const answers = await Promise.all(
    messages.map((message) => service.client('POST', `${NODE}/fulfillmentOrders/${id}/checkin`, bodyOf(id, message))),
  );
  const seen = answers.map(({ status, body }) => {
    const code = (body as { code?: string } | undefined)?.code;
    return status === 204 ? '204' : `${status} ${code}`;
  });
  const left = await stateOf(arena, id);
  const isPossible = orders(messages.map((_, index) => index)).some((order) => {
    const state: State = { said: {}, closed: false };
    const said: string[] = [];
    for (const index of order) said[index] = hear(state, messages[index]!);
    return said.every((answer, index) => answer === seen[index]) && describe(state) === left;
  });
  if (isPossible) return;
  const asked = messages.map(
    ({ action, packages, short }) => `${action} ${packages.join('+')}${short ? ' short' : ''}`,
  );
  fail(
    `check-in ${asked.join(', ')}: responses ${answers.map(inShort).join('; ')}, state ${left}; no sequential order leads to them`,
  );
}

/** Returns a random message. The first two messages are for different packages. */
function messageFor(arena: Arena, index: number): Message {
  const { whole } = arena;
  const action = whole(2) === 0 ? 'UPDATE' : 'CONFIRM';
  const packages = index < 2 ? [IDS[index]!] : sample(arena, IDS, 1 + whole(2));
  return { action, packages, short: whole(3) === 0 };
}

function travelling() {
  const packages = IDS.map((id) => ({
    checkInPackageId: id,
    trackingNumber: `track-${id}`,
    items: Object.entries(PACKAGES[id]).map(([webLineId, quantity]) => ({ webLineId, quantity })),
  }));
  return { fulfillmentType: 'SHIP_TO_STORE', packages, shipFromAddress: { destinationId: 'home' } };
}

function bodyOf(fulfillmentOrderId: string, { action, packages, short }: Message) {
  const checkInPackages = packages.map((checkInPackageId) => ({
    checkInPackageId,
    checkInPackageItems: Object.entries(PACKAGES[checkInPackageId]).map(([webLineId, quantity]) => ({
      itemId: ITEMS[webLineId],
      webLineId,
      quantity,
      checkInQuantity: short ? quantity - 1 : quantity,
      checkInCanceledQuantity: short ? 1 : 0,
      ...(short && { checkInCancellationReasonCode: 'STSProductReceivedDamagedInterior' }),
    })),
  }));
  const fulfillmentOrder = { action, ...WHERE, fulfillmentOrderId, holdLocation: 'A1', checkInPackages };
  return { modifyAssociateId: 'ana', fulfillmentOrder };
}

/** Applies one message to the state and returns its response, by the rule of docs/interface.md#check-in-quantities. */
function hear(state: State, { action, packages, short }: Message): string {
  const isNews = packages.some((id) => state.said[id] !== short);
  if (action === 'UPDATE' && state.closed) return '400 CONFLICT';
  if (action === 'CONFIRM') {
    if (IDS.some((id) => state.said[id] === undefined && !packages.includes(id))) return '400 INVALID_REQUEST';
    if (state.closed) return isNews ? '400 CONFLICT' : '204';
    state.closed = true;
  }
  for (const id of packages) state.said[id] = short;
  return '204';
}

function describe({ said, closed }: State): string {
  const packages = IDS.flatMap((id) =>
    Object.entries(PACKAGES[id]).map(([line, quantity]) => {
      const short = said[id];
      return short === undefined
        ? `${id}/${line} null null`
        : `${id}/${line} ${quantity - Number(short)} ${Number(short)}`;
    }),
  );
  const lines = ['1', '2'].map((line) => {
    if (!closed) return `${line}: 0 0`;
    const has = IDS.filter((id) => line in PACKAGES[id]);
    const short = has.filter((id) => said[id] === true).length;
    const all = has.reduce((sum, id) => sum + (PACKAGES[id] as Record<string, number>)[line]!, 0);
    return `${line}: ${all - short} ${short}`;
  });
  return [closed ? '1400 A1' : '1300 null', ...packages, ...lines].join(', ');
}

async function stateOf({ service }: Arena, id: string): Promise<string> {
  const all = <T>(query: ReturnType<typeof sql<T>>) => service.store.read(async (db) => (await query.execute(db)).rows);
  const [order] = await all(sql<{ status: number; hold: string | null }>`
    select status, hold_location as hold from fulfillment_orders
    where client_id = 'TOWN' and fulfillment_order_id = ${id}`);
  const items = await all(sql<{ package: number; line: number; checked: number | null; canceled: number | null }>`
    select package_index as package, line_index as line, checked_in as checked, canceled from checkin_package_items
    where client_id = 'TOWN' and fulfillment_order_id = ${id} order by package_index, line_index`);
  const lines = await all(sql<{ line: string; picked: number; declined: number }>`
    select web_line_id as line, picked, declined from order_lines
    where client_id = 'TOWN' and fulfillment_order_id = ${id} order by line_index`);
  const first = Math.min(...items.map((item) => item.package));
  const firstLine = Math.min(...items.map((item) => item.line));
  return [
    `${order?.status} ${order?.hold}`,
    ...items.map((item) => {
      const name = `${IDS[item.package - first]}/${item.line - firstLine + 1}`;
      return `${name} ${item.checked} ${item.canceled}`;
    }),
    ...lines.map(({ line, picked, declined }) => `${line}: ${picked} ${declined}`),
  ].join(', ');
}

function orders(list: readonly number[]): number[][] {
  if (list.length === 0) return [[]];
  return list.flatMap((first) => orders(list.filter((other) => other !== first)).map((rest) => [first, ...rest]));
}
