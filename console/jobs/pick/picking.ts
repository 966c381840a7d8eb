/** The logic of the picking screen: stores scans, finds the next unit, and assigns the places of the goods. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { choices } from '../../choices.ts';
import type { StoreCommand, TicketSubject } from '../../offline/commands.ts';
import { outbox } from '../../offline/index.ts';
import { confirmItems, type ItemView, type TicketView } from '../../offline/view.ts';
import { isOneOf } from '../../scan/codes.ts';
import { feedback } from '../../scan/feedback.ts';
import type { Scan } from '../../scan/queue.ts';
import { focusScanTarget } from '../../scan/target.tsx';
import { t } from '../../texts/index.ts';
import { explain } from '../../ui/notice.tsx';
import { type Said, useSaid } from '../../work/said.tsx';
import { useOnce, useTurns } from '../../work/use-once.ts';
import { usePlace } from '../../work/use-place.tsx';
import { indexOf, judgeScan, LEFT_OUT, needless, nextOpen, nextTote } from './ticket-work.ts';

/** The ticket that is being picked. */
export interface Picked {
  subject: TicketSubject;
  view: TicketView;
  isReverse: boolean;
}

type Saying = ReturnType<typeof useSaid>;

/** Manages the current item. */
function useShown(view: TicketView) {
  const [shownId, setShownId] = useState<number | undefined>(() => nextOpen(view.items)?.id);
  const shown = view.items.find(({ id }) => id === shownId) ?? nextOpen(view.items) ?? view.items[0]!;
  const now = useRef(shown.id);
  now.current = shown.id;
  const show = (id: number | undefined) => {
    if (id === undefined) return;
    // Scrolling forces a layout of the page, so it is skipped for another unit of the same item.
    if (id !== now.current) scrollTo({ top: 0 });
    now.current = id;
    setShownId(id);
    focusScanTarget();
  };
  return { shown, now, show };
}

/** Picks a ticket. Each action is stored on the device before its sound and message. */
export function usePicking({ subject, view, isReverse }: Picked) {
  const index = useMemo(() => indexOf(view.items), [subject, view.items.length]);
  const said = useSaid();
  const { shown, now, show } = useShown(view);
  // `view` is from the last render. A scan that waited for another scan needs the state after that other scan.
  const fresh = () => outbox.snapshot.ticket(subject) ?? view;
  const keep = useKeeping(fresh, said);
  const inTurn = useTurns();
  const freshOf = (item: ItemView) => fresh().items.find(({ id }) => id === item.id) ?? item;
  const moveOn = (id: number) => {
    const { items } = fresh();
    const item = items.find((one) => one.id === id);
    show(item !== undefined && item.left > 0 ? id : (nextOpen(items, id)?.id ?? id));
  };
  const undoLast = async () => {
    const { pick } = t();
    const scan = fresh().scans.at(-1);
    if (scan === undefined) {
      said.wrong(pick.nothingToUndo);
      return;
    }
    const { scanId, ...of } = scan;
    if (!(await keep({ kind: 'undo', subject, undoes: scanId, of }))) return;
    const item = fresh().items.find(({ id }) => id === scan.item);
    said.say({ look: 'info', title: pick.undone(item?.item.itemDetails.itemDesc ?? '') }, 'right');
    show(scan.item);
  };
  const undo = useOnce(() => inTurn(undoLast));
  const undoable: Partial<Said> = { undo: () => void undo(), undoKey: 'F8' };
  const count = (tapped: ItemView) =>
    inTurn(async () => {
      const { pick } = t();
      const item = freshOf(tapped);
      if (item.left <= 0) {
        said.wrong(...wordsOf({ kind: 'over', item }, ''));
        return;
      }
      const tote = view.ticket.orders.length > 1 ? nextTote(item) : undefined;
      if (!(await keep({ kind: 'scan', subject, item: item.id, picked: 1, canceled: 0 }))) return;
      const detail = `${pick.of(item.picked + 1, item.quantity - item.canceled)} · ${item.item.itemDetails.itemDesc}`;
      said.right(tote === undefined ? pick.right : pick.rightTote(tote), { tote, detail, ...undoable });
      moveOn(item.id);
    });
  /** `unitsOf` gets the item with everything that the device has stored, so a double tap counts no unit twice. */
  const short = (tapped: ItemView, reason: string, unitsOf: (item: ItemView) => number) =>
    inTurn(async () => {
      const item = freshOf(tapped);
      const units = Math.min(item.left, unitsOf(item));
      if (units <= 0) return;
      if (!(await keep({ kind: 'scan', subject, item: item.id, picked: 0, canceled: units, reason }))) return;
      const detail = item.item.itemDetails.itemDesc;
      said.say({ look: 'risk', title: t().pick.shorted(units), detail, ...undoable }, 'right');
      moveOn(item.id);
    });
  return {
    index,
    /** The last code if it was unknown. It may be the first half of a code. */
    half: useRef<Scan | undefined>(undefined),
    said,
    shown,
    show,
    fresh,
    keep,
    count,
    short: (item: ItemView, units: number, reason: string) => short(item, reason, () => units),
    leaveOut: (item: ItemView) => short(item, leaveOutReason(), needless),
    undo,
    inTurn,
    isReverse,
    subject,
    current: () => fresh().items.find(({ id }) => id === now.current),
    shortRest: async (reason: string) => {
      for (const item of fresh().items) if (item.left > 0) await short(item, reason, ({ left }) => left);
    },
  };
}

