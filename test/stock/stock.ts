/** Nodes of the small town that keep stock, and functions that read their ledgers. */
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import type { StockLevel } from '../../src/stock/schema.ts';
import type { Answer } from '../support/backroom.ts';
import type { OpenTown } from '../support/town.ts';

export const NODE_ID = 'TOWN-Store001';
export const TOWN = '/operator/v1/clients/TOWN';
export const NODE = `${TOWN}/nodes/${NODE_ID}`;
export const SOAP = '21-SOAP-LAV';

type Members = Record<string, unknown>;
type Town = Pick<OpenTown, 'client' | 'operator'>;

export type Level = StockLevel & Members;

/** Changes fields of a node and keeps its other fields. */
export async function putStock(town: Town, nodeId: string, members: Members): Promise<Answer> {
  const path = `${TOWN}/nodes/${nodeId}`;
  const answer = await town.operator('PUT', path, { ...(await town.operator('GET', path)).body, ...members });
  if (answer.status !== 200) throw new Error(`the service rejected the node: ${answer.text}`);
  return answer;
}

export const keepStock = (town: Town, nodeId: string, members: Members = {}): Promise<Answer> =>
  putStock(town, nodeId, { stock: 'KEPT', ...members });

/** Sets these settings of the client and resets all other settings to their defaults. */
export async function putSettings(town: OpenTown, settings: Members): Promise<void> {
  const { name, catalogIds } = (await town.operator('GET', TOWN)).body as Members;
  const answer = await town.operator('PUT', TOWN, { name, catalogIds, settings });
  if (answer.status !== 200) throw new Error(`the service rejected the settings: ${answer.text}`);
}

export async function levelOf(town: Town, itemId: string, nodeId = NODE_ID): Promise<Level> {
  const answer = await town.client.get(`${TOWN}/nodes/${nodeId}/stock?itemId=${itemId}`);
  const [level] = (answer.body as { stock: Level[] }).stock;
  return level ?? ({ itemId, revision: 0 } as Level);
}

/** Returns the units by place: shelf, staged, damaged, held, missing, reserved. */
export async function placesOf(town: Town, itemId: string, nodeId = NODE_ID): Promise<number[]> {
  const { shelf, staged, damaged, held, missing, reserved } = await levelOf(town, itemId, nodeId);
  return [shelf, staged, damaged, held, missing, reserved];
}

/** Returns the ledger of an item as `from > to quantity cause`. */
export async function movesOf(town: Town, itemId: string, nodeId = NODE_ID): Promise<string[]> {
  const answer = await town.client.get(`${TOWN}/nodes/${nodeId}/stock/${itemId}/moves?pageSize=500`);
  const { moves } = answer.body as { moves: { from: string; to: string; quantity: number; cause: string }[] };
  return moves.map(({ from, to, quantity, cause }) => `${from} > ${to} ${quantity} ${cause}`);
}

let counts = 0;

/** Counts one item now. */
export async function count(town: OpenTown, itemId: string, counted: number, members: Members = {}): Promise<Answer> {
  const { revision } = await levelOf(town, itemId);
  counts += 1;
  return town.client.post(`${NODE}/counts`, {
    countId: `count-${counts}`,
    userId: 'cleo',
    lines: [{ itemId, counted, revision, ...members }],
  });
}

/** Returns the errors that doctor finds. */
export async function brokenRules(town: OpenTown): Promise<unknown[]> {
  return (await ruleFindings(town.store)).filter((finding) => !finding.ok);
}
