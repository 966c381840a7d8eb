/**
 * The state of the packing screen. Units go into the open box. The device stores the box until the user closes it. Also
 * handles scanned codes and finds the reason why the box cannot be closed.
 */
import { CircleCheck } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { components } from '../../../contract/client.d.ts';
import { api, newId, send } from '../../api.ts';
import { online } from '../../preferences.ts';
import { isOneOf } from '../../scan/codes.ts';
import { linesOfCode } from '../../scan/lines-of-code.ts';
import type { Scan } from '../../scan/queue.ts';
import { focusScanTarget } from '../../scan/target.tsx';
import { session } from '../../session.ts';
import { t } from '../../texts/index.ts';
import { ownId } from '../../work/own-id.ts';
import type { useSaid } from '../../work/said.tsx';
import type { MainAction } from '../../work/work-screen.tsx';

export type PackDetail = components['schemas']['PackDetailsReply']['packDetail'][number];
export type PackLine = PackDetail['packLines'][number];
export type PackedBox = PackDetail['packages'][number];
export type PackageChange = components['schemas']['PackageChange'];

/** Units in the open box by line. */
type Units = Readonly<Record<string, number>>;
type Saying = ReturnType<typeof useSaid>;

/** The values of a box that tell it from the box of another device with the same number and units. */
interface Marks {
  boxWeight?: PackageChange['boxWeight'] | undefined;
  trackingNumber?: PackageChange['trackingNumber'] | undefined;
}

/** A box that was sent to the service, with its units. A try of an earlier version of the console has no marks. */
interface Tried {
  boxId: string;
  units: Units;
  marks?: Marks;
}

function draftKey({ storeId, fulfillmentOrderId }: PackDetail): string {
  return `backroom.pack ${session.peek()!.user.userId} ${storeId} ${fulfillmentOrderId}`;
}

const triesKey = (detail: PackDetail) => `${draftKey(detail)} tries`;

function readTries(detail: PackDetail): readonly Tried[] {
  return JSON.parse(localStorage.getItem(triesKey(detail)) ?? '[]') as readonly Tried[];
}

type Items = readonly { webLineId: string; quantity: number }[];

/** Returns whether a recorded box has these units. */
export function isRecordedAs({ packageItems }: PackedBox, items: Items): boolean {
  const sent = new Map(items.map(({ webLineId, quantity }) => [webLineId, quantity]));
  return (
    sent.size === packageItems.length &&
    packageItems.every(({ webLineId, quantity }) => sent.get(webLineId) === quantity)
  );
}

const itemsOf = (units: Units): Items =>
  Object.entries(units).map(([webLineId, quantity]) => ({ webLineId, quantity }));

/**
 * Returns whether a recorded box has this weight and, if there is one, this tracking number. A label program can add a
 * tracking number to the box within seconds.
 */
export function hasMarks(box: Marks, { boxWeight, trackingNumber = '' }: Marks): boolean {
  return box.boxWeight?.value === boxWeight?.value && (trackingNumber === '' || box.trackingNumber === trackingNumber);
}

/** Returns the box of this device that is recorded although its response was lost. */
function recordedOf(detail: PackDetail): Tried | undefined {
  return readTries(detail).find(({ boxId, units, marks }) =>
    detail.packages.some(
      (box) =>
        box.boxId === boxId && isRecordedAs(box, itemsOf(units)) && (marks === undefined || hasMarks(box, marks)),
    ),
  );
}

/**
 * Returns the units of the open box without those of a recorded box. If the response to a close was lost, the units of
 * the recorded box are still in the open box, and would be packed twice.
 */
function withoutRecorded(detail: PackDetail, units: Units): Units {
  const recorded = recordedOf(detail);
  if (recorded === undefined) return units;
  const left = Object.entries(units).map(([id, count]) => [id, Math.max(0, count - (recorded.units[id] ?? 0))]);
  const next = Object.fromEntries(left) as Units;
  localStorage.setItem(draftKey(detail), JSON.stringify(next));
  localStorage.removeItem(triesKey(detail));
  return next;
}

/** Returns the units that were in the open box when the user left this screen. */
function readDraft(detail: PackDetail): Units {
  return JSON.parse(localStorage.getItem(draftKey(detail)) ?? '{}') as Units;
}

