/** What the forms of the floor choose from at this node: reasons, places, units. Kept on the device, so that it is there offline. */
import { signal } from '@preact/signals';
import type { components } from '../contract/client.d.ts';
import { api, send } from './api.ts';
import { outbox } from './offline/index.ts';
import { place } from './session.ts';
import { language, t } from './texts/index.ts';
import type { Messages } from './texts/messages.ts';

/** What `GET …/settings` shows. */
export type WorkSettings = components['schemas']['WorkSettings'];

/** Undefined until it has been read once on this device. */
export const choices = signal<WorkSettings | undefined>(undefined);

let asked: { key: string; answer: Promise<WorkSettings> } | undefined;

/** The choices of the node, read once a page and node. @throws what reading them throws where they are not kept */
export function readChoices(): Promise<WorkSettings> {
  const { clientId, nodeId } = place.peek()!;
  const key = `${clientId} ${nodeId}`;
  if (asked?.key === key) return asked.answer;
  const path = '/operator/v1/clients/{clientId}/nodes/{nodeId}/settings';
  const answer = outbox.snapshot
    .cached(`settings ${key}`, () => send(api.GET(path, { params: { path: { clientId, nodeId } } })))
    .then(
      ({ body, isStale }) => {
        if (asked?.key === key) choices.value = body;
        // What is kept from before is good enough for now; the next screen asks again.
        if (isStale) asked = undefined;
        return body;
      },
      (error: unknown) => {
        asked = undefined;
        throw error;
      },
    );
  asked = { key, answer };
  return answer;
}

/** Reads the choices of the node; call it when a screen opens that needs them. */
export function loadChoices(): void {
  if (place.value !== undefined) void readChoices().catch(() => undefined);
}

/** A reason in the words of the person's language; a client's own reason in the client's words. */
export function reasonText({ code, description }: { code: string; description: string }): string {
  return t().reasons[code] ?? description;
}

/** A word of the client in the language of the person; the first that there is, else the code. */
export function ownWord({
  code,
  description,
}: {
  code: string;
  description: string | Partial<Record<string, string>>;
}): string {
  if (typeof description === 'string') return description;
  return description[language.value] ?? description['en'] ?? Object.values(description)[0] ?? code;
}

/** Steps at which units are missing, not in order or not wanted. */
export type Step = keyof Messages['stepReasons'];

/** What fits each step, the likely one first. Codes that the client does not have are left out. */
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

/** The reasons of a step in the words of the shop, and those that only the client has in its own words. */
export function reasonsOf(step: Step): { value: string; label: string }[] {
  const words = t().stepReasons[step];
  const usual = OF_STEP[step];
  const given = choices.value?.cancelReasons ?? usual.slice(0, 1).map((code) => ({ code, description: code }));
  const known = usual.filter((code) => given.some((one) => one.code === code));
  const own = given.filter(({ code }) => t().reasons[code] === undefined);
  const fitting = [
    ...known.map((value) => ({ value, label: words[value] ?? value })),
    ...own.map(({ code, description }) => ({ value: code, label: description })),
  ];
  // A client may have struck out everything that fits.
  return fitting.length > 0 ? fitting : given.map((one) => ({ value: one.code, label: reasonText(one) }));
}

const last = new Map<Step, string>();

/** The reason that is most likely meant: the one given last on this device, else the first. */
export function likelyReason(step: Step): string {
  const offered = reasonsOf(step).map(({ value }) => value);
  return offered.find((code) => code === last.get(step)) ?? offered[0] ?? '';
}

export function rememberReason(step: Step, code: string): void {
  last.set(step, code);
}
