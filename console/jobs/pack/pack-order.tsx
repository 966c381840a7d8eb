/** Packing one order: units go into a box, the closed box is recorded with weight and size, and what belongs on it is printed. */
import { CircleCheck, Flame, PackageOpen, PackageX, Plus, Printer, Truck } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { components } from '../../../contract/client.d.ts';
import { api, newId, send } from '../../api.ts';
import { readChoices, reasonChoices } from '../../choices.ts';
import { online } from '../../preferences.ts';
import { go, href } from '../../router.ts';
import { isOneOf } from '../../scan/codes.ts';
import { feedback } from '../../scan/feedback.ts';
import { focusScanTarget, ScanTarget } from '../../scan/target.tsx';
import { place, session } from '../../session.ts';
import { number, t, word } from '../../texts/index.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choices, Stepper } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Show, useAction, useLoad } from '../../ui/load.tsx';
import { Band, ErrorNotice, type Look, Notice, State } from '../../ui/notice.tsx';
import { Picture } from '../../ui/picture.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Screen } from '../../ui/screen.tsx';
import { printBoxLabel, printPackSlip } from '../../work/counter-print.ts';
import { ownId } from '../../work/own-id.ts';
import { PrintButton } from '../../work/print-button.tsx';
import { SyncState } from '../../work/sync-state.tsx';
import { useScan } from '../../work/use-scan.ts';
import { useWakeLock } from '../../work/wake-lock.ts';
import { BoxDialog, type BoxMeasures, TrackingDialog } from './pack-box.tsx';

export type PackDetail = components['schemas']['PackDetailsReply']['packDetail'][number];
type PackLine = PackDetail['packLines'][number];
type PackedBox = PackDetail['packages'][number];
type PackageChange = components['schemas']['PackageChange'];

const BROKEN = ['CancelInventoryDiscrepancy', 'CancelMXOutOfStock', 'IPD'];

/** Units in the open box by line. */
type Units = Readonly<Record<string, number>>;

export default function PackOrder({ params }: ScreenProps) {
  const storeId = params['storeId']!;
  const orderId = params['orderId']!;
  const { nodeId } = place.value!;
  const { counter, pack } = t();
  const loaded = useLoad(`pack ${nodeId} ${storeId} ${orderId}`, async (signal) => {
    await readChoices();
    const path = { storeId, fulfillmentOrderId: orderId };
    const [reply, order] = await Promise.all([
      send(
        api.POST('/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/packages', {
          params: { path, query: { nodeId } },
          body: { ...path, nodeId },
          signal,
        }),
      ),
      send(
        api.GET('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}', { params: { path }, signal }),
      ),
    ]);
    return { detail: reply.packDetail[0]!, order };
  });
  const known = loaded.data.value;
  if (known !== undefined) {
    return (
      <Packing
        detail={known.detail}
        order={known.order}
        reload={loaded.reload}
        isStale={loaded.error.value !== undefined}
      />
    );
  }
  return (
    <Screen title={pack.title} sub={counter.order(orderId)} onBack={() => go('/pack')} tools={<SyncState />}>
      <Show of={loaded} lines={6}>
        {() => null}
      </Show>
    </Screen>
  );
}

function draftKey({ storeId, fulfillmentOrderId }: PackDetail): string {
  return `backroom.pack ${session.peek()!.user.userId} ${storeId} ${fulfillmentOrderId}`;
}

/** What lay in the open box when this screen was left, as far as it is still to pack. */
function readDraft(detail: PackDetail): Units {
  const text = localStorage.getItem(draftKey(detail));
  const kept = text === null ? {} : (JSON.parse(text) as Record<string, number>);
  return Object.fromEntries(
    detail.packLines.flatMap(({ webLineId, toPackQuantity }) => {
      const units = Math.min(kept[webLineId] ?? 0, toPackQuantity);
      return units > 0 ? [[webLineId, units]] : [];
    }),
  );
}

/** The number of the next box: one more than the highest. */
function nextBoxId(packages: readonly PackedBox[]): string {
  return String(Math.max(0, ...packages.map(({ boxId }) => Number.parseInt(boxId, 10) || 0)) + 1);
}