export type Picking = ReturnType<typeof usePicking>;

function useKeeping(fresh: () => TicketView, said: Saying) {
  return async (command: StoreCommand): Promise<boolean> => {
    const { pick } = t();
    if (fresh().conflict !== undefined) {
      said.wrong(pick.stopped, pick.stoppedScan);
      return false;
    }
    try {
      await outbox.add(command);
      return true;
    } catch (error) {
      said.wrong(explain(error, pick.noStorage).what);
      return false;
    }
  };
}

/** Manages the places for the goods of a finished ticket: one common place, and places of single orders. */
function useTotes({ said, fresh }: Picking, suggested: string) {
  const [place, setPlace] = useState(suggested);
  /** `own`: places of single orders. `forOrder`: the order that the next place applies to. */
  const [own, setOwn] = useState<ReadonlyMap<string, string>>(new Map());
  const [forOrder, showForOrder] = useState<string | undefined>();
  // A ref, because the next place can be scanned before the screen is drawn again.
  const target = useRef<string | undefined>(undefined);
  const setForOrder = (id: string | undefined) => {
    target.current = id;
    showForOrder(id);
  };
  const putInto = (text: string) => {
    const { pick } = t();
    const order = fresh().ticket.orders.find(({ fulfillmentOrderId }) => fulfillmentOrderId === target.current);
    if (order === undefined) {
      setPlace(text);
      said.right(pick.atPlace(text));
      return;
    }
    setOwn((before) => new Map(before).set(order.fulfillmentOrderId, text));
    setForOrder(undefined);
    said.right(pick.toteAt(order.tote, text), { tote: order.tote });
  };
  /** Handles a scanned or tapped tote: the next place applies only to the order of this tote. */
  const takeTote = (text: string): boolean => {
    const order = toteOf(fresh(), text);
    if (order === undefined) return false;
    setForOrder(order.fulfillmentOrderId);
    said.say({ look: 'info', title: t().pick.toteNext(order.tote) }, 'right');
    return true;
  };
  const allInOne = () => {
    setOwn(new Map());
    setForOrder(undefined);
  };
  return { place, setPlace, putInto, own, forOrder, takeTote, allInOne };
}

/** Manages the end of a ticket: the places of its orders, the questions about unknown places, and the CONFIRM. */
export function useEnding(picking: Picking, suggested: string) {
  const { said, fresh, keep, inTurn, subject, isReverse, index } = picking;
  const totes = useTotes(picking, suggested);
  const { place, own } = totes;
  const { isPlace: judge, question } = usePlace(said.wrong);
  /**
   * Calls `use` if the text is a place. With `isConfirmed`, no request is sent, because the scan of the place has
   * already asked the service.
   */
  const isPlace = (text: string, isConfirmed: boolean, use: (at: string) => unknown): Promise<boolean> => {
    const { pickTicketId, orders } = fresh().ticket;
    const numbers = [pickTicketId, ...orders.map(({ fulfillmentOrderId }) => fulfillmentOrderId)];
    return judge(text, { codes: { suggested, numbers, index }, isAsking: !isConfirmed, use });
  };
  const storeConfirm = async (holdLocation: string) => {
    if (fresh().confirmed !== undefined) return;
    const orderHoldLocations = [...own].map(([fulfillmentOrderId, at]) => ({ fulfillmentOrderId, holdLocation: at }));
    const places = { holdLocation, ...(own.size > 0 && { orderHoldLocations }) };
    if (await keep({ kind: 'confirm', subject, ...places, items: confirmItems(fresh()) })) feedback('done');
  };
  const keepConfirm = (holdLocation: string) => inTurn(() => storeConfirm(holdLocation));
  const confirm = async () => {
    const { pick } = t();
    const now = fresh();
    const left = now.items.reduce((sum, item) => sum + item.left, 0);
    if (left > 0) said.wrong(pick.confirmNeedsAll(left));
    else if (isReverse) await keepConfirm(now.ticket.holdLocation);
    else if (place.trim() === '') said.wrong(pick.confirmNeedsPlace);
    else await isPlace(place.trim(), true, keepConfirm);
  };
  return { ...totes, isPlace, confirm, question };
}

