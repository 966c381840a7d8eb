/** Devices of the nodes: enroll a device with a code, show its last use, unlock or revoke it. */
import { Smartphone, Trash2, Unlock } from 'lucide';
import { useState } from 'preact/hooks';
import type { components } from '../../contract/client.d.ts';
import { call, SERVICE } from '../api.ts';
import { may, ownClient, place } from '../session.ts';
import { dateTime, o, t, time } from '../texts/index.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { ChooseField } from '../ui/choose.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, State } from '../ui/notice.tsx';
import { Page, PagedTable, usePages } from './page.tsx';
import { nameIn, type Place, useNodes } from './places.ts';
import { QrCode } from './qr-code.tsx';
import { HeldDialog } from './secret.tsx';

type Device = components['schemas']['Device'];

const devicesPath = (rest = '') => `/operator/v1/clients/${encodeURIComponent(ownClient())}/devices${rest}`;

const ownPath = ({ deviceId }: Device) => `/${encodeURIComponent(deviceId)}`;

export default function Devices() {
  const { devices: texts } = o();
  const [isAdding, setAdding] = useState(false);
  const [revoked, setRevoked] = useState<Device>();
  const nodes = useNodes();
  const pages = usePages(`devices ${ownClient()}`, async (after, signal) => {
    const query = new URLSearchParams({ limit: '100', ...(after !== undefined && { after }) });
    const { devices, next } = await call<{ devices: Device[]; next?: string }>('GET', `${devicesPath()}?${query}`, {
      signal,
    });
    return { rows: devices, next };
  });
  const free = useAction(async (one: Device) => {
    await call('POST', devicesPath(`${ownPath(one)}/unlock`));
    pages.reload();
  });
  return (
    <Page
      title={t().nav.devices}
      tools={
        may('people') && (
          <Button look="main" icon={Smartphone} onClick={() => setAdding(true)}>
            {texts.add}
          </Button>
        )
      }
    >
      {free.error !== undefined && <ErrorNotice error={free.error} />}
      <PagedTable
        of={pages}
        caption={t().nav.devices}
        csvName="devices"
        keyOf={({ deviceId }) => deviceId}
        empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
        columns={[
          { title: texts.name, show: ({ name }) => <span class="strong">{name}</span>, csv: ({ name }) => name },
          { title: texts.node, show: ({ nodeId }) => nameIn(nodes, nodeId), csv: ({ nodeId }) => nodeId },
          {
            title: texts.lastSeen,
            from: 'm',
            show: ({ lastSeenAt }) => dateTime(lastSeenAt),
            csv: ({ lastSeenAt }) => lastSeenAt,
          },
          {
            title: texts.state,
            show: (one) => {
              const state = stateOf(one);
              return <State look={LOOKS[state]}>{texts[state]}</State>;
            },
            csv: stateOf,
          },
          {
            title: '',
            show: (one) =>
              one.revokedAt === undefined && (
                <Ways of={one} onFree={() => void free.run(one)} onRevoke={() => setRevoked(one)} />
              ),
          },
        ]}
      />
      {revoked !== undefined && (
        <RevokeDevice of={revoked} onClose={() => setRevoked(undefined)} onDone={pages.reload} />
      )}
      {isAdding && (
        <AddDevice
          nodes={nodes.data.value ?? []}
          onDone={() => {
            setAdding(false);
            pages.reload();
          }}
        />
      )}
    </Page>
  );
}

const LOOKS = { revoked: 'info', locked: 'wrong', ready: 'right' } as const;

function stateOf(one: Device): keyof typeof LOOKS {
  if (one.revokedAt !== undefined) return 'revoked';
  return one.lockedAt === undefined ? 'ready' : 'locked';
}

interface WaysProps {
  of: Device;
  onFree: () => void;
  onRevoke: () => void;
}

/** Actions on a device that is not revoked. */
function Ways({ of, onFree, onRevoke }: WaysProps) {
  const { devices: texts } = o();
  return (
    <span class="inline">
      {of.lockedAt !== undefined && may('supervise') && (
        <Button icon={Unlock} onClick={onFree}>
          {texts.free}
        </Button>
      )}
      {may('people') && (
        <Button icon={Trash2} look="danger" onClick={onRevoke}>
          {texts.revoke}
        </Button>
      )}
    </span>
  );
}

interface RevokeProps {
  of: Device;
  onClose: () => void;
  onDone: () => void;
}

/** Asks before a device is revoked, because only a new code sets it up again. */
function RevokeDevice({ of, onClose, onDone }: RevokeProps) {
  const { devices: texts } = o();
  const action = useAction(async () => {
    await call('DELETE', devicesPath(ownPath(of)));
    onClose();
    onDone();
  });
  return (
    <AskDialog
      title={texts.revokeTitle(of.name)}
      onClose={onClose}
      act={texts.revoke}
      look="danger"
      icon={Trash2}
      isBusy={action.isBusy}
      onAct={() => void action.run()}
    >
      <p>{texts.revokeHint}</p>
      {action.error !== undefined && <ErrorNotice error={action.error} />}
    </AskDialog>
  );
}

interface AddProps {
  nodes: readonly Place[];
  onDone: () => void;
}

/**
 * Asks for the node of the device, then shows an enrollment code for the device's sign-in page, as text and as a QR
 * code.
 */
function AddDevice({ nodes, onDone }: AddProps) {
  const { devices: texts } = o();
  const [code, setCode] = useState<{ code: string; expiresAt: string } | undefined>();
  const own = place.value?.nodeId;
  const [nodeId, setNode] = useState(nodes.some(({ id }) => id === own) ? own! : (nodes[0]?.id ?? ''));
  const action = useAction(async () => {
    const path = `/operator/v1/clients/${encodeURIComponent(ownClient())}/nodes/${encodeURIComponent(nodeId)}/deviceCodes`;
    setCode(await call('POST', path));
  });
  if (code !== undefined) {
    return (
      <HeldDialog title={texts.add} done={o().common.noted} onDone={onDone}>
        <p>{texts.scanHint}</p>
        <QrCode text={`${SERVICE}/console/#/?code=${encodeURIComponent(code.code)}`} label={code.code} />
        <p class="big code">{code.code}</p>
        <p class="quiet">{texts.until(time(code.expiresAt, true))}</p>
      </HeldDialog>
    );
  }
  return (
    <AskDialog
      title={texts.add}
      onClose={onDone}
      act={texts.makeCode}
      isBusy={action.isBusy}
      onAct={() => void action.run()}
    >
      <ChooseField
        label={texts.node}
        value={nodeId}
        onInput={setNode}
        options={nodes.map(({ id, name }) => ({ value: id, label: name }))}
      />
      {action.error !== undefined && <ErrorNotice error={action.error} />}
    </AskDialog>
  );
}
