/**
 * The choices in the forms of the floor at this node: reasons, places, units. The device keeps them for work without
 * the network.
 */
import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { components } from '../contract/client.d.ts';
import { api, send } from './api.ts';
import { DEFAULT_MEANINGS } from './default-reasons.ts';
import { outbox } from './offline/index.ts';
import { route } from './router.ts';
import { place, whenBack } from './session.ts';
import { type Language, language, t, zone } from './texts/index.ts';
import type { Messages } from './texts/messages.ts';

/** The response of `GET …/settings`. */
export type WorkSettings = components['schemas']['WorkSettings'];

/** The choices of the node; undefined until this device has read them once. */
export const choices = signal<WorkSettings | undefined>(undefined);

// The office shows several nodes, so its times are by the clock of the browser.
effect(() => {
  zone.value = route.value.path.startsWith('/office') ? undefined : choices.value?.timeZone;
});

/**
 * Time for which calls share one result. Together with `EVERY_MS`, an open screen shows a change of the settings within
 * a minute. With old settings, the service can reject, for example, a hand-over that lacks a newly required proof.
 */
const SHARED_MS = 45_000;
const EVERY_MS = 15_000;
let asked: { key: string; at: number; answer: Promise<WorkSettings> } | undefined;

/**
 * Returns the choices of the node. Calls for the same node within `SHARED_MS` share one result. Later calls do not
 * share an error, or a result that this device had kept.
 * @throws the error of the request, if the service rejects the request or this device has no kept choices
 */
export function readChoices(): Promise<WorkSettings> {
  const { clientId, nodeId } = place.peek()!;
  const key = `${clientId} ${nodeId}`;
  if (asked?.key === key && Math.abs(Date.now() - asked.at) < SHARED_MS) return asked.answer;
  const path = '/operator/v1/clients/{clientId}/nodes/{nodeId}/settings';
  const answer = outbox.snapshot
    .cached(`settings ${key}`, () => send(api.GET(path, { params: { path: { clientId, nodeId } } })))
    .then(
      ({ body, isStale }) => {
        if (asked?.key === key) choices.value = body;
        // These choices come from the device, so later calls do not share them and ask the service again.
        if (isStale) asked = undefined;
        return body;
      },
      (error: unknown) => {
        asked = undefined;
        throw error;
      },
    );
  asked = { key, at: Date.now(), answer };
  return answer;
}

/**
 * Returns the id of a web store from which the item can be read: the store has the catalog of the item. Undefined if
 * there is none.
 */
export function storeOfItem({ stores }: WorkSettings, itemId: string): string | undefined {
  const [catalogId] = itemId.split('-', 1);
  return stores.find((one) => one.catalogId === catalogId)?.storeId;
}

/**
 * Reads the choices of the node for an open screen: when it opens, when the user or the network returns, and at an
 * interval. The interval is necessary because the settings can change and a read can fail.
 */
export function useChoices(): void {
  useEffect(() => {
    const read = () => {
      if (place.peek() !== undefined) void readChoices().catch(() => undefined);
    };
    read();
    return whenBack(read, EVERY_MS);
  }, [place.value?.nodeId]);
}

interface GivenReason {
  code: string;
  description: string;
}

/**
 * Returns the text of a reason: in the language of the user if the reason has its default meaning, otherwise in the
 * words of the client.
 */
export function reasonText(reason: GivenReason): string {
  return ownMeaning(reason) ?? t().reasons[reason.code] ?? reason.code;
}

/** Returns the text of the reason for a decline or a cancellation. The client may have removed the reason meanwhile. */
export function cancelReasonWord(code: string): string {
  const reason = choices.value?.cancelReasons.find((one) => one.code === code);
  return reasonText(reason ?? { code, description: DEFAULT_MEANINGS[code] ?? code });
}

/**
 * Returns the client's description of a reason if it differs from the default description, otherwise undefined. With
 * another description, the code has another meaning.
 */
function ownMeaning({ code, description }: GivenReason): string | undefined {
  return DEFAULT_MEANINGS[code] === description ? undefined : description;
}

/** Returns the language of documents for customers: the setting of the client, otherwise the language of the user. */
export function customerLanguage(): Language {
  return choices.peek()?.customerLanguage ?? language.peek();
}

/**
 * Returns a text of the client: in the language `one` (default: the language of the user), otherwise in English,
 * otherwise the first text. Without any text, returns the code. A text without languages is returned unchanged.
 */
export function ownWord({ code, description }: OwnText, one: Language = language.value): string {
  if (typeof description === 'string') return description;
  return description[one] ?? description['en'] ?? Object.values(description)[0] ?? code;
}

interface OwnText {
  code: string;
  description: string | Partial<Record<string, string>>;
}

/** Steps in which the user chooses a reason for units that are missing, damaged or not wanted. */
export type Step = keyof Messages['stepReasons'];

/**
 * The usual reasons of each step, the most likely first. `fittingReasons` leaves out those that the client lacks.
 */
const OF_STEP: Readonly<Record<Step, readonly string[]>> = {
  pick: ['CancelMXOutOfStock', 'CancelInventoryDiscrepancy', 'CancelMXPickDecline', 'CancelGeneric'],
  pack: ['IPD', 'CancelMXOutOfStock', 'CancelInventoryDiscrepancy', 'CancelGeneric'],
  checkIn: [
    'STSProductReceivedDamagedInterior',
    'STSProductReceivedDamagedExterior',
    'STSWrongProductReceived',
    'STSProductNotReceived',
    'STSPackageNotReceived',
  ],
  refuse: ['CancelMXCreditCustomerRefusal', 'IPD', 'CancelCustomerInitiated', 'CancelGeneric'],
};

/** Returns the reasons of a step, worded for stores (`fittingReasons`). */
export function reasonsOf(step: Step): Reason[] {
  return fittingReasons(t().stepReasons[step], choices.value?.cancelReasons, OF_STEP[step]);
}

interface Reason {
  value: string;
  label: string;
}

/**
 * Returns the usual reasons that the client has, then the reasons that the client has added. A usual reason with its
 * default meaning has the given words; all other reasons have the words of the client. Until the reasons of the client
 * are known, the result has only the first usual reason.
 */
export function fittingReasons(
  words: Readonly<Record<string, string>>,
  ofClient: WorkSettings['cancelReasons'] | undefined,
  usual: readonly string[] = Object.keys(words),
): Reason[] {
  const given = ofClient ?? usual.slice(0, 1).map((code) => ({ code, description: DEFAULT_MEANINGS[code] ?? code }));
  const known = usual.flatMap((code) => given.find((one) => one.code === code) ?? []);
  const own = given.filter(({ code }) => t().reasons[code] === undefined);
  const fitting = [
    ...known.map((one) => ({ value: one.code, label: ownMeaning(one) ?? words[one.code] ?? one.code })),
    ...own.map(({ code, description }) => ({ value: code, label: description })),
  ];
  // The client may have removed every usual reason. Then all reasons of the client are offered.
  return fitting.length > 0 ? fitting : given.map((one) => ({ value: one.code, label: reasonText(one) }));
}

const last = new Map<Step, string>();

/**
 * Returns the most likely reason of those that the client has: the current one, otherwise the last one that was chosen
 * for this step in this page, otherwise the first.
 */
export function likelyReason(step: Step, current = ''): string {
  const offered = reasonsOf(step).map(({ value }) => value);
  return [current, last.get(step)].find((code) => offered.includes(code!)) ?? offered[0] ?? '';
}

export function rememberReason(step: Step, code: string): void {
  last.set(step, code);
}