/**
 * Returns the order of a scanned tote, by the letter on its label or by the order number. Undefined on a ticket with
 * one order.
 */
function toteOf({ ticket: { orders } }: TicketView, text: string): TicketView['ticket']['orders'][number] | undefined {
  if (orders.length < 2) return undefined;
  return orders.find(({ tote, fulfillmentOrderId }) => isOneOf(text, [tote, fulfillmentOrderId]));
}

export type Ending = ReturnType<typeof useEnding>;

/** Maximum time between the halves of a code. */
const HALVES_MS = 3_000;

/**
 * Returns the meaning of a code. A pause of the scanner can split a code: each half is unknown, but both together are a
 * code of the ticket.
 */
function meaningOf(scan: Scan, items: readonly ItemView[], { index, current, half }: Picking) {
  const judge = (text: string) => judgeScan(items, index, text, current()?.id);
  const verdict = judge(scan.text);
  const first = half.current;
  half.current = verdict.kind === 'unknown' ? scan : undefined;
  if (verdict.kind !== 'unknown' || first === undefined || scan.at - first.at > HALVES_MS) return verdict;
  const whole = judge(first.text + scan.text);
  if (whole.kind !== 'unknown') half.current = undefined;
  return whole;
}

/** Returns the function that handles the codes a user scans while picking a ticket. */
export function codesOf(picking: Picking, { isPlace, putInto, confirm, takeTote }: Ending, openShort: () => void) {
  const { said, fresh, isReverse } = picking;
  return (scan: Scan) => {
    const { text, command } = scan;
    const { items } = fresh();
    const isOpen = items.some(({ left }) => left > 0);
    if (command === 'UNDO') return picking.undo();
    if (command === 'SHORT') {
      openShort();
      return undefined;
    }
    if (command === 'OK') return isOpen ? undefined : confirm();
    const verdict = meaningOf(scan, items, picking);
    if (verdict.kind === 'right') return picking.count(verdict.item);
    if (!isOpen && !isReverse && takeTote(text.trim())) return undefined;
    if (!isOpen && !isReverse && verdict.kind !== 'over')
      return isPlace(text.trim(), false, putInto).then(() => undefined);
    if (verdict.kind === 'place') {
      said.say({ look: 'info', title: t().pick.atPlace(text) }, 'right');
      picking.show(verdict.item.id);
    } else said.wrong(...wordsOf(verdict, text));
    return undefined;
  };
}

function wordsOf(
  verdict: Exclude<ReturnType<typeof judgeScan>, { kind: 'right' | 'place' }>,
  text: string,
): [string, string] {
  const { pick } = t();
  if (verdict.kind === 'unknown') return [pick.wrong, pick.wrongHint(text)];
  const { itemDesc } = verdict.item.item.itemDetails;
  if (verdict.kind === 'over') return [pick.over, pick.overHint(itemDesc, verdict.item.picked, verdict.item.canceled)];
  return [pick.component, pick.componentHint(verdict.name, itemDesc)];
}

/**
 * Returns the reason for leaving out units that the customer canceled. If the client does not have it, returns the
 * client's first reason.
 */
function leaveOutReason(): string {
  const codes = choices.value?.cancelReasons.map(({ code }) => code) ?? [];
  return codes.length === 0 || codes.includes(LEFT_OUT) ? LEFT_OUT : codes[0]!;
}
