/** The counts of a check-in, as a draft of the screen. The device keeps the draft until the user saves it. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { choices } from '../../choices.ts';
import type { CheckInPackage, CheckInSubject } from '../../offline/commands.ts';
import type { CheckInView } from '../../offline/view.ts';
import { session } from '../../session.ts';

/** The counted units of one line of one carton. */
export interface Count {
  arrived: number;
  problem: number;
  reason: string;
}
type Counts = Readonly<Record<string, Count>>;

/** An unsaved count of one line, and the saved count that it replaces. */
interface Change {
  from: Count;
  to: Count;
}

/** Unsaved work of this screen. The device keeps it, so that closing the tab loses none. */
interface Draft {
  /**
   * The lines that this user counted. Other lines are not sent, because another user may save them at the same time.
   */
  changes: Readonly<Record<string, Change>>;
  /** The place that the user chose; undefined if none. */
  place?: string | undefined;
  /** Cartons that the user scanned or counted. */
  seen: readonly string[];
  /** The open carton, also after a reload. Its units are counted first. */
  active?: string | undefined;
}

type View = CheckInView['details'];
export type Carton = View['checkInPackages'][number];
export type Line = Carton['checkInPackageItems'][number];

const NONE: Count = { arrived: 0, problem: 0, reason: '' };
const keyOf = (packageId: string, webLineId: string) => JSON.stringify([packageId, webLineId]);
const isSame = (a: Count, b: Count) => a.arrived === b.arrived && a.problem === b.problem && a.reason === b.reason;

export function cartonName({ trackingNumber, checkInPackageId }: Carton): string {
  return trackingNumber === '' ? checkInPackageId : trackingNumber;
}

/** Returns the reason code if the client has it, otherwise an empty text; the user must then choose a reason. */
export function knownReason(code: string): string {
  return choices.peek()?.cancelReasons.some((one) => one.code === code) === true ? code : '';
}

function countsOf({ checkInPackages }: View): Counts {
  return Object.fromEntries(
    checkInPackages.flatMap((one) =>
      one.checkInPackageItems.map((line) => [
        keyOf(one.checkInPackageId, line.webLineId),
        {
          arrived: line.checkInQuantity,
          problem: line.checkInCanceledQuantity,
          reason: line.checkInCancellationReasonCode ?? '',
        },
      ]),
    ),
  );
}

function draftKey({ storeId, id }: CheckInSubject): string {
  return `backroom.check-in ${session.peek()!.user.userId} ${storeId} ${id}`;
}

/** A draft of version 0.5.0 and earlier: the counts of all lines, and an empty place if the user chose none. */
interface OldDraft {
  counts?: Counts;
  place?: string;
}

/**
 * Returns the draft that this device has stored. An old draft has the counts of all lines, also of lines that its user
 * did not count. Such a count becomes a change if it has units and no count of the line is saved.
 */
function keptDraft(subject: CheckInSubject, saved: Counts): Partial<Draft> {
  const text = localStorage.getItem(draftKey(subject));
  if (text === null) return {};
  const { counts, ...kept } = JSON.parse(text) as Partial<Draft> & OldDraft;
  if (counts === undefined) return kept;
  const hasUnits = (count: Count | undefined) => count !== undefined && count.arrived + count.problem > 0;
  const counted = Object.entries(counts).filter(([key, count]) => hasUnits(count) && !hasUnits(saved[key]));
  return {
    ...kept,
    place: kept.place === '' ? undefined : kept.place,
    changes: Object.fromEntries(counted.map(([key, to]) => [key, { from: saved[key] ?? NONE, to }])),
  };
}

/** Keeps the draft on the device. `latest` has changes before the next render, for scans in quick succession. */
function useDraft(subject: CheckInSubject, cartons: readonly Carton[], saved: Counts) {
  const [draft, setDraft] = useState<Draft>(() => {
    const active = cartons.length === 1 ? cartons[0]!.checkInPackageId : undefined;
    return { changes: {}, seen: [], active, ...keptDraft(subject, saved) };
  });
  const latest = useRef(draft);
  latest.current = draft;
  const change = (next: Partial<Draft>) => {
    latest.current = { ...latest.current, ...next };
    localStorage.setItem(draftKey(subject), JSON.stringify(latest.current));
    setDraft(latest.current);
  };
  return { draft, latest, change };
}

