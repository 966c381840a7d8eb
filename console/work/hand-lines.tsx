/**
 * The lines of an order at a hand-over. By default all units are handed over. Each unit can instead be rejected with a
 * reason, or remain for later.
 */
import { Check as CheckIcon, Pencil } from 'lucide';
import { useState } from 'preact/hooks';
import type { components } from '../../contract/client.d.ts';
import { reasonsOf } from '../choices.ts';
import { t } from '../texts/index.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { Choices, Stepper } from '../ui/field.tsx';
import { Notice, State } from '../ui/notice.tsx';
import type { ItemWords } from './item-words.ts';
import { WorkLine } from './work-line.tsx';

type Instruction = NonNullable<
  components['schemas']['CustomerPickupReply']['customerPickUpDetails']['customerPickUpItems'][number]['instructions']
>[number];

/** A line with units to hand over. */
export interface HandLine {
  webLineId: string;
  itemId: string;
  name: string;
  upcs: readonly string[];
  /** Units that can be handed over now. */
  open: number;
  /** Units that were handed over before. */
  before: number;
  /** Units that the customer has canceled and that are still with the goods. */
  canceled: number;
  instructions?: readonly Instruction[] | undefined;
  components?: readonly { itemDesc: string; quantity: number }[] | undefined;
}

/** The handed-over and rejected units of a line. Its other units remain for later. */
interface Share {
  goes: number;
  refused: number;
  reason: string;
}

export type Shares = Readonly<Record<string, Share>>;

/** Returns the shares in which all units are handed over. */
export function allGoes(lines: readonly HandLine[]): Shares {
  return Object.fromEntries(lines.map(({ webLineId, open }) => [webLineId, { goes: open, refused: 0, reason: '' }]));
}

/** Returns the shares that still fit the open units. A share that is missing or too large becomes the default. */
export function fitted(lines: readonly HandLine[], shares: Shares): Shares {
  const start = allGoes(lines);
  return Object.fromEntries(
    lines.map(({ webLineId, open }) => {
      const share = shares[webLineId];
      return [webLineId, share !== undefined && share.goes + share.refused <= open ? share : start[webLineId]!];
    }),
  );
}

export function sumsOf(shares: Shares): { goes: number; refused: number; lacksReason: boolean } {
  const all = Object.values(shares);
  return {
    goes: all.reduce((sum, { goes }) => sum + goes, 0),
    refused: all.reduce((sum, { refused }) => sum + refused, 0),
    lacksReason: all.some(({ refused, reason }) => refused > 0 && reason === ''),
  };
}

export function HandLines({
  lines,
  shares,
  checked,
  pictures,
  onChange,
}: {
  lines: readonly HandLine[];
  shares: Shares;
  /** Scanned units, by line. */
  checked: Readonly<Record<string, number>>;
  pictures: Readonly<Record<string, ItemWords>>;
  onChange: (shares: Shares) => void;
}) {
  const { handOver, counter, pack, actions } = t();
  const [edited, setEdited] = useState<string | undefined>();
  const line = lines.find(({ webLineId }) => webLineId === edited);
  const canceled = lines.filter((one) => one.canceled > 0);
  return (
    <>
      {canceled.length > 0 && (
        <Notice look="risk" title={counter.canceled(canceled.reduce((sum, one) => sum + one.canceled, 0))}>
          {canceled.map((one) => (
            <p key={one.webLineId}>{pack.takeOut(one.name, one.canceled)}</p>
          ))}
        </Notice>
      )}
      <ul class="list" aria-label={handOver.items}>
        {lines.map((one) => (
          <Line
            key={one.webLineId}
            line={one}
            share={shares[one.webLineId]!}
            seen={checked[one.webLineId] ?? 0}
            picture={pictures[one.itemId]?.imageUrl}
            onEdit={() => setEdited(one.webLineId)}
          />
        ))}
      </ul>
      {line !== undefined && (
        <LineDialog
          line={line}
          share={shares[line.webLineId]!}
          onClose={() => setEdited(undefined)}
          onSave={(share) => {
            onChange({ ...shares, [line.webLineId]: share });
            setEdited(undefined);
          }}
          word={actions.ok}
        />
      )}
    </>
  );
}

function Line({
  line,
  share,
  seen,
  picture,
  onEdit,
}: {
  line: HandLine;
  share: Share;
  seen: number;
  picture: string | undefined;
  onEdit: () => void;
}) {
  const { handOver } = t();
  const later = line.open - share.goes - share.refused;
  return (
    <WorkLine
      look="hand"
      name={line.name}
      code={line.itemId}
      picture={picture}
      count={share.goes}
      countLabel={handOver.goes(share.goes)}
      isNone={line.open === 0}
      instructions={line.instructions}
      components={line.components}
      states={
        <span class="inline">
          {share.refused > 0 && <State look="risk">{handOver.refused(share.refused)}</State>}
          {later > 0 && <State>{handOver.later(later)}</State>}
          {line.before > 0 && <State>{handOver.before(line.before)}</State>}
          {seen > 0 && (
            <State look={seen >= share.goes ? 'right' : 'info'} icon={CheckIcon}>
              {seen >= share.goes ? handOver.checkedAll : handOver.checked(seen, share.goes)}
            </State>
          )}
        </span>
      }
      buttons={
        line.open > 0 && (
          <Button look="plain" icon={Pencil} label={`${handOver.change}: ${line.name}`} onClick={onEdit}>
            {handOver.change}
          </Button>
        )
      }
    />
  );
}

function LineDialog({
  line,
  share,
  word,
  onSave,
  onClose,
}: {
  line: HandLine;
  share: Share;
  word: string;
  onSave: (share: Share) => void;
  onClose: () => void;
}) {
  const { handOver } = t();
  const [goes, setGoes] = useState(share.goes);
  const [refused, setRefused] = useState(share.refused);
  const [reason, setReason] = useState(share.reason === '' ? (reasonsOf('refuse')[0]?.value ?? '') : share.reason);
  const lacksReason = refused > 0 && reason === '';
  const later = line.open - goes - refused;
  return (
    <AskDialog
      title={line.name}
      onClose={onClose}
      act={word}
      blocked={lacksReason ? handOver.blockedReason : undefined}
      onAct={() => onSave({ goes, refused, reason: refused > 0 ? reason : '' })}
    >
      <Stepper label={handOver.editGoes} value={goes} max={line.open - refused} onInput={setGoes} />
      <Stepper
        label={handOver.editRefused}
        value={refused}
        max={line.open}
        onInput={(next) => {
          setRefused(next);
          // A rejected unit is not handed over.
          setGoes(Math.min(goes, line.open - next));
        }}
      />
      <p role="status">{later > 0 && handOver.editLater(later)}</p>
      {refused > 0 && (
        <Choices label={handOver.whyRefused} value={reason} options={reasonsOf('refuse')} onInput={setReason} />
      )}
    </AskDialog>
  );
}
