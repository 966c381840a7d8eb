/** A shipment on the screen: kept on this device, reloaded while it is open, changed through the outbox. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { InboundSubject } from '../../offline/commands.ts';
import {
  type Booked,
  bookedBy,
  bookedIn,
  type CountLine,
  type Receipt,
  type Shipment,
  type Wanted,
  type WholeScan,
} from '../../offline/inbound.ts';
import { type InboundView, stops } from '../../offline/inbound-view.ts';
import { addInbound, keepInbound, ownKey, shipmentView, takenDirectly } from '../../offline/shipments.ts';
import { feedback } from '../../scan/feedback.ts';
import { focusScanTarget } from '../../scan/target.tsx';
import { place, session, whenBack } from '../../session.ts';
import { t } from '../../texts/index.ts';
import { explain, type Look } from '../../ui/notice.tsx';
import { useNames } from '../../work/names.ts';
import type { Said as JobSaid } from '../../work/said.tsx';
import { useOnce } from '../../work/use-once.ts';
import { withPlace } from './good-to.ts';
import { type Arrival, loadWords, subjectOf } from './receiving.ts';

/** Interval for reading a shipment again, because other users may receive it too. */
const EVERY_MS = 15_000;

/** The result of the last scan or tap, as text. */
export interface Said {
  look: Look;
  title: string;
  detail?: string;
  /** The command that the scan or tap created. Set only if this command can be undone. */
  undoes?: { id: string; booked: Booked[]; part: string; name: string };
}

export interface Shipping {
  subject: InboundSubject;
  /** The shipment; undefined until it is on this device. */
  view: InboundView | undefined;
  error: unknown;
  reload: () => Promise<void>;
  /**
   * Returns the name of a user: the name that the service sent, otherwise the name in the list of users. Without access
   * to that list, returns the id of other users.
   */
  personOf: (user: { userId: string; userName?: string }) => string;
  /** Returns the present state, for handlers that run one after the other. */
  fresh: () => InboundView | undefined;
}

/** Loads a shipment and keeps the screen up to date. */
export function useShipment(names: Pick<Arrival, 'type' | 'number' | 'sellerId'>): Shipping {
  const { type, number, sellerId } = names;
  const subject = useMemo(() => subjectOf(names), [type, number, sellerId]);
  const [error, setError] = useState<unknown>(undefined);
  const isReading = useRef(false);
  const reload = async () => {
    isReading.current = true;
    try {
      await keepInbound(subject);
      setError(undefined);
    } catch (failure) {
      setError(failure);
    } finally {
      isReading.current = false;
    }
    const kept = shipmentView(subject);
    if (kept !== undefined) await loadWords(kept.shipment).catch(() => undefined);
  };
  useEffect(() => {
    void reload();
    // During a read, no tab sends commands. So the interval starts no further read while one is running.
    return whenBack((isTick) => {
      if (!isTick || !isReading.current) void reload();
    }, EVERY_MS);
  }, [subject]);
  const nameOf = useNames(place.value?.nodeId);
  const personOf: Shipping['personOf'] = ({ userId, userName }) => userName ?? nameOf(userId);
  const view = shipmentView(subject);
  const refused = useRef(view?.conflicts.length ?? 0);
  useEffect(() => {
    const now = view?.conflicts.length ?? 0;
    if (now > refused.current) feedback('wrong');
    refused.current = now;
  }, [view?.conflicts.length]);
  return { subject, view, error, reload, personOf, fresh: () => shipmentView(subject) };
}

type Undoable = NonNullable<Said['undoes']>;

/** Commands that the user can undo on the screens of a shipment, the latest last. They are lost with the page. */
const doneOf = new Map<string, Undoable[]>();
/** The message that the next screen of a shipment shows first. */
let carried: { key: string; said: Said | undefined } | undefined;

function takeCarried(key: string): Said | undefined {
  const said = carried?.key === key ? carried.said : undefined;
  carried = undefined;
  return said;
}

export interface Receiving {
  said: Said | undefined;
  say: (said: Said | undefined) => void;
  /** Shows the last message on the next screen of the shipment, too. */
  carry: () => void;
  wrong: (title: string, detail?: string) => void;
  /** Receives a whole carton. Resolves to true if the device has stored the command. */
  take: (carton: WholeScan, said: Omit<Said, 'undoes'>, isUnannounced?: boolean) => Promise<boolean>;
  /** Counts units of one line. Resolves to true if the device has stored the command. */
  count: (line: CountLine, said: Omit<Said, 'undoes'>, isUnannounced?: boolean) => Promise<boolean>;
  undo: () => Promise<void>;
  /** Corrects a receipt of any user and page: all of its units are removed. */
  correct: (receipt: Receipt, name: string) => Promise<void>;
  /** Open orders of the node that need units of this user's last receipt. */
  wanted: readonly Wanted[];
}

