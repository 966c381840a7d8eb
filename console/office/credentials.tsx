/** Credentials of the client's systems: what each may do, until when; the secret is shown once. */
import { Plus, Trash2 } from 'lucide';
import { useState } from 'preact/hooks';
import { api, send } from '../api.ts';
import { clientId } from '../session.ts';
import { dateTime, o, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Check, TextField } from '../ui/field.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice, State } from '../ui/notice.tsx';
import { lines, Page, PagedTable, Secret, usePages } from './page.tsx';

const GROUPS = ['items', 'inbound', 'fulfillment', 'intake', 'events', 'supervise'] as const;

async function loadCredentials(after: string | undefined, signal: AbortSignal) {
  const path = { clientId: clientId.value! };
  const query = { limit: '100', ...(after !== undefined && { after }) };
  const { credentials, next } = await send(
    api.GET('/operator/v1/clients/{clientId}/credentials', { params: { path, query }, signal }),
  );
  return { rows: credentials, next };
}
type Credential = Awaited<ReturnType<typeof loadCredentials>>['rows'][number];

export default function Credentials() {
  const { credentials: texts } = o();
  const [isAdding, setAdding] = useState(false);
  const [revoking, setRevoking] = useState<Credential | undefined>();
  const pages = usePages(`credentials ${clientId.value}`, loadCredentials);
  const revoke = useAction(async (credentialId: string) => {
    await send(
      api.DELETE('/operator/v1/clients/{clientId}/credentials/{credentialId}', {
        params: { path: { clientId: clientId.value!, credentialId } },
      }),
    );
    setRevoking(undefined);
    pages.reload();
  });
  return (
    <Page
      title={t().nav.credentials}
      tools={
        <Button look="main" icon={Plus} onClick={() => setAdding(true)}>
          {texts.add}
        </Button>
      }
    >
      <PagedTable
        of={pages}
        caption={t().nav.credentials}
        csvName="credentials"
        keyOf={({ credentialId }) => credentialId}
        empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
        columns={[
          { title: texts.label, show: ({ label }) => <span class="strong">{label}</span>, csv: ({ label }) => label },
          {
            title: 'Id',
            show: ({ credentialId }) => <span class="code">{credentialId}</span>,
            csv: ({ credentialId }) => credentialId,
          },
          { title: texts.groups, show: ({ groups }) => groups.join(', '), csv: ({ groups }) => groups.join(' ') },
          {
            title: texts.only,
            show: ({ storeIds, nodeIds }) => [...(storeIds ?? []), ...(nodeIds ?? [])].join(', ') || texts.everything,
            csv: ({ storeIds, nodeIds }) => [...(storeIds ?? []), ...(nodeIds ?? [])].join(' '),
          },
          {
            title: texts.state,
            show: ({ revokedAt, expiresAt }) =>
              revokedAt !== undefined ? (
                <State look="wrong">{texts.revoked}</State>
              ) : expiresAt === undefined ? (
                <State look="right">{texts.active}</State>
              ) : (
                <State look="risk">{texts.until(dateTime(expiresAt))}</State>
              ),
            csv: ({ revokedAt, expiresAt }) => (revokedAt !== undefined ? 'revoked' : (expiresAt ?? 'active')),
          },
          {
            title: '',
            show: (one) =>
              one.revokedAt === undefined && (
                <Button look="danger" icon={Trash2} onClick={() => setRevoking(one)}>
                  {texts.revoke}
                </Button>
              ),
          },
        ]}
      />
      {isAdding && (
        <AddCredential
          onDone={() => {
            setAdding(false);
            pages.reload();
          }}
        />
      )}
      {revoking !== undefined && (
        <Dialog
          title={texts.revokeTitle(revoking.label)}
          onClose={() => setRevoking(undefined)}
          actions={
            <>
              <Button onClick={() => setRevoking(undefined)}>{t().actions.cancel}</Button>
              <Button look="danger" isBusy={revoke.isBusy} onClick={() => void revoke.run(revoking.credentialId)}>
                {texts.revoke}
              </Button>
            </>
          }
        >
          <p>{texts.revokeHint}</p>
          {revoke.error !== undefined && <ErrorNotice error={revoke.error} />}
        </Dialog>
      )}
    </Page>
  );
}

function AddCredential({ onDone }: { onDone: () => void }) {
  const { credentials: texts } = o();
  const [label, setLabel] = useState('');
  const [groups, setGroups] = useState<readonly string[]>(['items', 'inbound', 'fulfillment', 'intake', 'events']);
  const [stores, setStores] = useState('');
  const [nodes, setNodes] = useState('');
  const [made, setMade] = useState<{ apiKey: string; username: string; password: string } | undefined>();
  const save = useAction(async () => {
    setMade(
      await send(
        api.POST('/operator/v1/clients/{clientId}/credentials', {
          params: { path: { clientId: clientId.value! } },
          body: {
            label,
            groups: GROUPS.filter((group) => groups.includes(group)),
            ...(lines(stores).length > 0 && { storeIds: lines(stores) }),
            ...(lines(nodes).length > 0 && { nodeIds: lines(nodes) }),
          },
        }),
      ),
    );
  });
  return (
    <Dialog
      isPanel
      title={texts.add}
      onClose={onDone}
      actions={
        made === undefined ? (
          <>
            <Button onClick={onDone}>{t().actions.cancel}</Button>
            <Button look="main" isBusy={save.isBusy} onClick={() => void save.run()}>
              {texts.make}
            </Button>
          </>
        ) : (
          <Button look="main" onClick={onDone}>
            {texts.stored}
          </Button>
        )
      }
    >
      {made === undefined ? (
        <>
          <TextField
            label={texts.label}
            hint={texts.labelHint}
            value={label}
            onInput={setLabel}
            error={save.of('label')}
          />
          <fieldset class="stack tight">
            <legend class="strong">{texts.groups}</legend>
            {GROUPS.map((group) => (
              <Check
                label={group}
                hint={texts.groupHints[group]}
                isChecked={groups.includes(group)}
                onChange={(is) => setGroups(is ? [...groups, group] : groups.filter((one) => one !== group))}
              />
            ))}
          </fieldset>
          <TextField
            isMultiline
            label={texts.stores}
            hint={texts.emptyMeansAll}
            value={stores}
            onInput={setStores}
            error={save.of('storeIds')}
          />
          <TextField
            isMultiline
            label={texts.nodes}
            hint={texts.emptyMeansAll}
            value={nodes}
            onInput={setNodes}
            error={save.of('nodeIds')}
          />
          {save.error !== undefined && <ErrorNotice error={save.error} />}
        </>
      ) : (
        <Notice look="risk" title={texts.once}>
          <Secret label="apiKey" value={made.apiKey} />
          <Secret label={texts.username} value={made.username} />
          <Secret label={t().signIn.password} value={made.password} />
        </Notice>
      )}
    </Dialog>
  );
}
