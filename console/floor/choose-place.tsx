/** Where somebody works who works at several nodes, or looks at several clients. */

import { signal } from '@preact/signals';
import { Store } from 'lucide';
import { api, send } from '../api.ts';
import { choosePlace, session } from '../session.ts';
import { shellTexts as t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import { Show, useLoad } from '../ui/load.tsx';
import { Screen } from '../ui/screen.tsx';

const client = signal<string | undefined>(undefined);

/** The screen before all that work at a node. */
export default function ChooseFirst() {
  return <ChoosePlace />;
}

export function ChoosePlace({ onDone }: { onDone?: () => void }) {
  const own = session.value?.user.clientId ?? client.value;
  return (
    <Screen title={t().shell.choosePlace} isHome={onDone === undefined} {...(onDone && { onBack: onDone })}>
      <p>{t().shell.choosePlaceHint}</p>
      {own === undefined ? <Clients /> : <Nodes clientId={own} onDone={onDone} />}
    </Screen>
  );
}

function Clients() {
  const loaded = useLoad('clients', (signal) => send(api.GET('/operator/v1/clients', { signal })));
  return (
    <Show of={loaded}>
      {({ clients }) => (
        <div class="list">
          {clients.map((one) => (
            <button
              type="button"
              class="row"
              onClick={() => {
                client.value = one.clientId;
              }}
            >
              <span class="grow">
                <span class="strong">{one.name}</span>
                <br />
                <span class="code quiet small">{one.clientId}</span>
              </span>
            </button>
          ))}
        </div>
      )}
    </Show>
  );
}

function Nodes({ clientId: own, onDone }: { clientId: string; onDone?: (() => void) | undefined }) {
  const only = session.value?.user.nodeIds ?? [];
  const loaded = useLoad(`nodes ${own}`, (signal) =>
    send(api.GET('/operator/v1/clients/{clientId}/nodes', { params: { path: { clientId: own } }, signal })),
  );
  return (
    <Show of={loaded}>
      {({ nodes }) => (
        <div class="list">
          {nodes
            .filter(({ nodeId }) => only.length === 0 || only.includes(nodeId))
            .map((one) => (
              <button
                type="button"
                class="row"
                onClick={() => {
                  choosePlace({ clientId: own, nodeId: one.nodeId });
                  client.value = undefined;
                  onDone?.();
                }}
              >
                <Icon of={Store} />
                <span class="grow">
                  <span class="strong">{one.name}</span>
                  <br />
                  <span class="code quiet small">{one.nodeId}</span>
                </span>
              </button>
            ))}
        </div>
      )}
    </Show>
  );
}
