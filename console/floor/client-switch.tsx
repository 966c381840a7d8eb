/** The choice of the client whose data the screens show. The navigation shows this choice to users of the operator. */
import { readClients } from '../clients.ts';
import { go, route } from '../router.ts';
import { chooseClient, clientId } from '../session.ts';
import { shellTexts as t } from '../texts/index.ts';
import { SelectField } from '../ui/field.tsx';
import { Show, useLoad } from '../ui/load.tsx';
import { screens } from '../ui/menu.tsx';

export function ClientSwitch({ onDone }: { onDone: () => void }) {
  const loaded = useLoad('clients', readClients);
  const { client, chooseClient: choose } = t().shell;
  return (
    <Show of={loaded} lines={1}>
      {(clients) => (
        <SelectField
          label={client}
          value={clientId.value ?? ''}
          onInput={(one) => {
            leaveDetails();
            chooseClient(one === '' ? undefined : one);
            onDone();
          }}
          options={[
            ...(clientId.value === undefined ? [{ value: '', label: choose }] : []),
            ...clients.map((one) => ({ value: one.clientId, label: one.name })),
          ]}
        />
      )}
    </Show>
  );
}

/**
 * Leaves a detail screen, because its order or shipment belongs to the previous client. Opens the list of that kind, or
 * home if there is no list.
 */
function leaveDetails(): void {
  const { path } = route.peek();
  if (screens.peek().some(({ pattern }) => pattern === path)) return;
  const list = screens
    .peek()
    .find(({ pattern, nav }) => nav !== undefined && pattern !== '/' && path.startsWith(`${pattern}/`));
  go(list?.pattern ?? '/');
}