function Packing({
  detail,
  order,
  reload,
  isStale,
}: {
  detail: PackDetail;
  order: components['schemas']['OrderDetails'];
  reload: () => Promise<void>;
  isStale: boolean;
}) {
  const { pack, counter, units, types, states } = t();
  const { storeId, nodeId, fulfillmentOrderId, packLines: lines, packages } = detail;
  const [box, setBox] = useState<Units>(() => readDraft(detail));
  const [said, setSaid] = useState<{ look: Look; text: string; undo?: () => void } | undefined>();
  const [isClosing, setClosing] = useState(false);
  const [tracked, setTracked] = useState<PackedBox | undefined>();
  const [declined, setDeclined] = useState<PackLine | undefined>();
  const [isPrinted, setPrinted] = useState<boolean | undefined>();
  const boxId = nextBoxId(packages);
  useWakeLock();
  const latest = useRef(box);
  latest.current = box;
  const leftOf = ({ webLineId, toPackQuantity }: PackLine, from: Units) => toPackQuantity - (from[webLineId] ?? 0);
  const change = (next: Units) => {
    latest.current = next;
    localStorage.setItem(draftKey(detail), JSON.stringify(next));
    setBox(next);
  };
  const path = { storeId, fulfillmentOrderId };
  const update = async (changes: readonly PackageChange[]) => {
    await send(
      api.PUT('/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/package/update', {
        params: { path, header: { 'Idempotency-Key': newId() } },
        body: {
          modifyAssociateId: ownId(),
          packDetails: { storeId, nodeId, fulfillmentOrderId, packages: [...changes] },
        },
      }),
    );
  };
  const inBox = Object.entries(box).filter(([, count]) => count > 0);
  const boxUnits = inBox.reduce((sum, [, count]) => sum + count, 0);
  const left = lines.reduce((sum, line) => sum + leftOf(line, box), 0);
  const lineOf = (webLineId: string) => lines.find((line) => line.webLineId === webLineId)!;
  /** Why a unit may not go into the open box; the service would refuse the box. */
  const aloneBlock = (line: PackLine, from: Units): boolean => {
    const others = Object.entries(from).filter(([id, count]) => count > 0 && lineOf(id).itemId !== line.itemId);
    return (
      others.length > 0 &&
      (line.handling?.shipAlone === 'Yes' || others.some(([id]) => lineOf(id).handling?.shipAlone === 'Yes'))
    );
  };
  const add = (line: PackLine, count: number): boolean => {
    const from = latest.current;
    if (leftOf(line, from) < count) {
      feedback('wrong');
      setSaid({ look: 'wrong', text: counter.tooMany(line.itemDesc) });
      return false;
    }
    if (aloneBlock(line, from)) {
      feedback('wrong');
      setSaid({ look: 'wrong', text: `${line.itemDesc}: ${pack.aloneHint}` });
      return false;
    }
    change({ ...from, [line.webLineId]: (from[line.webLineId] ?? 0) + count });
    const isLast = lines.every((one) => leftOf(one, latest.current) === 0);
    feedback(isLast ? 'done' : 'right');
    setSaid({
      look: 'right',
      text: isLast ? pack.allPacked : pack.intoBox(line.itemDesc, boxId),
      undo: () => take(line.webLineId, count),
    });
    return true;
  };
  const take = (webLineId: string, count: number) => {
    const from = latest.current;
    change({ ...from, [webLineId]: Math.max(0, (from[webLineId] ?? 0) - count) });
    setSaid(undefined);
    focusScanTarget();
  };
  useScan(({ text, command }) => {
    if (isClosing || tracked !== undefined || declined !== undefined) return false;
    if (command === 'UNDO') {
      said?.undo?.();
      return undefined;
    }
    if (command !== undefined) return false;
    if (isOneOf(text, [fulfillmentOrderId, detail.omsOrderId, detail.webOrderId])) return undefined;
    const fitting = lines.filter((line) => isOneOf(text, [line.itemId, ...line.upcs.map(({ value }) => value)]));
    if (fitting.length === 0) {
      feedback('wrong');
      setSaid({ look: 'wrong', text: counter.notOfOrder(text) });
      return undefined;
    }
    add(fitting.find((line) => leftOf(line, latest.current) > 0) ?? fitting[0]!, 1);
    return undefined;
  });
  const slip = async () => {
    if (detail.fulfillmentType !== 'SHIP_TO_HOME') return;
    const reply = await send(
      api.POST('/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/packslip/generate', {
        params: { path },
        body: { storeId, nodeId, fulfillmentOrderId, modifyAssociateId: ownId() },
      }),
    );
    const names = new Map(lines.map(({ itemId, itemDesc }) => [itemId, itemDesc]));
    setPrinted(await printPackSlip(reply.packSlipDetails[0]!, names));
  };
  const close = async (measures: BoxMeasures) => {
    await update([
      {
        action: 'CREATE',
        boxId,
        ...measures,
        packageItems: inBox.map(([webLineId, quantity]) => ({ itemId: lineOf(webLineId).itemId, webLineId, quantity })),
      },
    ]);
    change({});
    // Before the next code counts: it belongs to the next box.
    await reload();
    setClosing(false);
    feedback(left === 0 ? 'done' : 'right');
    setSaid({ look: 'right', text: left === 0 ? pack.allPacked : `${pack.box(boxId)}: ${pack.closed}` });
    setPrinted(await printBoxLabel(order, boxId, measures.trackingNumber ?? undefined));
    if (left === 0) await slip().catch(() => setPrinted(false));
  };
  const reopen = useAction(async (packed: PackedBox) => {
    await update([{ action: 'VOID', boxId: packed.boxId }]);
    const { boxId: id, trackingNumber, boxWeight, packingMaterialWeight, length, height, width, packageItems } = packed;
    setSaid({
      look: 'info',
      text: pack.unpacked(id),
      undo: () => {
        void update([
          {
            action: 'CREATE',
            boxId: id,
            ...(trackingNumber !== undefined && { trackingNumber }),
            boxWeight,
            packingMaterialWeight,
            length,
            height,
            width,
            packageItems,
          },
        ])
          .then(reload)
          .then(() => setSaid(undefined));
      },
    });
    await reload();
  });
  const print = useAction(slip);
  const canPack = detail.allowedActions.find(({ action }) => action === 'pack');
  const isOver = lines.every(({ toPackQuantity }) => toPackQuantity === 0);
  const lacksTracking = packages.some(({ trackingNumber }) => trackingNumber === undefined);
  const isHome = detail.fulfillmentType === 'SHIP_TO_HOME';
  const blocked = !online.value
    ? counter.needsNetwork
    : isStale
      ? t().shell.offline
      : canPack?.allowed === false
        ? canPack.reason
        : boxUnits === 0
          ? pack.blockedEmpty
          : undefined;
  useEffect(() => {
    if (isOver) localStorage.removeItem(draftKey(detail));
  }, [isOver]);
  return (
    <Screen
      title={order.customer?.name ?? fulfillmentOrderId}
      isName
      sub={`${counter.order(fulfillmentOrderId)} · ${word(types, detail.fulfillmentType)}${detail.shipMethod.trim() === '' ? '' : ` · ${detail.shipMethod}`}`}
      onBack={() => go('/pack')}
      tools={<SyncState />}
      below={
        said !== undefined && (
          <Band
            look={said.look}
            action={
              said.undo && (
                <Button look="plain" onClick={said.undo}>
                  {t().actions.undo}
                </Button>
              )
            }
          >
            {said.text}
          </Band>
        )
      }
      actions={
        isOver ? (
          <>
            {isHome && (
              <Button icon={Printer} isBusy={print.isBusy} onClick={() => void print.run()}>
                {pack.slip}
              </Button>
            )}
            <LinkButton look="main" to={href('/pack')}>
              {pack.next}
            </LinkButton>
          </>
        ) : (
          <Button look="main" icon={CircleCheck} blocked={blocked} onClick={() => setClosing(true)}>
            {pack.closeBox}
          </Button>
        )
      }
    >
      {isOver ? (
        <section class={isHome && lacksTracking ? 'counter-done risk' : 'counter-done'} role="status">
          <Icon of={isHome && lacksTracking ? Truck : CircleCheck} />
          <div class="stack tight">
            <h2 class="big">{word(states, detail.status)}</h2>
            {isHome && lacksTracking && packages.length > 0 && <p>{pack.waitingTracking}</p>}
            {!isHome && packages.length > 0 && <p>{pack.packedHint}</p>}
          </div>
        </section>
      ) : (
        <>
          {order.holdLocation !== undefined && (
            <section class="counter-lies">
              <span class="grow">
                <span class="quiet">{counter.lies}</span>
                <span class="huge code">{order.holdLocation}</span>
              </span>
              <span class="big">
                {units.ofUnits(
                  lines.reduce((sum, one) => sum + one.packedQuantity, 0) + boxUnits,
                  lines.reduce((sum, one) => sum + one.wantedQuantity, 0),
                )}
              </span>
            </section>
          )}
          <ScanTarget label={pack.scanUnits} />
        </>
      )}
      {isPrinted === false && <Notice look="risk" title={counter.cannotPrint} />}
      {detail.carrierException && <Notice look="wrong" title={pack.carrierException} />}
      {detail.warnings?.map((text) => (
        <Notice look="risk" title={text} />
      ))}
      {reopen.error !== undefined && <ErrorNotice error={reopen.error} />}
      {print.error !== undefined && <ErrorNotice error={print.error} />}
      {!isOver && (
        <section class="pack-box" aria-label={pack.box(boxId)}>
          <div class="split">
            <h2>
              <Icon of={PackageOpen} /> {pack.box(boxId)}
            </h2>
            <State look="info">{units.units(boxUnits)}</State>
          </div>
          {inBox.length === 0 ? (
            <p class="quiet">{pack.boxEmpty}</p>
          ) : (
            <ul class="list">
              {inBox.map(([webLineId, count]) => (
                <li class="row">
                  <span class="grow strong">{lineOf(webLineId).itemDesc}</span>
                  <span class="big">{count}</span>
                  <Button
                    look="plain"
                    label={pack.takeOut(lineOf(webLineId).itemDesc)}
                    onClick={() => take(webLineId, 1)}
                  >
                    −1
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
      {left > 0 && (
        <section class="stack tight">
          <div class="split">
            <h2>{pack.toPack}</h2>
            <span class="quiet">{units.units(left)}</span>
          </div>
          <ul class="list">
            {lines
              .filter((line) => leftOf(line, box) > 0)
              .map((line) => (
                <Line
                  key={line.webLineId}
                  line={line}
                  left={leftOf(line, box)}
                  onAdd={(count) => add(line, count)}
                  onDecline={() => setDeclined(line)}
                />
              ))}
          </ul>
        </section>
      )}
      {packages.length > 0 && (
        <ul class="list" aria-label={pack.packed}>
          {packages.map((packed) => (
            <Box
              key={packed.boxId}
              packed={packed}
              lines={lines}
              needsTracking={isHome}
              print={() => printBoxLabel(order, packed.boxId, packed.trackingNumber)}
              onTrack={() => setTracked(packed)}
              onOpen={() => void reopen.run(packed)}
            />
          ))}
        </ul>
      )}
      {isClosing && <BoxDialog boxId={boxId} asksTracking={isHome} onSave={close} onClose={() => setClosing(false)} />}
      {tracked !== undefined && (
        <TrackingDialog
          boxId={tracked.boxId}
          onClose={() => setTracked(undefined)}
          onSave={async (trackingNumber) => {
            await update([{ action: 'MODIFY', boxId: tracked.boxId, trackingNumber }]);
            setTracked(undefined);
            feedback('done');
            await reload();
          }}
        />
      )}
      {declined !== undefined && (
        <DeclineDialog
          line={declined}
          detail={detail}
          onClose={() => setDeclined(undefined)}
          onDone={async (count) => {
            change({ ...latest.current, [declined.webLineId]: 0 });
            // Before the next code counts: fewer units are to be packed.
            await reload();
            setDeclined(undefined);
            setSaid({ look: 'info', text: pack.declined(count) });
          }}
        />
      )}
    </Screen>
  );
}

function Line({
  line,
  left,
  onAdd,
  onDecline,
}: {
  line: PackLine;
  left: number;
  onAdd: (count: number) => void;
  onDecline: () => void;
}) {
  const { pack, counter } = t();
  const { handling } = line;
  return (
    <li class="row check-in-line">
      <Picture url={undefined} label={line.itemDesc} isSmall />
      <span class="grow stack tight">
        <span>
          <span class="strong">{line.itemDesc}</span> <span class="small quiet code">{line.itemId}</span>
        </span>
        <span class="inline">
          {handling?.shipAlone === 'Yes' && <State look="info">{pack.alone}</State>}
          {handling?.shipTogether === true && <State look="info">{pack.together}</State>}
          {handling?.hazardousMaterialCode !== undefined && (
            <State look="risk" icon={Flame}>
              {pack.hazmat(handling.hazardousMaterialCode)}
            </State>
          )}
        </span>
        {line.instructions?.map(({ type, text }) => (
          <span class="hand-note">
            <span class="strong">{type === 'GIFT_MESSAGE' ? counter.giftMessage : counter.instructions}:</span> {text}
          </span>
        ))}
        {line.components !== undefined && (
          <span class="small quiet">
            {counter.components}:{' '}
            {line.components.map(({ itemDesc, quantity }) => `${quantity} × ${itemDesc}`).join(', ')}
          </span>
        )}
      </span>
      <span class="big">{left}</span>
      <span class="check-in-buttons">
        <Button icon={Plus} label={`${pack.addOne}: ${line.itemDesc}`} onClick={() => onAdd(1)}>
          {pack.addOne}
        </Button>
        <Button icon={PackageX} label={`${pack.decline}: ${line.itemDesc}`} onClick={onDecline}>
          {pack.decline}
        </Button>
      </span>
    </li>
  );
}

function Box({
  packed,
  lines,
  needsTracking,
  print,
  onTrack,
  onOpen,
}: {
  packed: PackedBox;
  lines: readonly PackLine[];
  needsTracking: boolean;
  /** Prints its label once more. */
  print: () => Promise<boolean>;
  onTrack: () => void;
  onOpen: () => void;
}) {
  const { pack, counter } = t();
  const { boxWeight, length, width, height } = packed;
  const voiding = packed.allowedActions.find(({ action }) => action === 'VOID' || action === 'void');
  return (
    <li class="row check-in-line">
      <span class="grow stack tight">
        <span>
          <span class="strong">{pack.box(packed.boxId)}</span>{' '}
          <span class="quiet">
            {number(boxWeight.value)} {boxWeight.unit} · {number(length.value)} × {number(width.value)} ×{' '}
            {number(height.value)} {length.unit}
          </span>
        </span>
        <span>
          {packed.packageItems
            .map(
              ({ webLineId, quantity }) =>
                `${quantity} × ${lines.find((line) => line.webLineId === webLineId)?.itemDesc ?? webLineId}`,
            )
            .join(', ')}
        </span>
        <span class="inline">
          {packed.hazardousMaterialCodes?.map((code) => (
            <State look="risk" icon={Flame}>
              {pack.hazmat(code)}
            </State>
          ))}
          {packed.trackingNumber !== undefined ? (
            <span class="code">{packed.trackingNumber}</span>
          ) : (
            needsTracking && <State look="risk">{pack.trackingMissing}</State>
          )}
        </span>
      </span>
      <span class="check-in-buttons">
        {needsTracking && packed.trackingNumber === undefined && (
          <Button onClick={onTrack} label={`${pack.addTracking}: ${pack.box(packed.boxId)}`}>
            {pack.addTracking}
          </Button>
        )}
        <PrintButton print={print} label={`${counter.papers.boxLabel}: ${pack.box(packed.boxId)}`}>
          {counter.papers.boxLabel}
        </PrintButton>
        <Button
          onClick={onOpen}
          blocked={voiding?.allowed === false ? voiding.reason : undefined}
          label={`${pack.unpack}: ${pack.box(packed.boxId)}`}
        >
          {pack.unpack}
        </Button>
      </span>
    </li>
  );
}

function DeclineDialog({
  line,
  detail,
  onDone,
  onClose,
}: {
  line: PackLine;
  detail: PackDetail;
  onDone: (count: number) => Promise<void>;
  onClose: () => void;
}) {
  const { pack, actions, counter } = t();
  const [count, setCount] = useState(1);
  const [reason, setReason] = useState('');
  const key = useRef({ content: '', id: '' });
  const action = useAction(async () => {
    const content = `${count} ${reason}`;
    // Quantities add up, so a repeated try needs the same key.
    if (key.current.content !== content) key.current = { content, id: newId() };
    const { storeId, fulfillmentOrderId, nodeId } = detail;
    await send(
      api.POST('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/decline', {
        params: { path: { storeId, fulfillmentOrderId }, header: { 'Idempotency-Key': key.current.id } },
        body: {
          nodeId,
          modifyAssociateId: ownId(),
          lines: [{ webLineId: line.webLineId, quantity: count, reasonCode: reason }],
        },
      }),
    );
    await onDone(count);
  });
  return (
    <Dialog
      title={line.itemDesc}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{actions.cancel}</Button>
          <Button
            look="main"
            isBusy={action.isBusy}
            blocked={reason === '' ? counter.reason : undefined}
            onClick={() => void action.run()}
          >
            {pack.declineMain}
          </Button>
        </>
      }
    >
      <Stepper label={pack.declineUnits} value={count} min={1} max={line.wantedQuantity} onInput={setCount} />
      <Choices label={counter.reason} value={reason} options={reasonChoices(BROKEN)} onInput={setReason} />
      <p class="small quiet">{pack.declineHint}</p>
      {action.error !== undefined && <ErrorNotice error={action.error} />}
    </Dialog>
  );
}
