/** Removes broken or missing units from the order. */
import { useState } from 'preact/hooks';
import { ApiError, api, newId, send } from '../../api.ts';
import { t } from '../../texts/index.ts';
import { ownId } from '../../work/own-id.ts';
import { ReasonDialog } from '../../work/reasons.tsx';
import type { PackDetail, PackLine } from './packing.ts';

/** A decline whose result is not known. */
interface Unsettled {
  key: string;
  quantity: number;
  reasonCode: string;
  /** Units of the line before the decline. */
  wanted: number;
}

/** The declines of an order whose result is not known, by line. They outlast the dialog. */
export type Declines = Map<string, Unsettled>;

interface DeclineProps {
  line: PackLine;
  detail: PackDetail;
  declines: Declines;
  onDone: (count: number) => Promise<void>;
  onFailed: () => void;
  onClose: () => void;
}

/**
 * Returns whether the service has decided about the command: it rejects this request and each retry. Other errors, such
 * as a 503 or a locked device, say nothing about an earlier try.
 */
function isDecided(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.passes || error.code === 'IDEMPOTENCY_KEY_IN_USE') return false;
  return error.status < 500 && error.status !== 401;
}

export function DeclineDialog({ line, detail, declines, onDone, onFailed, onClose }: DeclineProps) {
  const { pack, counter } = t();
  const { webLineId, wantedQuantity: wanted } = line;
  // If the units of the line have changed since, the order shows the result.
  useState(() => declines.get(webLineId)?.wanted !== wanted && declines.delete(webLineId));
  const open = declines.get(webLineId);
  const decline = async (units: number, reason: string) => {
    // Quantities add up in the service. If a response was lost, the retry therefore sends the same units with the same
    // key.
    const sent = declines.get(webLineId) ?? { key: newId(), quantity: units, reasonCode: reason, wanted };
    declines.set(webLineId, sent);
    const { key, quantity, reasonCode } = sent;
    const { storeId, fulfillmentOrderId, nodeId } = detail;
    await send(
      api.POST('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/decline', {
        params: { path: { storeId, fulfillmentOrderId }, header: { 'Idempotency-Key': key } },
        body: { nodeId, modifyAssociateId: ownId(), lines: [{ webLineId, quantity, reasonCode }] },
      }),
    ).catch((error: unknown) => {
      if (isDecided(error)) declines.delete(webLineId);
      onFailed();
      throw error;
    });
    declines.delete(webLineId);
    await onDone(quantity);
  };
  return (
    <ReasonDialog
      step="pack"
      title={line.itemDesc}
      label={counter.reason}
      hint={pack.declineHint}
      units={{
        label: pack.declineUnits,
        first: open?.quantity ?? 1,
        min: open?.quantity ?? 1,
        max: open?.quantity ?? wanted,
      }}
      {...(open && { reason: open.reasonCode })}
      main={() => pack.declineMain}
      run={decline}
      onClose={onClose}
    />
  );
}
