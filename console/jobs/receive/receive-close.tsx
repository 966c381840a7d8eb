/**
 * The end of a shipment: decide on held units, give reasons for differences, close, print the statement, and reopen
 * with a reason.
 */
import { ClipboardCheck, FolderOpen, Gavel, Printer, RotateCcw } from 'lucide';
import { useState } from 'preact/hooks';
import { ApiError, call, newId } from '../../api.ts';
import {
  type KeySums,
  type Shipment,
  type Statement,
  statementWithoutBrought,
  totalWithoutBrought,
  withoutBrought,
} from '../../offline/inbound.ts';
import type { InboundView } from '../../offline/inbound-view.ts';
import { inboundPath } from '../../offline/inbound-wire.ts';
import { online } from '../../preferences.ts';
import { go, href } from '../../router.ts';
import { feedback } from '../../scan/feedback.ts';
import { may } from '../../session.ts';
import { t } from '../../texts/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { Empty, Skeleton, useAction } from '../../ui/load.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Screen } from '../../ui/screen.tsx';
import { ownId } from '../../work/own-id.ts';
import { SyncState } from '../../work/sync-state.tsx';
import { keyName } from './key-name.ts';
import { namesIn, Parts, Progress } from './receive-parts.tsx';
import { REASON_MAX, ReasonPicker } from './receive-quantity.tsx';
import { StatementView } from './receive-statement.tsx';
import { nameOf, reasonWord, shipmentHref, shortLabel, typeWord } from './receiving.ts';
import { type Shipping, useShipment } from './use-shipment.tsx';

const ApproveDialog = lazy(async () => (await import('./receive-approve.tsx')).ApproveDialog);

export default function ReceiveClose(props: ScreenProps) {
  const names = namesIn(props);
  const shipping = useShipment(names);
  const { view, error, reload } = shipping;
  if (view !== undefined) return <End shipping={shipping} view={view} />;
  return (
    <Screen title={<span class="code">{names.number}</span>} onBack={() => go('/receive')} tools={<SyncState />}>
      {error === undefined ? (
        <Skeleton lines={5} onRetry={() => void reload()} />
      ) : (
        <ErrorNotice error={error} onRetry={() => void reload()} />
      )}
    </Screen>
  );
}

/** A line that needs a reason before the shipment can be closed. */
interface Needed {
  cartonId?: string;
  itemId: string;
  short?: number;
  over?: number;
  damaged?: number;
}

const CODES = {
  short: ['NOT_IN_CARTON', 'CARTON_MISSING', 'LOST'],
  over: ['TOO_MANY', 'NOT_ORDERED', 'WRONG_ITEM'],
  damaged: ['CRUSHED', 'WET', 'BROKEN', 'EXPIRED'],
} as const;

/**
 * Maximum number of lines that get the common reason one by one. For more lines, it is sent once, for all lines, because
 * the request would exceed its size limit.
 */
const LINES_MAX = 1_000;

/** Closes a shipment. The service names the lines that need a reason, and the user enters the reasons. */
function useClosing({ subject, reload }: Shipping) {
  const [needed, setNeeded] = useState<readonly Needed[]>([]);
  const [reasons, setReasons] = useState<Readonly<Record<string, string>>>({});
  const [common, setCommon] = useState('');
  const [closeId, setCloseId] = useState(newId);
  // The common reason applies to the lines without their own.
  const reasonOf = (one: Needed) => (reasons[keyName(one)] ?? '').trim() || common.trim();
  const closing = useAction(async () => {
    const shared = common.trim();
    const isShared = needed.length > LINES_MAX && shared !== '' && needed.every((one) => reasonOf(one) === shared);
    const each = needed.flatMap((one) => {
      const reason = reasonOf(one);
      // Without the carton, the reason would also apply to the cartons with the item.
      const { cartonId = '', itemId } = one;
      return reason === '' ? [] : [{ cartonId, itemId, reason }];
    });
    const all = isShared ? [{ reason: shared }] : each;
    const body = { closeId, userId: ownId(), ...(all.length > 0 && { reasons: all }) };
    try {
      await call<Statement>('POST', inboundPath(subject, '/close'), { body });
    } catch (error) {
      feedback('wrong');
      if (!(error instanceof ApiError) || error.code !== 'REASON_NEEDED') throw error;
      // A close with other content is another close, so it gets a new id.
      setCloseId(newId());
      setNeeded(error.body['needed'] as Needed[]);
      scrollTo({ top: 0 });
      return;
    }
    feedback('done');
    // The shipment can be reopened on this screen. Its next close is another close, so it gets a new id.
    setCloseId(newId());
    setNeeded([]);
    setReasons({});
    setCommon('');
    await reload();
  });
  return {
    closing,
    needed,
    reasons,
    common,
    lacking: needed.filter((one) => reasonOf(one) === '').length,
    onReason: (one: Needed, reason: string) => setReasons({ ...reasons, [keyName(one)]: reason }),
    onCommon: setCommon,
  };
}

