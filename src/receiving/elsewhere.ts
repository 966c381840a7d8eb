/** Cartons that the path's shipment does not announce: what other shipments say of them. */
import { type CartonIds, fromCartons } from '../kernel/cartons.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { allows } from '../platform/http/auth.ts';
import { statement } from '../platform/storage/statement.ts';
import type { InboundShipmentRow } from '../platform/storage/tables.ts';
import { type AnnouncedCtx, findAnnounced, type Key } from './announced.ts';
import type { InboundBlock } from './inbound-refusals.ts';

/** Shipments of a carton before the rest is not looked at. */
const EACH_MAX = 50;

/** Other ASNs that announce these cartons, by carton; open ones where there are some. A caller sees those of his stores. */
export async function findAnnouncers(
  { db, dialect, actor }: ReadCtx,
  row: InboundShipmentRow,
  cartonIds: readonly string[],
): Promise<Map<string, InboundShipmentRow[]>> {
  if (cartonIds.length === 0) return new Map();
  const rows = await selectAnnouncers(db, { clientId: row.client_id, ids: dialect.listText([...cartonIds]) });
  const others = rows.filter(
    (one) =>
      !(one.seller_id === row.seller_id && one.type === row.type && one.number === row.number) &&
      (one.store_id === null || allows(actor.storeIds, one.store_id)),
  );
  const byCarton = Map.groupBy(others, ({ carton_id: id }) => id);
  return new Map(
    [...byCarton].map(([id, all]) => {
      const open = all.filter(({ status }) => status !== 'CLOSED');
      return [id, (open.length > 0 ? open : all).slice(0, EACH_MAX)];
    }),
  );
}

const selectAnnouncers = statement((db, wanted: CartonIds, dialect) =>
  fromCartons(db, wanted, dialect)
    .selectAll('shipment')
    .select('carton.carton_id')
    .where('carton.type', '=', 'ASN')
    .orderBy('carton.carton_id')
    .orderBy('carton.seller_id')
    .orderBy('carton.number'),
);

/** Why a carton that the path's shipment does not announce is refused without `unannounced`. */
export function blockOfCarton(
  ctx: Pick<ReadCtx, 'actor'>,
  row: InboundShipmentRow,
  cartonId: string,
  announcers: readonly InboundShipmentRow[],
): InboundBlock {
  const name = `Carton ${JSON.stringify(cartonId)}`;
  const told = announcers.map((one) => showAnnouncer(ctx, one));
  const [only, ...more] = announcers;
  if (more.length > 0) return ambiguousCarton(ctx, cartonId, announcers);
  if (only !== undefined && only.node_id !== row.node_id) {
    return {
      code: 'CARTON_ELSEWHERE',
      description: `${name} is announced for node ${JSON.stringify(only.node_id)}; send it on, or take it here with unannounced.`,
      extra: { cartonId, ...told[0] },
    };
  }
  const hint =
    only === undefined
      ? 'take it with unannounced if it stays'
      : `${only.type} ${JSON.stringify(only.number)} of this node announces it: receive it there`;
  return {
    code: 'UNANNOUNCED',
    description: `${name} is not announced by ${row.type} ${JSON.stringify(row.number)}; ${hint}.`,
    extra: { cartonId, ...(only !== undefined && { announcedBy: told }) },
  };
}

/** Nobody can tell of which shipment a carton is. */
export function ambiguousCarton(
  ctx: Pick<ReadCtx, 'actor'>,
  cartonId: string,
  announcers: readonly InboundShipmentRow[],
): InboundBlock {
  return {
    code: 'CARTON_AMBIGUOUS',
    description: `${announcers.length} other shipments announce carton ${JSON.stringify(cartonId)}; receive it with the one that it came with, or count its pieces.`,
    extra: { cartonId, announcedBy: announcers.map((one) => showAnnouncer(ctx, one)) },
  };
}

/** The node where goods belong is told to everybody, the shipment to those who may see it. */
function showAnnouncer({ actor }: Pick<ReadCtx, 'actor'>, { node_id, type, number, seller_id }: InboundShipmentRow) {
  return { nodeId: node_id, ...(allows(actor.nodeIds, node_id) && { type, number, sellerId: seller_id }) };
}

/** What another shipment says is in a carton. */
export async function contentOf(
  ctx: AnnouncedCtx,
  announcer: InboundShipmentRow,
  cartonId: string,
): Promise<readonly Key[]> {
  const { cartons } = await findAnnounced(ctx, announcer);
  return cartons.get(cartonId) ?? [];
}
