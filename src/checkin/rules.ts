/**
 * Checks a check-in message against the packages of the order (docs/interface.md#check-in-quantities). The check
 * collects every error and returns the counts of the message.
 */
import type { Package, PackageItem, ReceiptCount } from '../kernel/checkin-packages.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import { listed, quote } from '../platform/message/words.ts';
import type { Settings } from '../shared/client-settings.ts';
import { reasonError } from '../shared/reasons.ts';
import type { CheckInConfirm } from './schema.ts';
import { say } from './sentences.ts';

const SHOWN_IDS = 20;

/** The sums of all packages for one line of the order. */
export interface LineTotal {
  lineIndex: number;
  checkedIn: number;
  canceled: number;
  /** The canceled units of each package with their reason. */
  canceledFor: { reason: string; units: number }[];
}

/** The fields of the order that the message repeats. */
export interface Identity {
  omsOrderId: string;
  webOrderId: string;
  /** The hold location that the last UPDATE or CONFIRM saved. */
  holdLocation: string | null;
}

export interface Assessment {
  /** The counts of the message, one for each line without an error. */
  counts: ReceiptCount[];
  /** The counts that differ from the saved counts. */
  changes: ReceiptCount[];
}

type Message = CheckInConfirm['fulfillmentOrder'];
type SentPackage = ValidPart<Message['checkInPackages'][number]>;
type SentItem = ValidPart<Message['checkInPackages'][number]['checkInPackageItems'][number]>;

const ORDER = '/fulfillmentOrder';
const PACKAGES = `${ORDER}/checkInPackages`;

/**
 * Checks a message. In an UPDATE, the sum of checked-in and canceled units must be at most the quantity. In a CONFIRM,
 * the sum must equal the quantity for every line of every package. Lines that the message leaves out keep the counts
 * that were saved last.
 * @param settings The settings of the client, for its cancel reasons; undefined: the reasons are not checked
 */
export function assess(
  message: ValidPart<Message>,
  packages: readonly Package[],
  order: Identity,
  settings: Settings | undefined,
  errors: FieldErrors,
): Assessment {
  checkFrame(message, order, errors);
  const sentCounts = new Map<PackageItem, ReceiptCount | undefined>();
  const known = new Map(packages.map((one) => [one.packageId, one]));
  const listedPackages = new Map<Package, SentPackage>();
  for (const [index, sent] of (message.checkInPackages ?? []).entries()) {
    if (sent?.checkInPackageId === undefined) continue;
    const pointer = `${PACKAGES}/${index}`;
    const found = known.get(sent.checkInPackageId);
    if (found === undefined) {
      const ids = listed([...known.keys()].map(quote), SHOWN_IDS);
      errors.add(
        `${pointer}/checkInPackageId`,
        'unknown',
        say('the order has no such package; send one of its packages: {ids}', { ids }),
      );
    } else if (listedPackages.has(found)) {
      errors.add(`${pointer}/checkInPackageId`, 'duplicate', say('the package is in the message twice; send it once'));
    } else {
      listedPackages.set(found, sent);
      parsePackage(message.action, sent, found, pointer, settings, sentCounts, errors);
    }
  }
  // A package with an unreadable id may be any package of the order, so in this case no package is reported as missing.
  const isReadable = message.checkInPackages?.every((sent) => sent?.checkInPackageId !== undefined) === true;
  if (message.action === 'CONFIRM' && isReadable) checkAllAccounted(packages, listedPackages, sentCounts, errors);
  const counts = [...sentCounts.values()].filter((count) => count !== undefined);
  const saved = new Map(packages.flatMap((one) => one.items.map((item) => [keyOf(item), item])));
  return { counts, changes: counts.filter((count) => !isSaved(count, saved.get(keyOf(count)))) };
}

/** Returns the sums of each line as they are after `counts` is saved. */
export function lineTotals(packages: readonly Package[], counts: readonly ReceiptCount[]): LineTotal[] {
  const sent = new Map(counts.map((count) => [keyOf(count), count]));
  const totals = new Map<number, LineTotal>();
  for (const item of packages.flatMap((one) => one.items)) {
    const { checkedIn, canceled, reason } = sent.get(keyOf(item)) ?? item;
    const { lineIndex } = item;
    const total = totals.get(lineIndex) ?? { lineIndex, checkedIn: 0, canceled: 0, canceledFor: [] };
    totals.set(lineIndex, {
      lineIndex,
      checkedIn: total.checkedIn + (checkedIn ?? 0),
      canceled: total.canceled + (canceled ?? 0),
      canceledFor: reason === null ? total.canceledFor : [...total.canceledFor, { reason, units: canceled ?? 0 }],
    });
  }
  return [...totals.values()];
}

function checkFrame(message: ValidPart<Message>, order: Identity, errors: FieldErrors): void {
  if (message.action === 'CONFIRM' && message.holdLocation === undefined && order.holdLocation === null) {
    errors.add(
      `${ORDER}/holdLocation`,
      'required',
      say("'holdLocation' is missing; the action CONFIRM needs the location of the goods"),
    );
  }
  if (message.action === 'UPDATE' && message.checkInPackages?.length === 0 && message.holdLocation === undefined) {
    const text = say("'checkInPackages' is empty; list the packages to save, or send 'holdLocation'");
    errors.add(PACKAGES, 'minItems', text, 1);
  }
  for (const name of ['omsOrderId', 'webOrderId'] as const) {
    if (message[name] !== undefined && message[name] !== order[name]) {
      errors.add(
        `${ORDER}/${name}`,
        'mismatch',
        say("'{name}' does not match this order; send the value from the check-in details, or leave it out", {
          name,
        }),
      );
    }
  }
}