/** Sends the commands of a shipment. The device stores a command before the beep. */
export function useReceiving(shipping: Shipping): Receiving {
  const { subject, view } = shipping;
  const key = ownKey(subject);
  const [said, setSaid] = useState<Said | undefined>(() => takeCarried(key));
  const latest = useRef(said);
  const say = (next: Said | undefined) => {
    latest.current = next;
    setSaid(next);
  };
  const wrong = (title: string, detail?: string) => {
    feedback('wrong');
    say({ look: 'wrong', title, ...(detail !== undefined && { detail }) });
  };
  const add = adder(shipping, key, say, wrong);
  const takeBack = takerBack(shipping, key, say, wrong);
  const isGone = said?.undoes !== undefined && view?.has(said.undoes.id) === false;
  // Finds the last receipt of this user. After a receipt of another user, the user still has the same goods, and
  // `wanted` remains.
  const userId = session.value?.user.userId;
  const lastReceipt = view?.shipment.receipts.findLast((one) => one.userId === userId);
  return {
    // Hides the message about a receipt that was rejected or that the user gave up: the receipt is no success and has no
    // undo.
    said: isGone ? undefined : said,
    say,
    carry: () => {
      carried = { key, said: latest.current };
    },
    wrong,
    take: (carton, words, isUnannounced = false) =>
      add({ cartons: [carton] }, `carton ${carton.cartonId}`, words, isUnannounced),
    count: (line, words, isUnannounced = false) =>
      add({ lines: [line] }, partOf(line.cartonId, line.itemId), words, isUnannounced),
    undo: useOnce(async () => {
      // Skips receipts that the user gave up, because the undo would wait forever for their response, and receipts that
      // another user has corrected.
      const now = shipping.fresh();
      const last = (doneOf.get(key) ?? []).findLast(({ id }) => now?.has(id) === true && !now.isCorrected(id));
      if (last === undefined) wrong(t().receive.nothingToUndo);
      else await takeBack(last);
    }),
    correct: async (receipt, name) => {
      const { cartonId, itemId } = receipt.lines[0]!;
      // With the same `part`, the outbox sends the correction after the waiting counts of this carton or item.
      const part = partOf(cartonId, itemId);
      const { receiptId: id } = receipt;
      if (shipping.fresh()?.isCorrected(id) !== true) await takeBack({ id, booked: [], part, name });
    },
    wanted:
      lastReceipt !== undefined && lastReceipt.receiptId === doneOf.get(key)?.at(-1)?.id
        ? (lastReceipt.wanted ?? [])
        : [],
  };
}

const partOf = (cartonId: string | undefined, itemId: string) =>
  cartonId === undefined ? `item ${itemId}` : `carton ${cartonId}`;

type Say = (said: Said) => void;
type Wrong = (title: string, detail?: string) => void;

/** Returns a function that adds a receipt. */
function adder({ subject, fresh }: Shipping, key: string, say: Say, wrong: Wrong) {
  return async (
    wish: { cartons?: WholeScan[]; lines?: CountLine[] },
    part: string,
    words: Omit<Said, 'undoes'>,
    isUnannounced: boolean,
  ) => {
    const doing = {
      ...(wish.cartons && { cartons: wish.cartons.map((one) => withPlace(subject, one)) }),
      ...(wish.lines && { lines: wish.lines.map((one) => withPlace(subject, one)) }),
    };
    const before = fresh();
    // Adds no receipt behind a rejected one: the device would not send it, and the screen would not show its units.
    if (before?.conflicts.some((one) => stops(one, part))) {
      wrong(t().pick.stopped, t().pick.stoppedScan);
      return false;
    }
    const booked = before === undefined ? [] : bookedBy(before.shipment, doing);
    const isDirect = isUnannounced || takenDirectly.has(key);
    const command = { kind: 'receive' as const, subject: { ...subject, part }, at: Date.now(), ...doing };
    try {
      const id = await addInbound({ ...command, ...(isDirect && { unannounced: true }) });
      const undoes = { id, booked, part, name: words.detail ?? words.title };
      doneOf.set(key, [...(doneOf.get(key) ?? []), undoes]);
      const isLast = before?.shipment.complete === false && fresh()?.shipment.sums.total.open === 0;
      feedback(isLast ? 'done' : 'right');
      say({ ...words, undoes });
      return true;
    } catch (error) {
      wrong(explain(error, t().pick.noStorage).what);
      return false;
    }
  };
}

/** Returns a function that removes the units of a receipt. */
function takerBack({ subject, fresh }: Shipping, key: string, say: Say, wrong: Wrong) {
  return async (last: Undoable) => {
    const { receive, pick } = t();
    const now = fresh();
    if (now?.conflicts.some((one) => stops(one, last.part))) {
      wrong(pick.stopped, pick.stoppedScan);
      return;
    }
    const receipt = now?.shipment.receipts.find(({ receiptId }) => receiptId === last.id);
    try {
      const of = receipt === undefined ? last.booked : await unitsIn(receipt, now!.shipment);
      await addInbound({
        kind: 'unreceive',
        subject: { ...subject, part: last.part },
        at: Date.now(),
        undoes: last.id,
        of,
        isKnown: receipt !== undefined,
      });
      doneOf.set(
        key,
        (doneOf.get(key) ?? []).filter(({ id }) => id !== last.id),
      );
      feedback('right');
      say({ look: 'info', title: receive.undone, detail: last.name });
    } catch (error) {
      wrong(explain(error, pick.noStorage).what);
    }
    focusScanTarget();
  };
}

/** Returns the units of a receipt, those that a lead has decided in the kinds of the decision. */
async function unitsIn(receipt: Receipt, shipment: Shipment): Promise<Booked[]> {
  if (shipment.approvals.length === 0) return bookedIn(receipt);
  return (await import('../../offline/inbound-correct.ts')).correctedBy(receipt, shipment);
}

/** Returns the result of the last scan or tap in the form of a job screen. */
export function saidOf({ said, undo }: Receiving): JobSaid | undefined {
  if (said === undefined) return undefined;
  const { look, title, detail, undoes } = said;
  return { look, title, detail, ...(undoes !== undefined && { undo: () => void undo(), undoKey: 'Control+Z' }) };
}