function End({ shipping, view }: { shipping: Shipping; view: InboundView }) {
  const { shipment } = view;
  const { receive } = t();
  const [isDeciding, setDeciding] = useState(false);
  const close = useClosing(shipping);
  const { closing } = close;
  const held = shipment.sums.keys.filter((key) => key.held > 0);
  const heldTitle = receive.heldTitle(shipment.sums.total.held);
  if (shipment.state === 'CLOSED') return <Closed shipping={shipping} shipment={shipment} />;
  return (
    <Screen
      title={receive.closeTitle}
      sub={
        <>
          {typeWord(shipment)} {shipment.number}
        </>
      }
      onBack={() => {
        location.hash = shipmentHref(shipment).slice(1);
      }}
      tools={<SyncState />}
      below={<Progress shipment={shipment} />}
      actions={
        held.length > 0 && may('receipts.approve') ? (
          <Button isWide look="main" icon={Gavel} onClick={() => setDeciding(true)}>
            {receive.approveOpen} · {heldTitle}
          </Button>
        ) : (
          <Button
            isWide
            look="main"
            icon={ClipboardCheck}
            isBusy={closing.isBusy}
            blocked={blockOf(view, close.lacking)}
            onClick={() => void closing.run()}
          >
            {closeWord(shipment)}
          </Button>
        )
      }
    >
      {closing.error !== undefined && <ErrorNotice error={closing.error} />}
      {held.length > 0 && (
        <Notice look="risk" title={heldTitle}>
          <p>{may('receipts.approve') ? receive.heldHint : receive.heldAsk}</p>
          <Differences keys={held} />
        </Notice>
      )}
      {close.needed.length > 0 ? (
        <Reasons {...close} />
      ) : (
        <Differing
          keys={shipment.sums.keys.map((key) => withoutBrought(shipment, key))}
          isBlind={shipment.type === 'BLIND'}
        />
      )}
      {isDeciding && <ApproveDialog shipping={shipping} held={held} onClose={() => setDeciding(false)} />}
    </Screen>
  );
}

/**
 * Lists the lines that have differences and no held units. Without such lines, shows that there are no differences;
 * shows nothing if units are held, or if the goods came without papers.
 */
function Differing({ keys, isBlind }: { keys: readonly KeySums[]; isBlind: boolean }) {
  const { receive } = t();
  const differing = keys.filter(
    ({ open, over, damaged, refused, held }) => held === 0 && open + (isBlind ? 0 : over) + damaged + refused > 0,
  );
  if (differing.length > 0) {
    return (
      <section class="stack tight" aria-label={receive.differences}>
        <h2>{receive.differences}</h2>
        <p class="quiet">{receive.closeQuestion}</p>
        <Differences keys={differing} isEnding />
      </section>
    );
  }
  if (isBlind || keys.some(({ held }) => held > 0)) return null;
  return (
    <Empty icon={ClipboardCheck} title={receive.noDifferences}>
      {receive.noDifferencesHint}
    </Empty>
  );
}

/** Returns the reason why the shipment cannot be closed now; undefined if it can. */
function blockOf({ shipment, conflicts, waiting }: InboundView, lacking: number): string | undefined {
  const { receive } = t();
  const { held } = shipment.sums.total;
  if (!may('receipts.close')) return t().shell.noRight;
  if (!online.value) return receive.closeOffline;
  if (conflicts.length > 0) return receive.closeConflicts(conflicts.length);
  if (waiting > 0) return receive.closeWaiting(waiting);
  if (held > 0) return receive.heldTitle(held);
  return lacking > 0 ? receive.reasonsNeeded(lacking) : undefined;
}

