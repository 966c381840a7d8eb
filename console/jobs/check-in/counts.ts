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

/** Unsaved counts of this screen. The device keeps them, so that closing the tab loses none. */
interface Draft {
  counts: Counts;
  place: string;
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

/**
 * Manages the counts of a check-in on this screen. `latest` has changes before the next render, for scans in quick
 * succession.
 */
export function useCounts(subject: CheckInSubject, { details, holdLocation = '' }: CheckInView) {
  const cartons = details.checkInPackages;
  const saved = useMemo(() => countsOf(details), [details]);
  const [draft, setDraft] = useState<Draft>(() => {
    const text = localStorage.getItem(draftKey(subject));
    const active = cartons.length === 1 ? cartons[0]!.checkInPackageId : undefined;
    const kept = text === null ? {} : (JSON.parse(text) as Partial<Draft>);
    return { counts: saved, place: holdLocation, seen: [], active, ...kept };
  });
  const latest = useRef(draft);
  latest.current = draft;
  const change = (next: Partial<Draft>) => {
    latest.current = { ...latest.current, ...next };
    localStorage.setItem(draftKey(subject), JSON.stringify(latest.current));
    setDraft(latest.current);
  };
  const see = (packageId: string, more: Partial<Draft> = {}) => {
    const { seen } = latest.current;
    change({ ...more, seen: seen.includes(packageId) ? seen : [...seen, packageId] });
  };
  const countOf = (packageId: string, { webLineId }: Line, from: Draft = draft): Count =>
    from.counts[keyOf(packageId, webLineId)] ?? NONE;
  const openOf = (carton: Carton, from: Draft = draft) =>
    carton.checkInPackageItems.reduce((sum, line) => {
      const { arrived, problem } = countOf(carton.checkInPackageId, line, from);
      return sum + line.quantity - arrived - problem;
    }, 0);
  const openNow = () => cartons.reduce((sum, one) => sum + openOf(one, latest.current), 0);
  return {
    draft,
    latest,
    cartons,
    change,
    see,
    countOf,
    openOf,
    openNow,
    open: cartons.reduce((sum, one) => sum + openOf(one), 0),
    total: cartons.flatMap((one) => one.checkInPackageItems).reduce((sum, { quantity }) => sum + quantity, 0),
    lacksReason: Object.values(draft.counts).some(({ problem, reason }) => problem > 0 && reason === ''),
    isDirty: JSON.stringify(draft.counts) !== JSON.stringify(saved) || draft.place !== holdLocation,
    put: (packageId: string, { webLineId }: Line, count: Count) =>
      see(packageId, { counts: { ...latest.current.counts, [keyOf(packageId, webLineId)]: count } }),
    /** Returns the counts in the format of the service. */
    packages: (): CheckInPackage[] =>
      cartons.map(({ checkInPackageId, checkInPackageItems }) => ({
        checkInPackageId,
        checkInPackageItems: checkInPackageItems.map((line) => {
          const { arrived, problem, reason } = countOf(checkInPackageId, line, latest.current);
          return {
            itemId: line.itemId,
            webLineId: line.webLineId,
            quantity: line.quantity,
            checkInQuantity: arrived,
            checkInCanceledQuantity: problem,
            ...(problem > 0 && { checkInCancellationReasonCode: reason }),
          };
        }),
      })),
    /** Keeps only the cartons that are here. The counts are saved, and the service does not store scans of cartons. */
    keepSeen: () => {
      const { seen, active } = latest.current;
      localStorage.setItem(draftKey(subject), JSON.stringify({ seen, active }));
    },
    forget: () => localStorage.removeItem(draftKey(subject)),
  };
}

export type CountsOfCheckIn = ReturnType<typeof useCounts>;
