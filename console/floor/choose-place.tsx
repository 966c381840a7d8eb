/** Choice of the node for users who work at several nodes, or of the client for users of the operator. */
import { Building2, Store } from 'lucide';
import { useEffect } from 'preact/hooks';
import { api, send } from '../api.ts';
import { readClients } from '../clients.ts';
import { href } from '../router.ts';
import { chooseClient, choosePlace, clientId, session } from '../session.ts';
import { t } from '../texts/index.ts';
import { LinkButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty, Show, useLoad } from '../ui/load.tsx';
import { Screen } from '../ui/screen.tsx';

/** Asks for the client or the node, in place of a screen that needs this choice. */
export default function ChooseFirst() {
  return <ChoosePlace />;
}

export function ChoosePlace({ onDone }: { onDone?: () => void }) {
  const { shell, me } = t();
  const own = clientId.value;
  const [title, hint] =
    own === undefined ? [shell.chooseClient, me.chooseClientHint] : [shell.choosePlace, me.choosePlaceHint];
  return (
    <Screen title={title} isHome={onDone === undefined} {...(onDone && { onBack: onDone })}>
      <p>{hint}</p>
      {own === undefined ? <Clients /> : <Nodes clientId={own} onDone={onDone} />}
    </Screen>
  );
}

function Clients() {
  const loaded = useLoad('clients', readClients);
  return (
    <Show of={loaded}>
      {(clients) =>
        clients.length === 0 ? (
          <Empty
            icon={Building2}
            title={t().shell.emptyTitle}
            action={<LinkButton to={href('/office/clients')}>{t().nav.clients}</LinkButton>}
          />
        ) : (
          <div class="list">
            {clients.map((one) => (
              <button type="button" class="row" onClick={() => chooseClient(one.clientId)}>
                <Icon of={Building2} />
                <span class="grow">
                  <span class="strong">{one.name}</span>
                  <br />
                  <span class="code quiet small">{one.clientId}</span>
                </span>
              </button>
            ))}
          </div>
        )
      }
    </Show>
  );
}

function Nodes({ clientId: own, onDone }: { clientId: string; onDone?: (() => void) | undefined }) {
  const only = session.value?.user.nodeIds ?? [];
  const loaded = useLoad(`nodes ${own}`, (signal) =>
    send(api.GET('/operator/v1/clients/{clientId}/nodes', { params: { path: { clientId: own } }, signal })),
  );
  const nodes = (loaded.data.value?.nodes ?? []).filter(({ nodeId }) => only.length === 0 || only.includes(nodeId));
  const single = nodes.length === 1 && onDone === undefined ? nodes[0]!.nodeId : undefined;
  // A user with one node has no choice.
  useEffect(() => {
    if (single !== undefined) choosePlace({ clientId: own, nodeId: single });
  }, [single]);
  return (
    <Show of={loaded}>
      {() => (
        <div class="list">
          {nodes.map((one) => (
            <button
              type="button"
              class="row"
              onClick={() => {
                choosePlace({ clientId: own, nodeId: one.nodeId });
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
