/**
 * Packs one order: units go into a box, the closed box is recorded with weight and size, and its papers are printed.
 */
import { CircleCheck, PackageX, Printer, Truck } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { components } from '../../../contract/client.d.ts';
import { api, send } from '../../api.ts';
import { readChoices, useChoices } from '../../choices.ts';
import { go, href } from '../../router.ts';
import { place } from '../../session.ts';
import { t, word } from '../../texts/index.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { useAction, useLoad } from '../../ui/load.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Blocked } from '../../work/blocked.ts';
import { readOrder } from '../../work/counter.ts';
import { mayBeDone } from '../../work/counter-lost.ts';
import { useItemWords } from '../../work/item-words.ts';
import { OrderId } from '../../work/order-id.tsx';
import { notesOf, OrderNotes } from '../../work/order-notes.tsx';
import { ownId } from '../../work/own-id.ts';
import { useSaid } from '../../work/said.tsx';
import { DonePanel, type JobHead, JobLoading, WorkScreen } from '../../work/work-screen.tsx';
import { DeclineDialog, type Declines } from './decline.tsx';
import type { BoxMeasures } from './pack-box.tsx';
import { ClosedBoxes, OpenBox, ToPack } from './pack-parts.tsx';
import {
  closeAction,
  hasMarks,
  isParcel,
  isRecordedAs,
  type PackageChange,
  type PackDetail,
  type PackedBox,
  type PackLine,
  updateBoxes,
  useBox,
} from './packing.ts';

const BoxDialog = lazy(async () => (await import('./pack-box.tsx')).BoxDialog);
const TrackingDialog = lazy(async () => (await import('./pack-box.tsx')).TrackingDialog);
const papers = () => import('../../work/counter-print.ts');

type Order = components['schemas']['OrderDetails'];

export default function PackOrder({ params }: ScreenProps) {
  const storeId = params['storeId']!;
  const orderId = params['orderId']!;
  const { nodeId } = place.value!;
  const { pack } = t();
  useChoices();
  const loaded = useLoad(`pack ${nodeId} ${storeId} ${orderId}`, (signal) => read(storeId, nodeId, orderId, signal));
  const known = loaded.data.value;
  const head = { title: pack.title, sub: <OrderId id={orderId} />, onBack: () => go('/pack') };
  if (known === undefined) return <JobLoading head={head} of={loaded} />;
  return <Packing head={head} {...known} reload={loaded.reload} isStale={loaded.error.value !== undefined} />;
}

async function read(storeId: string, nodeId: string, orderId: string, signal: AbortSignal) {
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
    send(api.GET('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}', { params: { path }, signal })),
  ]);
  return { detail: reply.packDetail[0]!, order };
}

interface PackingProps {
  head: JobHead;
  detail: PackDetail;
  order: Order;
  reload: () => Promise<void>;
  isStale: boolean;
}

/** A box as it was when its dialog was opened. A retry sends the same box, also if the first request was recorded. */
interface Closing {
  kind: 'close';
  boxId: string;
  packageItems: { itemId: string; webLineId: string; quantity: number }[];
  isLast: boolean;
}

/** The open dialog of the screen. */
type Asked = Closing | { kind: 'track'; box: PackedBox } | { kind: 'decline'; line: PackLine };

