/** Asks about a scanned code that is not in the shipment, and about units that were not announced. */
import type { ComponentChildren } from 'preact';
import type { CountLine } from '../../offline/inbound.ts';
import { contentOf } from '../../scan/codes.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { explain } from '../../ui/notice.tsx';
import { AnnouncedBy } from '../../work/announced-by.tsx';
import { useScan } from '../../work/use-scan.ts';
import { type Arrival, isAway, isCodeOf, lookUp, type Match, nameOf, shortLabel } from './receiving.ts';
import type { Said } from './use-shipment.tsx';

export type Asked =
  | { kind: 'unknown'; code: string; cartonId: string; isOffline: boolean; missedBy: readonly Names[] }
  | { kind: 'elsewhere'; cartonId: string; node: string }
  | { kind: 'other'; cartonId: string; names: Names }
  | { kind: 'several'; cartonId: string; names: readonly Names[] };
type Names = Pick<Arrival, 'type' | 'number' | 'sellerId'>;

/** Looks up a code that is not in the shipment. Returns the question about it, or the reason why there is none. */
export async function askOf(code: string): Promise<Asked | Omit<Said, 'undoes'>> {
  const { receive } = t();
  try {
    const found = askedOf(code, await lookUp(code));
    if ('kind' in found) return found;
    return { look: 'wrong', title: receive.cartonFirst, detail: receive.cartonFirstHint(found.item) };
  } catch (error) {
    if (isAway(error)) return unknown(code, true);
    return { look: 'wrong', title: explain(error).what };
  }
}

function unknown(code: string, isOffline: boolean, missedBy: readonly Names[] = []): Asked {
  return { kind: 'unknown', code, cartonId: contentOf(code).slice(0, 64), isOffline, missedBy };
}

/** Maximum number of closed shipments that a question names. */
const MISSED_MAX = 3;

/**
 * Returns the question about a code that is not in the shipment. If the code is an item, returns the name of the item,
 * because items must be counted in their carton. Totes and carton ids are used again, so the carton of a closed shipment
 * is not announced. The question names the closed shipments that miss it.
 */
function askedOf(code: string, matches: readonly Match[]): Asked | { item: string } {
  const named = matches.filter(
    ({ kind, number }) => (kind === 'SHIPMENT' || kind === 'CARTON') && number !== undefined,
  );
  const fitting = named.filter(({ kind, shipmentState }) => kind === 'SHIPMENT' || shipmentState !== 'CLOSED');
  const namesOf = ({ type, number, sellerId = '' }: Match) => ({ type: type!, number: number!, sellerId });
  const here = fitting.filter(({ kind, nodeId }) => kind === 'CARTON' && nodeId === undefined);
  if (here.length > 1) return { kind: 'several', cartonId: here[0]!.id, names: here.map(namesOf) };
  const [match] = fitting;
  if (match === undefined) {
    const item = matches.find(({ kind }) => kind === 'ITEM');
    if (item !== undefined) return { item: item.label };
    const missed = named.filter(({ state, nodeId }) => state === 'MISSING' && nodeId === undefined);
    return unknown(code, false, missed.slice(0, MISSED_MAX).map(namesOf));
  }
  if (match.nodeId !== undefined) return { kind: 'elsewhere', cartonId: match.id, node: match.nodeId };
  return { kind: 'other', cartonId: match.kind === 'CARTON' ? match.id : code, names: namesOf(match) };
}

export function CartonDialog({ asked, onTake, onClose }: { asked: Asked; onTake: () => void; onClose: () => void }) {
  const { receive, actions } = t();
  if (asked.kind === 'several') {
    return (
      <Dialog title={receive.ambiguous} onClose={onClose} actions={<Button onClick={onClose}>{actions.close}</Button>}>
        <p>{receive.ambiguousHint}</p>
        <AnnouncedBy shipments={asked.names} />
      </Dialog>
    );
  }
  const { title, hint, yes }: { title: string; hint: ComponentChildren; yes: string } =
    asked.kind === 'other'
      ? {
          title: receive.otherShipment(shortLabel(asked.cartonId), asked.names.number),
          hint: null,
          yes: receive.openIt(asked.names.number),
        }
      : asked.kind === 'elsewhere'
        ? {
            title: receive.askElsewhere(shortLabel(asked.cartonId), asked.node),
            hint: receive.askElsewhereHint,
            yes: receive.takeIn,
          }
        : asked.isOffline
          ? { title: receive.askOffline(asked.code), hint: receive.askOfflineHint, yes: receive.takeIn }
          : { title: receive.askCarton(asked.code), hint: receive.askCartonHint, yes: receive.takeIn };
  return (
    <Question title={title} yes={yes} onTake={onTake} onClose={onClose}>
      {hint !== null && <p>{hint}</p>}
      {asked.kind === 'unknown' && asked.missedBy.length > 0 && (
        <>
          <p>{receive.missedBy}</p>
          <AnnouncedBy shipments={asked.missedBy} />
        </>
      )}
    </Question>
  );
}

/** Asks about a unit of an item that was not announced (`item`), or about more units than announced (`over`). */
export function UnitsDialog({
  kind,
  line,
  arrived = 0,
  announced = 0,
  onTake,
  onClose,
}: {
  kind: 'over' | 'item';
  line: CountLine;
  arrived?: number;
  announced?: number;
  onTake: () => Promise<void>;
  onClose: () => void;
}) {
  const { receive } = t();
  const name = nameOf(line);
  // A second scan of the code, or OK, confirms the units.
  useScan(({ text, command }) => {
    if (command === 'UNDO') {
      onClose();
      return undefined;
    }
    return (command === 'OK' || isCodeOf(text, line)) && onTake();
  });
  const title = kind === 'over' ? receive.askOver(name, arrived, announced) : receive.askItem(name);
  return (
    <Question title={title} yes={receive.takeOver} onTake={() => void onTake()} onClose={onClose}>
      <p>{kind === 'over' ? receive.askOverHint : receive.askItemHint}</p>
    </Question>
  );
}

function Question({
  title,
  yes,
  onTake,
  onClose,
  children,
}: {
  title: string;
  yes: string;
  onTake: () => void;
  onClose: () => void;
  children: ComponentChildren;
}) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={onTake}
      actions={
        <>
          <Button onClick={onClose}>{t().receive.leaveIt}</Button>
          <Button look="main" onClick={onTake}>
            {yes}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