/** Returns the units of the box that are no longer to pack: canceled by the customer, or packed on another device. */
function excessOf({ packLines }: PackDetail, units: Units) {
  return packLines.flatMap((line) => {
    const count = (units[line.webLineId] ?? 0) - line.toPackQuantity;
    return count > 0 ? [{ line, count }] : [];
  });
}

/**
 * Limits the units of a line in the box to the units that are left to pack after `declined` units were removed from the
 * order.
 */
function withoutDeclined(units: Units, { webLineId, toPackQuantity }: PackLine, declined: number): Units {
  const left = Math.max(0, toPackQuantity - declined);
  return { ...units, [webLineId]: Math.min(units[webLineId] ?? 0, left) };
}

/** Only the boxes of a parcel have tracking numbers and a pack slip. */
export function isParcel({ fulfillmentType }: PackDetail): boolean {
  return fulfillmentType === 'SHIP_TO_HOME';
}

/** Returns whether a code is a number of the order. */
function isNumberOf({ fulfillmentOrderId, omsOrderId, webOrderId }: PackDetail, text: string): boolean {
  return isOneOf(text, [fulfillmentOrderId, omsOrderId, webOrderId]);
}

/** Returns the lines with the item of a code. */
function linesOf({ packLines }: PackDetail, text: string): readonly PackLine[] {
  return linesOfCode(packLines, text, ({ upcs }) => upcs.map(({ value }) => value));
}

/** Returns whether a code is a number or an item of the order. Such a code is no tracking number. */
export function isOfOrder(detail: PackDetail, text: string): boolean {
  return isNumberOf(detail, text) || linesOf(detail, text).length > 0;
}

/** Keeps the units of the open box in the state of the screen and on the device. */
function useUnits(detail: PackDetail) {
  const [box, setBox] = useState<Units>(() => readDraft(detail));
  const latest = useRef(box);
  latest.current = box;
  const change = (next: Units) => {
    latest.current = next;
    localStorage.setItem(draftKey(detail), JSON.stringify(next));
    setBox(next);
  };
  return { box, latest, change };
}

/**
 * Takes units out of the open box that are recorded in a closed box, or that are no longer to pack. The user must take
 * the latter out of the carton.
 */
function useFitting(detail: PackDetail, { latest, change }: ReturnType<typeof useUnits>, said: Saying) {
  const { pack } = t();
  const own = useRef<string>(undefined);
  // What is left of an order that another device has packed to the end is old.
  const wasOpen = useRef(!isPacked(detail));
  useEffect(() => {
    own.current = recordedOf(detail)?.boxId ?? own.current;
    const next = withoutRecorded(detail, latest.current);
    const excess = excessOf(detail, next);
    if (next === latest.current && excess.length === 0) return;
    change({ ...next, ...Object.fromEntries(excess.map(({ line }) => [line.webLineId, line.toPackQuantity])) });
    if (excess.length === 0 || !wasOpen.current) return;
    said.wrong(excess.map(({ line, count }) => pack.takeOut(line.itemDesc, count)).join(', '), pack.notToPack);
  }, [detail]);
  return own;
}

const isPacked = ({ packLines }: PackDetail) => packLines.every(({ toPackQuantity }) => toPackQuantity === 0);