function parsePackage(
  action: Message['action'] | undefined,
  sent: SentPackage,
  known: Package,
  pointer: string,
  settings: Settings | undefined,
  counts: Map<PackageItem, ReceiptCount | undefined>,
  errors: FieldErrors,
): void {
  if (sent.trackingNumber !== undefined && sent.trackingNumber !== known.trackingNumber) {
    errors.add(
      `${pointer}/trackingNumber`,
      'mismatch',
      say("'trackingNumber' does not match this package; leave it out"),
    );
  }
  const items = new Map(known.items.map((item) => [item.webLineId, item]));
  for (const [index, one] of (sent.checkInPackageItems ?? []).entries()) {
    if (one?.webLineId === undefined) continue;
    const at = `${pointer}/checkInPackageItems/${index}`;
    const item = items.get(one.webLineId);
    if (item === undefined) {
      const lines = listed([...items.keys()].map(quote), SHOWN_IDS);
      errors.add(
        `${at}/webLineId`,
        'unknown',
        say('the package has no such line; send one of its lines: {lines}', { lines }),
      );
    } else if (counts.has(item)) {
      errors.add(`${at}/webLineId`, 'duplicate', say('the line is in this package twice; send it once'));
    } else {
      counts.set(item, parseItem(action, one, item, at, settings, errors));
    }
  }
}

function parseItem(
  action: Message['action'] | undefined,
  sent: SentItem,
  item: PackageItem,
  at: string,
  settings: Settings | undefined,
  errors: FieldErrors,
): ReceiptCount | undefined {
  const before = errors.count;
  const { checkInQuantity: checkedIn, checkInCanceledQuantity: canceled } = sent;
  const { quantity } = item;
  if (sent.itemId !== item.itemId) {
    errors.add(
      `${at}/itemId`,
      'mismatch',
      say("'itemId' does not match the line; send {itemId}", { itemId: JSON.stringify(item.itemId) }),
    );
  }
  if (sent.quantity !== quantity) {
    errors.add(
      `${at}/quantity`,
      'mismatch',
      say("'quantity' must be {quantity}, the units of the line in the package", { quantity }),
      quantity,
    );
  }
  const sum = (checkedIn ?? 0) + (canceled ?? 0);
  const isWhole = checkedIn !== undefined && canceled !== undefined;
  if (sum > quantity) {
    const message = say(
      "'checkInQuantity' and 'checkInCanceledQuantity' are {sum} together, but the package has {quantity}; lower one of them",
      { sum, quantity },
    );
    errors.add(`${at}/checkInQuantity`, 'maximum', message, quantity);
  } else if (action === 'CONFIRM' && isWhole && sum < quantity) {
    const message = say(
      "'checkInQuantity' and 'checkInCanceledQuantity' are {sum} together; in a CONFIRM the sum must be {quantity}",
      { sum, quantity },
    );
    errors.add(`${at}/checkInQuantity`, 'unaccounted', message, quantity);
  }
  const member = 'checkInCancellationReasonCode';
  const name = say('line {webLineId}', { webLineId: JSON.stringify(item.webLineId) });
  const code = sent.checkInCancellationReasonCode;
  const wrong = settings && reasonError(code, canceled ?? 0, member, name, settings, item.reason);
  if (wrong !== undefined) errors.add(`${at}/${member}`, wrong.rule, wrong.message, wrong.limit);
  if (errors.count > before || !isWhole) return undefined;
  const reason = canceled > 0 ? (code ?? null) : null;
  return { packageIndex: item.packageIndex, lineIndex: item.lineIndex, checkedIn, canceled, reason };
}

/**
 * Adds an error for each package that the message leaves out and that has no saved counts. Adds an error for each other
 * line that the message leaves out, unless its saved counts add up to its quantity.
 */
function checkAllAccounted(
  packages: readonly Package[],
  listedPackages: ReadonlyMap<Package, SentPackage>,
  counts: ReadonlyMap<PackageItem, ReceiptCount | undefined>,
  errors: FieldErrors,
): void {
  for (const one of packages) {
    const sent = listedPackages.get(one);
    // A line with an unreadable id may be any line of the package, so in this case no line of this package is reported
    // as missing.
    if (sent !== undefined && !sent.checkInPackageItems?.every((item) => item?.webLineId !== undefined)) continue;
    const silent = one.items.filter((item) => !counts.has(item));
    const name = JSON.stringify(one.packageId);
    if (silent.length === one.items.length && silent.every((item) => item.checkedIn === null)) {
      errors.add(
        PACKAGES,
        'unaccounted',
        say('package {name} is missing and has no saved quantities; add it', { name }),
      );
      continue;
    }
    for (const item of silent) {
      const sum = (item.checkedIn ?? 0) + (item.canceled ?? 0);
      if (sum === item.quantity) continue;
      const where = say('line {webLineId} of package {name}', { webLineId: JSON.stringify(item.webLineId), name });
      errors.add(
        PACKAGES,
        'unaccounted',
        say(
          '{where} is missing, and only {sum} of its {quantity} {quantity|unit|units} {sum|is|are} confirmed or canceled so far; add the line',
          {
            where,
            sum,
            quantity: item.quantity,
          },
        ),
      );
    }
  }
}

function isSaved(count: ReceiptCount, saved: PackageItem | undefined): boolean {
  return saved?.checkedIn === count.checkedIn && saved.canceled === count.canceled && saved.reason === count.reason;
}

function keyOf(item: { packageIndex: number; lineIndex: number }): string {
  return `${item.packageIndex}/${item.lineIndex}`;
}
