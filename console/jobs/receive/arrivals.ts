/** The list of arrivals of the node. The device keeps the first of them for work without the network. */
import { call } from '../../api.ts';
import { arrivedOf, type Shipment } from '../../offline/inbound.ts';
import { type InboundView, inboundView } from '../../offline/inbound-view.ts';
import { outbox } from '../../offline/index.ts';
import { keepInbound, shipmentView } from '../../offline/shipments.ts';
import { isOneOf } from '../../scan/codes.ts';
import { place } from '../../session.ts';
import { inGroups } from './arrival-groups.ts';
import { type Arrival, isLabelOf, loadWords, nodePath, subjectOf } from './receiving.ts';

export interface Arrivals {
  inbound: Arrival[];
  isCut: boolean;
}

const PAGE = 200;

/** Each type has its own page, so that purchase orders which wait for their close do not hide ASNs. */
const OPEN = [
  { status: 'RECEIVING' },
  { status: 'EXPECTED', type: 'ASN' },
  { status: 'EXPECTED', type: 'PO' },
  { status: 'EXPECTED', type: 'BLIND' },
];

/**
 * Finds the open or the closed arrivals of the node; `q` filters them. The page of closed arrivals has the latest ones,
 * because a node has the closed arrivals of years.
 * @throws ApiError
 */
export async function findArrivals(q: string, isClosed: boolean, stop: AbortSignal): Promise<Arrivals> {
  const pages = await Promise.all(
    (isClosed ? [{ status: 'CLOSED', order: 'desc' }] : OPEN).map((filter) => {
      const query = new URLSearchParams({ ...filter, pageSize: String(PAGE), ...(q !== '' && { q }) });
      return call<{ inbound: Arrival[]; lastRecordId?: string }>('GET', `${nodePath()}/inbound?${query}`, {
        signal: stop,
      });
    }),
  );
  return {
    inbound: pages.flatMap(({ inbound }) => inbound),
    isCut: pages.some(({ lastRecordId }) => lastRecordId !== undefined),
  };
}

/** Maximum number of shipments that the device keeps before the user opens them. */
const KEPT = 20;
/** Number of cartons from which a shipment is large. The device keeps a large shipment only after the user opens it. */
const LARGE = 5_000;

/** Time for which a device does not read a kept shipment again, because a scan waits for the read of its shipment. */
const FRESH_MS = 5 * 60_000;

let keeping: Promise<void> = Promise.resolve();
let latest: Arrivals | undefined;

/**
 * Keeps the first shipments of the list for work without the network, and reads those again that the list shows with
 * other numbers: one after the other, so that requests of the user are not delayed. A new list ends the work on the list
 * before. `today` is the date at the node.
 */
export function keepArrivals(arrivals: Arrivals, today: string): void {
  const at = place.peek();
  if (at === undefined) return;
  latest = arrivals;
  const listed = inGroups(arrivals.inbound, today).flatMap(({ own }) => own);
  const open = listed.filter(({ state, cartons }) => state !== 'CLOSED' && cartons < LARGE);
  const keep = async () => {
    for (const one of open.slice(0, KEPT)) {
      const subject = subjectOf(one);
      // There is a newer list, or the user has signed out or works at another node now.
      if (latest !== arrivals || place.peek()?.nodeId !== at.nodeId) return;
      if (isOld(shipmentView(subject), one)) await keepInbound(subject).catch(() => undefined);
      const view = shipmentView(subject);
      if (view !== undefined) await loadWords(view.shipment).catch(() => undefined);
    }
  };
  // A rejected promise would skip all later lists.
  keeping = keeping.then(keep).catch(() => undefined);
}

/** Returns whether a shipment is not on this device, or differs from the list of the service. */
function isOld(view: InboundView | undefined, listed: Arrival): boolean {
  if (view === undefined) return true;
  const { state, sums } = view.shipment;
  const { announced, held } = sums.total;
  return (
    view.waiting === 0 &&
    Date.now() - view.at > FRESH_MS &&
    (state !== listed.state ||
      announced !== listed.announcedQuantity ||
      arrivedOf(sums.total) !== listed.receivedQuantity ||
      held !== listed.heldQuantity)
  );
}

/** Returns the shipments on this device with this number, or with a carton that has this code. */
export function shipmentsOnDevice(code: string): Shipment[] {
  const { nodeId } = place.peek()!;
  return outbox.snapshot.shipments
    .peek()
    .map(inboundView)
    .filter((view) => view.nodeId === nodeId)
    .map(({ shipment }) => shipment)
    .filter(
      ({ number, cartons }) => isOneOf(code, [number]) || cartons.some(({ cartonId }) => isLabelOf(code, cartonId)),
    );
}