/** Manages the open box of an order. */
export function useBox(detail: PackDetail, said: Saying) {
  const { pack, counter } = t();
  const { packLines: lines, packages } = detail;
  const kept = useUnits(detail);
  const { box, latest, change } = kept;
  const own = useFitting(detail, kept, said);
  const boxId = String(Math.max(0, ...packages.map((one) => Number.parseInt(one.boxId, 10) || 0)) + 1);
  const leftOf = ({ webLineId, toPackQuantity }: PackLine, from: Units = box) =>
    toPackQuantity - (from[webLineId] ?? 0);
  const take = (webLineId: string, count: number) => {
    change({ ...latest.current, [webLineId]: Math.max(0, (latest.current[webLineId] ?? 0) - count) });
    said.say(undefined);
    focusScanTarget();
  };
  const add = (line: PackLine, count: number): void => {
    const from = latest.current;
    if (leftOf(line, from) < count) {
      said.wrong(counter.tooMany(line.itemDesc));
      return;
    }
    if (isAloneBroken(lines, line, from)) {
      said.wrong(`${line.itemDesc}: ${pack.aloneHint}`);
      return;
    }
    change({ ...from, [line.webLineId]: (from[line.webLineId] ?? 0) + count });
    const isLast = lines.every((one) => leftOf(one, latest.current) <= 0);
    const title = isLast ? pack.allPacked : pack.intoBox(line.itemDesc, boxId);
    said.say({ look: 'right', title, undo: () => take(line.webLineId, count) }, isLast ? 'done' : 'right');
  };
  const isOver = isPacked(detail);
  useEffect(() => {
    if (isOver) localStorage.removeItem(draftKey(detail));
  }, [isOver]);
  const inBox = Object.entries(box).flatMap(([id, count]) => {
    const line = lines.find(({ webLineId }) => webLineId === id);
    return line !== undefined && count > 0 ? [{ line, count }] : [];
  });
  return {
    boxId,
    inBox,
    units: inBox.reduce((sum, { count }) => sum + count, 0),
    left: lines.reduce((sum, line) => sum + Math.max(0, leftOf(line)), 0),
    isOver,
    leftOf,
    add,
    take,
    /** Remembers that the box is sent. Call it before the request. */
    trying: (id: string, items: Items, { boxWeight, trackingNumber }: Marks) => {
      const units = Object.fromEntries(items.map(({ webLineId, quantity }) => [webLineId, quantity]));
      const tried: Tried = { boxId: id, units, marks: { boxWeight, trackingNumber } };
      localStorage.setItem(triesKey(detail), JSON.stringify([...readTries(detail), tried]));
    },
    /** Forgets the last try, because the service has rejected it. A box with the same units is then another one. */
    rejected: () => localStorage.setItem(triesKey(detail), JSON.stringify(readTries(detail).slice(0, -1))),
    /** Number of the box that the open dialog has recorded, with or without a response. */
    own,
    empty: (recorded: string) => {
      own.current = recorded;
      localStorage.removeItem(triesKey(detail));
      change({});
    },
    without: (line: PackLine, declined: number) => change(withoutDeclined(latest.current, line, declined)),
    /** Handles a code: the code of an item adds a unit to the box, and UNDO removes it again. */
    onCode: ({ text, command }: Scan) => {
      if (command === 'UNDO') said.latest.current?.undo?.();
      if (command !== undefined) return command === 'UNDO' ? undefined : false;
      if (isNumberOf(detail, text)) return undefined;
      const fitting = linesOf(detail, text);
      const line = fitting.find((one) => leftOf(one, latest.current) > 0) ?? fitting[0];
      if (line === undefined) said.wrong(counter.notOfOrder(text));
      else add(line, 1);
      return undefined;
    },
  };
}

export type Box = ReturnType<typeof useBox>;

/**
 * Returns whether a unit of `line` would put an item that must ship alone into one box with other items. The service
 * would reject such a box.
 */
function isAloneBroken(lines: readonly PackLine[], line: PackLine, from: Units): boolean {
  const isAlone = ({ handling }: PackLine) => handling?.shipAlone === 'Yes';
  const others = lines.filter((one) => (from[one.webLineId] ?? 0) > 0 && one.itemId !== line.itemId);
  return others.length > 0 && (isAlone(line) || others.some(isAlone));
}

/** Records boxes. */
export async function updateBoxes(detail: PackDetail, changes: readonly PackageChange[]): Promise<void> {
  const { storeId, nodeId, fulfillmentOrderId } = detail;
  await send(
    api.PUT('/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/package/update', {
      params: { path: { storeId, fulfillmentOrderId }, header: { 'Idempotency-Key': newId() } },
      body: {
        modifyAssociateId: ownId(),
        packDetails: { storeId, nodeId, fulfillmentOrderId, packages: [...changes] },
      },
    }),
  );
}

/** Returns the main button, with the reason why the box cannot be closed. */
export function closeAction(box: Box, isStale: boolean, run: () => void): MainAction {
  const { pack, counter, shell } = t();
  const blocked = !online.value
    ? counter.needsNetwork
    : isStale
      ? shell.offline
      : box.units === 0
        ? pack.blockedEmpty
        : undefined;
  return { label: pack.closeBox, icon: CircleCheck, blocked, run };
}