/** Returns the sentence about the close, with the sums of differences. */
function closeWord(shipment: Shipment): string {
  const { type } = shipment;
  const total = totalWithoutBrought(shipment);
  const { receive } = t();
  const parts = [
    total.open > 0 && receive.short(total.open),
    total.over > 0 && (type === 'BLIND' ? receive.toUnits(total.over) : receive.over(total.over)),
    total.damaged > 0 && receive.counted(total.damaged, receive.buckets.damaged),
    total.refused > 0 && receive.counted(total.refused, receive.buckets.refused),
  ].filter((part) => part !== false);
  return parts.length === 0 ? receive.closeClean : receive.closeWith(parts.join(', '));
}

/** Number of lines that are listed at first and added by each tap on **Show more**. */
const ROWS = 100;

function Differences({ keys, isEnding = false }: { keys: readonly KeySums[]; isEnding?: boolean }) {
  const { receive, actions } = t();
  const [rows, setRows] = useState(ROWS);
  return (
    <>
      <ul class="list">
        {keys.slice(0, rows).map((key) => (
          <li class="row" key={keyName(key)}>
            <span class="grow stack tight">
              <span>
                <span class="strong">{nameOf(key)}</span> <span class="small quiet code">{key.clientItemId}</span>
              </span>
              {key.cartonId !== undefined && (
                <span class="small quiet">{receive.carton(shortLabel(key.cartonId))}</span>
              )}
              <Parts of={isEnding ? { ...key, short: key.open } : key} />
            </span>
          </li>
        ))}
      </ul>
      {keys.length > rows && (
        <Button isWide onClick={() => setRows(rows + ROWS)}>
          {actions.more}
        </Button>
      )}
    </>
  );
}

type ReasonsProps = Pick<ReturnType<typeof useClosing>, 'needed' | 'reasons' | 'common' | 'onReason' | 'onCommon'>;

function Reasons({ needed, reasons, common, onReason, onCommon }: ReasonsProps) {
  const { receive, actions } = t();
  const [rows, setRows] = useState(ROWS);
  const kindsOf = ({ short = 0, over = 0, damaged = 0 }: Needed) => [
    ...(short > 0 ? CODES.short : []),
    ...(over > 0 ? CODES.over : []),
    ...(damaged > 0 ? CODES.damaged : []),
  ];
  return (
    <section class="stack" aria-label={receive.reasonsNeeded(needed.length)}>
      <Notice look="risk" title={receive.reasonsNeeded(needed.length)} />
      {needed.length > 1 && (
        <div class="card stack tight">
          <ReasonPicker
            label={receive.sameReason}
            codes={[...new Set(needed.flatMap(kindsOf))]}
            value={common}
            onInput={onCommon}
          />
          {common !== '' && (
            <Button isWide onClick={() => onCommon('')}>
              {receive.ownReasons}
            </Button>
          )}
        </div>
      )}
      {(needed.length === 1 || common === '') &&
        needed.slice(0, rows).map((one) => (
          <div class="card stack tight" key={keyName(one)}>
            <span>
              <span class="strong">{nameOf(one)}</span>
              {one.cartonId !== undefined && (
                <span class="small quiet"> {receive.carton(shortLabel(one.cartonId))}</span>
              )}
            </span>
            <Parts
              of={{
                announced: 1,
                held: 0,
                refused: 0,
                damaged: one.damaged ?? 0,
                over: one.over ?? 0,
                short: one.short ?? 0,
              }}
            />
            {needed.length === 1 ? (
              <ReasonPicker
                label={receive.why}
                codes={kindsOf(one)}
                value={reasons[keyName(one)] ?? ''}
                onInput={(reason) => onReason(one, reason)}
              />
            ) : (
              <SelectField
                label={receive.reasonFor(nameOf(one))}
                value={reasons[keyName(one)] ?? ''}
                onInput={(reason) => onReason(one, reason)}
                options={['', ...kindsOf(one)].map((code) => ({ value: code, label: reasonWord(code) }))}
              />
            )}
          </div>
        ))}
      {common === '' && needed.length > rows && (
        <Button isWide onClick={() => setRows(rows + ROWS)}>
          {actions.more}
        </Button>
      )}
    </section>
  );
}

