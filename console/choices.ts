/** What the forms of the floor choose from at this node: reasons, places, units. Kept on the device, so that it is there offline. */
import { signal } from '@preact/signals';
import type { components } from '../contract/client.d.ts';
import { api, send } from './api.ts';
import { outbox } from './offline/index.ts';
import { place } from './session.ts';
import { t } from './texts/index.ts';

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

/** The reasons to choose from; those that `first` names come first. */
export function reasonChoices(first: readonly string[] = []): { value: string; label: string }[] {
  const all = choices.value?.cancelReasons ?? [];
  const rank = ({ code }: { code: string }) => (first.includes(code) ? first.indexOf(code) : first.length);
  return all.toSorted((a, b) => rank(a) - rank(b)).map((reason) => ({ value: reason.code, label: reasonText(reason) }));
}
