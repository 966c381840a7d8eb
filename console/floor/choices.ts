/** What the forms of the floor choose from at this node: reasons, places, units. Kept on the device, so that it is there offline. */
import { signal } from '@preact/signals';
import type { components } from '../../contract/client.d.ts';
import { api, send } from '../api.ts';
import { outbox } from '../offline/index.ts';
import { place } from '../session.ts';
import { t } from '../texts/index.ts';

/** What `GET …/settings` shows. */
export type WorkSettings = components['schemas']['WorkSettings'] & { imageOrigins?: string[] };

/** Undefined until it has been read once on this device. */
export const choices = signal<WorkSettings | undefined>(undefined);

let asked: string | undefined;

/** Reads the choices of the node, once a page and node; call it when a screen opens that needs them. */
export function loadChoices(): void {
  const at = place.value;
  if (at === undefined) return;
  const { clientId, nodeId } = at;
  const key = `${clientId} ${nodeId}`;
  if (key === asked) return;
  asked = key;
  outbox.snapshot
    .cached(`settings ${key}`, () =>
      send(
        api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}/settings', { params: { path: { clientId, nodeId } } }),
      ),
    )
    .then(
      ({ body }) => {
        if (asked === key) choices.value = body;
      },
      () => {
        // The next screen asks again.
        if (asked === key) asked = undefined;
      },
    );
}

/** A reason in the words of the person's language; a client's own reason in the client's words. */
export function reasonText({ code, description }: { code: string; description: string }): string {
  return t().reasons[code] ?? description;
}