function Packing({ head, detail, order, reload, isStale }: PackingProps) {
  const { pack, counter, types } = t();
  const { fulfillmentOrderId, packLines: lines, packages, fulfillmentType, shipMethod } = detail;
  const said = useSaid();
  const box = useBox(detail, said);
  const pictures = useItemWords(
    detail.storeId,
    lines.map(({ itemId }) => itemId),
  );
  const [asked, setAsked] = useState<Asked | undefined>();
  const declines = useRef<Declines>(new Map()).current;
  usePreload();
  const paper = usePaper(detail);
  const update = updateOf(detail, reload);
  const reopen = useReopen(update, reload, said);
  const carrier = shipMethod.trim() === '' ? '' : ` · ${shipMethod}`;
  const packed = lines.reduce((sum, one) => sum + one.packedQuantity, 0);
  const wanted = lines.reduce((sum, one) => sum + one.wantedQuantity, 0);
  const untracked = untrackedOf(detail);
  const lies = !box.isOver && order.holdLocation !== undefined;
  return (
    <WorkScreen
      job={{
        ...head,
        title: order.customer?.name ?? fulfillmentOrderId,
        isName: true,
        sub: (
          <OrderId id={fulfillmentOrderId}>
            {word(types, fulfillmentType)}
            {carrier}
          </OrderId>
        ),
        scanLabel: box.isOver ? undefined : pack.scanUnits,
        onCode: (scan) => (asked === undefined ? box.onCode(scan) : false),
        said: said.said,
        ...(lies && {
          lies: {
            place: order.holdLocation!,
            more: <span class="big">{t().units.ofUnits(packed + box.units, wanted)}</span>,
          },
        }),
        ...(box.isOver
          ? {
              others: <AfterPacking paper={paper} isParcel={isParcel(detail)} isMain={!untracked} />,
              ...(untracked && {
                main: { label: pack.addTracking, run: () => setAsked({ kind: 'track', box: untracked }) },
              }),
            }
          : { main: closeAction(box, isStale, () => setAsked(closingOf(box))) }),
      }}
    >
      <OrderNotes notes={notesOf(order)} />
      {box.isOver && <Packed detail={detail} />}
      {paper.isPrinted === false && <Notice look="risk" title={counter.cannotPrint} isAlert />}
      {detail.carrierException && <Notice look="wrong" title={pack.carrierException} />}
      {detail.warnings?.map((text) => (
        <Notice look="risk" title={text} />
      ))}
      {reopen.error !== undefined && <ErrorNotice error={reopen.error} />}
      {paper.error !== undefined && <ErrorNotice error={paper.error} />}
      {!box.isOver && <OpenBox box={box} />}
      <ToPack box={box} lines={lines} pictures={pictures} onDecline={(line) => setAsked({ kind: 'decline', line })} />
      <ClosedBoxes
        packages={packages}
        lines={lines}
        needsTracking={isParcel(detail)}
        print={(one) => printLabel(detail, one.boxId, one.trackingNumber)}
        onTrack={(one) => setAsked({ kind: 'track', box: one })}
        onOpen={(one) => void reopen.run(one)}
      />
      {asked !== undefined && (
        <Dialogs
          asked={asked}
          onClose={() => setAsked(undefined)}
          {...{ detail, box, declines, said, update, reload, paper }}
        />
      )}
    </WorkScreen>
  );
}

/** Loads the dialogs now, because an open dialog must handle the next code immediately. */
function usePreload(): void {
  useEffect(() => {
    BoxDialog.preload();
    TrackingDialog.preload();
  }, []);
}

function closingOf({ boxId, inBox, left, own }: ReturnType<typeof useBox>): Closing {
  own.current = undefined;
  const packageItems = inBox.map(({ line: { itemId, webLineId }, count }) => ({ itemId, webLineId, quantity: count }));
  return { kind: 'close', boxId, packageItems, isLast: left === 0 };
}

type Saying = ReturnType<typeof useSaid>;
type Update = (changes: readonly PackageChange[]) => Promise<void>;
type Paper = ReturnType<typeof usePaper>;

/**
 * Returns a function that changes boxes. It reads the order again after a failed request: another device may have
 * changed the order, or the request was recorded and only its response was lost.
 */
function updateOf(detail: PackDetail, reload: () => Promise<void>): Update {
  return (changes) =>
    updateBoxes(detail, changes).catch((error: unknown) => {
      void reload();
      throw error;
    });
}