function Closed({ shipping, shipment }: { shipping: Shipping; shipment: Shipment }) {
  const { receive, actions } = t();
  const [isAsking, setAsking] = useState(false);
  const [version, setVersion] = useState<number | undefined>();
  const stored = shipment.statements.find((one) => one.version === version) ?? shipment.statements.at(-1);
  const statement = stored && statementWithoutBrought(stored);
  const print = useAction(async () => {
    if (statement === undefined) return;
    const { printStatement } = await import('../../work/counter-print.ts');
    const { type, number } = shipment;
    const closedBy = shipping.personOf(statement);
    const isDone = await printStatement({ type, number, closedBy, ...statement });
    if (!isDone) throw new Error(t().counter.cannotPrint);
  });
  return (
    <Screen
      title={receive.statement}
      sub={
        <>
          {typeWord(shipment)} {shipment.number}
        </>
      }
      onBack={() => go('/receive')}
      tools={<SyncState />}
      actions={
        <>
          {statement !== undefined && (
            <Button icon={Printer} isBusy={print.isBusy} onClick={() => void print.run()}>
              {actions.print}
            </Button>
          )}
          <LinkButton look="main" to={href('/receive')}>
            {receive.nextShipment}
          </LinkButton>
        </>
      }
    >
      {print.error !== undefined && <ErrorNotice error={print.error} />}
      {shipment.matchedTo !== undefined && (
        <Notice look="info" title={receive.matched(shipment.matchedTo.number)}>
          <p>
            <a href={shipmentHref(shipment.matchedTo)}>{receive.openIt(shipment.matchedTo.number)}</a>
          </p>
        </Notice>
      )}
      <Versions of={shipment.statements} shown={stored} onShow={setVersion} />
      {statement === undefined ? (
        shipment.matchedTo === undefined && <Empty icon={FolderOpen} title={receive.noneHere} />
      ) : (
        <StatementView statement={statement} />
      )}
      {shipment.matchedTo === undefined && (
        <Button
          isWide
          icon={RotateCcw}
          blocked={may('receipts.approve') ? undefined : receive.closedHint}
          onClick={() => setAsking(true)}
        >
          {receive.reopen}
        </Button>
      )}
      {isAsking && <ReopenDialog shipping={shipping} onClose={() => setAsking(false)} />}
    </Screen>
  );
}

interface VersionsProps {
  of: readonly Statement[];
  shown: Statement | undefined;
  onShow: (version: number) => void;
}

/** Buttons to choose the statement to show. Each close of the shipment has a statement. */
function Versions({ of, shown, onShow }: VersionsProps) {
  if (of.length < 2) return null;
  return (
    <div class="receive-tabs" role="group" aria-label={t().receive.statement}>
      {of.map((one) => (
        <button type="button" class="button" aria-pressed={one === shown} onClick={() => onShow(one.version)}>
          {one.version}
        </button>
      ))}
    </div>
  );
}

function ReopenDialog({ shipping, onClose }: { shipping: Shipping; onClose: () => void }) {
  const { receive } = t();
  const [why, setWhy] = useState('');
  const reopen = useAction(async () => {
    await call('POST', inboundPath(shipping.subject, '/reopen'), { body: { userId: ownId(), reason: why.trim() } });
    feedback('done');
    onClose();
    await shipping.reload();
  });
  return (
    <AskDialog
      title={receive.reopenTitle}
      onClose={onClose}
      act={receive.reopen}
      isBusy={reopen.isBusy}
      blocked={why.trim() === '' ? receive.whyMissing : undefined}
      onAct={() => void reopen.run()}
      takesEnter
    >
      <p>{receive.reopenHint}</p>
      <TextField label={receive.reopenWhy} value={why} onInput={setWhy} maxLength={REASON_MAX} />
      {reopen.error !== undefined && <ErrorNotice error={reopen.error} />}
    </AskDialog>
  );
}
