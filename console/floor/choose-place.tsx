/** Choice of the node for users who work at several nodes, or of the client for users of the operator. */
import { Building2, type IconNode, Store } from 'lucide';
import { useEffect } from 'preact/hooks';
import { readClients } from '../clients.ts';
import { readNodes } from '../read-all.ts';
import { href } from '../router.ts';
import { chooseClient, choosePlace, clientId, session } from '../session.ts';
import { t } from '../texts/index.ts';
import { LinkButton } from '../ui/button.tsx';
import { useSearch } from '../ui/choose.tsx';
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
          <Rows
            icon={Building2}
            all={clients.map((one) => ({ id: one.clientId, name: one.name }))}
            onChoose={chooseClient}
          />
        )
      }
    </Show>
  );
}

function Nodes({ clientId: own, onDone }: { clientId: string; onDone?: (() => void) | undefined }) {
  const only = session.value?.user.nodeIds ?? [];
  const loaded = useLoad(`nodes ${own}`, (signal) => readNodes(own, signal));
  const nodes = (loaded.data.value ?? []).filter(({ nodeId }) => only.length === 0 || only.includes(nodeId));
  const single = nodes.length === 1 && onDone === undefined ? nodes[0]!.nodeId : undefined;
  // If the user has only one node, the screen chooses this node.
  useEffect(() => {
    if (single !== undefined) choosePlace({ clientId: own, nodeId: single });
  }, [single]);
  return (
    <Show of={loaded}>
      {() => (
        <Rows
          icon={Store}
          all={nodes.map((one) => ({ id: one.nodeId, name: one.name }))}
          onChoose={(nodeId) => {
            choosePlace({ clientId: own, nodeId });
            onDone?.();
          }}
        />
      )}
    </Show>
  );
}

interface RowsProps {
  icon: IconNode;
  all: readonly { id: string; name: string }[];
  onChoose: (id: string) => void;
}

function Rows({ icon, all, onChoose }: RowsProps) {
  const { found, search } = useSearch(all, ({ id, name }) => `${name} ${id}`, { onEnter: ({ id }) => onChoose(id) });
  return (
    <>
      {search}
      <div class="list">
        {found.map(({ id, name }) => (
          <button type="button" class="row" key={id} onClick={() => onChoose(id)}>
            <Icon of={icon} />
            <span class="grow">
              <span class="strong">{name}</span>
              <br />
              <span class="code quiet small">{id}</span>
            </span>
          </button>
        ))}
      </div>
    </>
  );
}
