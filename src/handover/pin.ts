/**
 * The PIN of an order at its hand-over. The service checks the fingerprint of the PIN and counts wrong PINs. Too many
 * wrong PINs lock the PIN (docs/interface.md#hand-over-and-delivery).
 */

import { record } from '../events/record.ts';
import { nameOf } from '../kernel/refusals.ts';
import { saveOrder } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { Refusal } from '../platform/http/errors.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import { sameSecret } from '../platform/secrets.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { formatDateTime, MINUTE_MS } from '../platform/time.ts';
import type { Settings } from '../shared/client-settings.ts';
import { say } from './sentences.ts';

/** Whether the hand-over of this order needs its PIN. */
export function isPinRequired(order: FulfillmentOrderRow, settings: Settings): boolean {
  return settings.pin.required && order.pin_hash !== null;
}

/** Returns when the lock of the order's PIN ends, in epoch milliseconds; null if the PIN is not locked. */
export function pinLockedUntil(order: FulfillmentOrderRow, now: number): number | null {
  const until = order.pin_locked_until;
  return until !== null && until > now ? until : null;
}

/** The verification method that requires the PIN, if the client has this method. */
const BY_PIN = 'PIN';

/**
 * Adds an error for a PIN, or for the verification method PIN, if the order has no PIN. Adds an error for a missing PIN
 * that the client or the verification method requires.
 */
export function checkPinSaid(
  {
    pinNumber: pin,
    verificationMethod: method,
  }: { pinNumber?: string | undefined; verificationMethod?: string | undefined },
  order: FulfillmentOrderRow,
  settings: Settings,
  at: string,
  errors: FieldErrors,
): void {
  const isBy = method === BY_PIN && settings.verificationMethods.includes(BY_PIN);
  if (order.pin_hash === null) {
    if (pin !== undefined) errors.add(`${at}/pinNumber`, 'no-pin', say('the order has no PIN; leave pinNumber out'));
    if (isBy)
      errors.add(`${at}/verificationMethod`, 'no-pin', say('the order has no PIN; send another verificationMethod'));
  } else if (pin === undefined && isPinRequired(order, settings)) {
    errors.add(
      `${at}/pinNumber`,
      'required',
      say('pinNumber is missing; the order has a PIN, so send the PIN that the person gives you'),
    );
  } else if (pin === undefined && isBy) {
    errors.add(
      `${at}/pinNumber`,
      'required',
      say('verificationMethod is PIN, but pinNumber is missing; send the PIN that the person gives you'),
    );
  }
}

/** Adds an error if a delivery is verified by PIN: a delivery has no PIN, so the record would be false. */
export function checkPinUnsaid(method: string | undefined, settings: Settings, errors: FieldErrors): void {
  if (method !== BY_PIN || !settings.verificationMethods.includes(BY_PIN)) return;
  errors.add('/verificationMethod', 'no-pin', say('a delivery has no PIN; send another verificationMethod'));
}

/**
 * Checks the PIN and counts a wrong PIN. Returns the 400 of a wrong PIN, or undefined if the hand-over can proceed. The
 * operation returns the 400 instead of throwing it, so that the count is committed.
 * @throws Refusal 409 PIN_LOCKED while the PIN is locked
 */
export async function rejectWrongPin(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  pin: string | undefined,
  associate: string,
): Promise<Refusal | undefined> {
  const locked = pinLockedUntil(order, ctx.now);
  if (locked !== null) {
    const until = formatDateTime(locked);
    const description = say(
      '{order} cannot be handed over until {until} because too many wrong PINs were sent; wait, or ask a lead to unlock the PIN.',
      { order: nameOf(order), until },
    );
    throw new Refusal(409, 'STATE', 'PIN_LOCKED', description, { extra: { pinLockedUntil: until } });
  }
  if (pin === undefined || order.pin_hash === null) return undefined;
  const stored = order.pin_hash;
  const said = ctx.sealer.fingerprints(order.client_id, pin).map((one) => sameSecret(one, stored));
  if (said.includes(true)) return undefined;
  // After the end of a lock, the count starts again.
  const attempts = (order.pin_locked_until === null ? order.pin_attempts : 0) + 1;
  const attemptsLeft = Math.max(0, settings.pin.attempts - attempts);
  const lockedUntil = attemptsLeft === 0 ? ctx.now + settings.pin.lockMinutes * MINUTE_MS : null;
  const columns = { pin_attempts: attempts, pin_locked_until: lockedUntil };
  await saveOrder(ctx, order, columns);
  await record(ctx, {
    clientId: order.client_id,
    type: 'order.pinRefused',
    resource: 'order',
    resourceId: order.fulfillment_order_id,
    revision: order.revision + 1,
    data: { modifyAssociateId: associate, attempts, attemptsLeft, isLocked: lockedUntil !== null },
  });
  const until = lockedUntil === null ? undefined : formatDateTime(lockedUntil);
  const next =
    until === undefined
      ? say('{attemptsLeft} {attemptsLeft|attempt|attempts} left', { attemptsLeft })
      : say('the PIN is locked until {until}', { until });
  return new Refusal(
    400,
    'VALIDATION',
    'WRONG_PIN',
    say('The PIN is wrong and nothing was handed over; {next}.', { next }),
    {
      extra: { attemptsLeft, ...(until !== undefined && { pinLockedUntil: until }) },
    },
  );
}