/** Prints the labels of boxes and the pack slip of a parcel. */
function usePaper(detail: PackDetail) {
  const [isPrinted, setPrinted] = useState<boolean | undefined>();
  const { storeId, nodeId, fulfillmentOrderId, packLines } = detail;
  const slip = async () => {
    if (!isParcel(detail)) return;
    const reply = await send(
      api.POST('/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/packslip/generate', {
        params: { path: { storeId, fulfillmentOrderId } },
        body: { storeId, nodeId, fulfillmentOrderId, modifyAssociateId: ownId() },
      }),
    );
    const names = new Map(packLines.map(({ itemId, itemDesc }) => [itemId, itemDesc]));
    const { printPackSlip } = await papers();
    setPrinted(await printPackSlip(reply.packSlipDetails[0]!, names));
  };
  /** Prints the label of a closed box, then the slip if the box is the last one. */
  const ofClosed = async (boxId: string, trackingNumber: string | undefined, isLast: boolean) => {
    const isLabeled = await printLabel(detail, boxId, trackingNumber).catch(() => false);
    setPrinted(isLabeled);
    if (isLast) await slip().catch(() => setPrinted(false));
    // A printed slip does not hide that the label is missing.
    if (!isLabeled) setPrinted(false);
  };
  const { isBusy, error, run } = useAction(slip);
  return { isPrinted, ofClosed, isBusy, error, run };
}

/** Prints the label of a box. Reads the order first, because its address can change while it is packed. */
async function printLabel({ storeId, fulfillmentOrderId }: PackDetail, boxId: string, trackingNumber?: string) {
  const { printBoxLabel } = await papers();
  return printBoxLabel(await readOrder(storeId, fulfillmentOrderId), boxId, trackingNumber);
}

/** Reopens a closed box. The undo closes it again with the same content. */
function useReopen(update: Update, reload: () => Promise<void>, said: Saying) {
  const { pack } = t();
  const close = useAction(async (box: PackageChange) => {
    await update([box]);
    await reload();
    said.say(undefined);
  });
  const open = useAction(async ({ allowedActions: _, hazardousMaterialCodes: _codes, ...packed }: PackedBox) => {
    const { boxId, trackingNumber, boxWeight, packingMaterialWeight, length, height, width, packageItems } = packed;
    close.clear();
    await update([{ action: 'VOID', boxId }]);
    const box = { boxId, boxWeight, packingMaterialWeight, length, height, width, packageItems };
    const undo = () =>
      void close.run({ action: 'CREATE', ...box, ...(trackingNumber !== undefined && { trackingNumber }) });
    said.say({ look: 'info', title: pack.unpacked(boxId), undo });
    await reload();
  });
  return { run: open.run, error: open.error ?? close.error };
}

/**
 * Shows the actions after packing. `isMain` is true if the order needs nothing more; the next order is then the main
 * action.
 */
function AfterPacking({ paper, isParcel, isMain }: { paper: Paper; isParcel: boolean; isMain: boolean }) {
  const { pack } = t();
  return (
    <>
      {isParcel && (
        <Button icon={Printer} isBusy={paper.isBusy} onClick={() => void paper.run()}>
          {pack.slip}
        </Button>
      )}
      <LinkButton {...(isMain && { look: 'main' as const })} to={href('/pack')}>
        {pack.next}
      </LinkButton>
    </>
  );
}

/**
 * Returns the first closed box that lacks a tracking number; undefined if there is none. Boxes need no number if the
 * order is no parcel or has left the packing table.
 */
function untrackedOf(detail: PackDetail): PackedBox | undefined {
  if (!isParcel(detail) || detail.status !== '1200') return undefined;
  return detail.packages.find(({ trackingNumber }) => trackingNumber === undefined);
}

