/** What the forms of the floor choose from at this node: reasons, hold locations. Kept on the device, so that it is there offline. */
import { signal } from '@preact/signals';
import { call } from '../api.ts';
import { outbox } from '../offline/index.ts';
import { place } from '../session.ts';
import { t } from '../texts/index.ts';

/** What `GET …/choices` shows. */
export interface ChoicesOfNode {
  cancelReasons: { code: string; description: string }[];
  holdLocations: string[];
  imageOrigins: string[];
}

export const choices = signal<ChoicesOfNode | undefined>(undefined);

let asked: string | undefined;

/** Reads the choices of the node, once a session and node. */
export function loadChoices(): void {
  const at = place.value;
  const key = at === undefined ? undefined : `${at.clientId} ${at.nodeId}`;
  if (at === undefined || key === asked) return;
  asked = key;
  const path = `/operator/v1/clients/${encodeURIComponent(at.clientId)}/nodes/${encodeURIComponent(at.nodeId)}/choices`;
  outbox.snapshot
    .cached(`choices ${key}`, () => call<ChoicesOfNode>('GET', path))
    .then(
      ({ body }) => {
        if (asked === key) choices.value = body;
      },
      () => {
        asked = undefined;
      },
    );
}

/** A reason in the words of the person's language; a client's own reason in the client's words. */
export function reasonText({ code, description }: { code: string; description: string }): string {
  return t().reasons[code] ?? description;
}