/** Manages the counts of a check-in on this screen: the saved ones, with the unsaved ones of this user. */
export function useCounts(subject: CheckInSubject, { details, holdLocation = '' }: CheckInView) {
  const cartons = details.checkInPackages;
  const saved = useMemo(() => countsOf(details), [details]);
  const { draft, latest, change } = useDraft(subject, cartons, saved);
  const see = (packageId: string, more: Partial<Draft> = {}) => {
    const { seen } = latest.current;
    change({ ...more, seen: seen.includes(packageId) ? seen : [...seen, packageId] });
  };
  const savedOf = (key: string) => saved[key] ?? NONE;
  // If another user has saved the line since this user counted it, the saved count is the newer one.
  const isCurrent = (key: string, { from }: Change) => isSame(from, savedOf(key));
  const countOf = (packageId: string, { webLineId }: Line, of: Draft = draft): Count => {
    const key = keyOf(packageId, webLineId);
    const own = of.changes[key];
    return own !== undefined && isCurrent(key, own) ? own.to : savedOf(key);
  };
  const openOf = (carton: Carton, of: Draft = draft) =>
    carton.checkInPackageItems.reduce((sum, line) => {
      const { arrived, problem } = countOf(carton.checkInPackageId, line, of);
      return sum + line.quantity - arrived - problem;
    }, 0);
  const all = cartons.flatMap((carton) => carton.checkInPackageItems.map((line) => ({ carton, line })));
  /** Returns the lines whose count differs from the saved one. */
  const changed = () =>
    all.filter(({ carton: { checkInPackageId: id }, line }) => {
      return !isSame(countOf(id, line, latest.current), savedOf(keyOf(id, line.webLineId)));
    });
  const place = draft.place ?? holdLocation;
  return {
    draft,
    latest,
    cartons,
    change,
    see,
    countOf,
    openOf,
    openNow: () => cartons.reduce((sum, one) => sum + openOf(one, latest.current), 0),
    open: cartons.reduce((sum, one) => sum + openOf(one), 0),
    total: all.reduce((sum, { line }) => sum + line.quantity, 0),
    lacksReason: all.some(({ carton, line }) => {
      const { problem, reason } = countOf(carton.checkInPackageId, line);
      return problem > 0 && reason === '';
    }),
    place,
    // The service cannot remove a saved place, so an empty place does not count as a change.
    isDirty: changed().length > 0 || (place.trim() !== '' && place !== holdLocation),
    /** True if another user has saved other counts of lines that this user counted. */
    isOvertaken: Object.entries(draft.changes).some(
      ([key, own]) => !isCurrent(key, own) && !isSame(own.to, savedOf(key)),
    ),
    put: (packageId: string, { webLineId }: Line, to: Count) => {
      const key = keyOf(packageId, webLineId);
      see(packageId, { changes: { ...latest.current.changes, [key]: { from: savedOf(key), to } } });
    },
    /**
     * Returns the content of a save: the lines whose count differs from the saved one, and the place if the user chose
     * one.
     */
    toSave: () => {
      const chosen = latest.current.place?.trim() ?? '';
      return {
        packages: packagesOf(changed(), (id, line) => countOf(id, line, latest.current)),
        ...(chosen !== '' && { holdLocation: chosen }),
      };
    },
    /** Returns the content of a CONFIRM. Lines that are left out keep the counts that were saved last. */
    toConfirm: () => ({
      packages: packagesOf(changed(), (id, line) => countOf(id, line, latest.current)),
      holdLocation: (latest.current.place ?? holdLocation).trim(),
    }),
    /** After the counts are saved, keeps only the scanned cartons on the device: the service does not store them. */
    keepSeen: () => {
      const { seen, active } = latest.current;
      localStorage.setItem(draftKey(subject), JSON.stringify({ seen, active }));
    },
    forget: () => localStorage.removeItem(draftKey(subject)),
  };
}

/** Returns the counts of lines in the format of the service. */
function packagesOf(
  lines: readonly { carton: Carton; line: Line }[],
  countOf: (packageId: string, line: Line) => Count,
): CheckInPackage[] {
  const byCarton = Map.groupBy(lines, ({ carton }) => carton.checkInPackageId);
  return [...byCarton].map(([checkInPackageId, own]) => ({
    checkInPackageId,
    checkInPackageItems: own.map(({ line }) => {
      const { arrived, problem, reason } = countOf(checkInPackageId, line);
      return {
        itemId: line.itemId,
        webLineId: line.webLineId,
        quantity: line.quantity,
        checkInQuantity: arrived,
        checkInCanceledQuantity: problem,
        ...(problem > 0 && { checkInCancellationReasonCode: reason }),
      };
    }),
  }));
}

export type CountsOfCheckIn = ReturnType<typeof useCounts>;