/** Shows the next step of an order that has no more units to pack. */
function Packed({ detail }: { detail: PackDetail }) {
  const { pack, states } = t();
  const { status } = detail;
  const isWaiting = untrackedOf(detail) !== undefined;
  const title = isWaiting ? `${pack.packed}: ${pack.trackingMissing}` : word(states, status);
  const isGone = status >= '8000';
  const hint = isWaiting ? pack.waitingTracking : status === '1500' && pack.packedHint;
  return (
    <>
      <DonePanel
        icon={isWaiting ? Truck : isGone ? PackageX : CircleCheck}
        isRisk={isWaiting || isGone}
        title={title}
        hint={hint}
      />
      {isGone && <Blocked of={detail} action="pack" />}
    </>
  );
}

interface DialogsProps {
  asked: Asked;
  detail: PackDetail;
  box: ReturnType<typeof useBox>;
  declines: Declines;
  said: Saying;
  paper: Paper;
  update: Update;
  reload: () => Promise<void>;
  onClose: () => void;
}

function Dialogs({ asked, detail, box, declines, said, paper, update, reload, onClose }: DialogsProps) {
  const { pack } = t();
  /** Returns the number of the box; `known` is the box if an earlier try of the dialog has recorded it. */
  const boxOf = ({ boxId, packageItems }: Closing) => {
    const find = (id?: string) => detail.packages.find((one) => one.boxId === id);
    const known = find(box.own.current);
    if (known !== undefined && isRecordedAs(known, packageItems)) return { boxId: known.boxId, known };
    // If another device has taken the number, the box gets the next one.
    return { boxId: find(boxId) === undefined ? boxId : box.boxId };
  };
  /**
   * Records the box. If the response of an earlier try was lost, the recorded box gets the present measures, unless the
   * order has left the packing table. Returns the box as it is recorded.
   */
  const record = async (closing: Closing, measures: BoxMeasures) => {
    const { packageItems } = closing;
    const { boxId, known } = boxOf(closing);
    if (known !== undefined) {
      if (detail.status !== '1200') return known;
      await update([{ action: 'MODIFY', boxId, ...measures, packageItems }]);
      return { ...known, ...measures };
    }
    box.trying(boxId, packageItems, measures);
    await update([{ action: 'CREATE', boxId, ...measures, packageItems }]).catch((error: unknown) => {
      if (!mayBeDone(error)) box.rejected();
      throw error;
    });
    return { boxId, ...measures };
  };
  const close = async (closing: Closing, measures: BoxMeasures) => {
    const { isLast } = closing;
    const recorded = await record(closing, measures);
    const { boxId, trackingNumber } = recorded;
    box.empty(boxId);
    // Reload before the next code is handled, because that code belongs to the next box.
    await reload();
    onClose();
    const title = isLast ? pack.allPacked : `${pack.box(boxId)}: ${pack.closed}`;
    if (hasMarks(recorded, measures)) said.say({ look: 'right', title }, isLast ? 'done' : 'right');
    else said.say({ look: 'risk', title, detail: pack.asFirstSent }, 'wrong');
    await paper.ofClosed(boxId, trackingNumber ?? undefined, isLast);
  };
  if (asked.kind === 'close') {
    const onSave = (measures: BoxMeasures) => close(asked, measures);
    return <BoxDialog boxId={boxOf(asked).boxId} detail={detail} onSave={onSave} onClose={onClose} />;
  }
  if (asked.kind === 'track') {
    return (
      <TrackingDialog
        boxId={asked.box.boxId}
        detail={detail}
        onClose={onClose}
        onSave={async (trackingNumber) => {
          await update([{ action: 'MODIFY', boxId: asked.box.boxId, trackingNumber }]);
          onClose();
          said.say(undefined, 'done');
          await reload();
        }}
      />
    );
  }
  return (
    <DeclineDialog
      line={detail.packLines.find(({ webLineId }) => webLineId === asked.line.webLineId) ?? asked.line}
      detail={detail}
      declines={declines}
      onClose={onClose}
      onFailed={() => void reload()}
      onDone={async (count) => {
        box.without(asked.line, count);
        // Reload before the next code is handled, because fewer units are to be packed now.
        await reload();
        onClose();
        said.say({ look: 'info', title: pack.declined(count) });
      }}
    />
  );
}
