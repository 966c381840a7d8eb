/** Credentials of the client's systems: their permissions and their expiry. The secret is shown once. */
import { Plus, Trash2 } from 'lucide';
import { useState } from 'preact/hooks';
import type { Group, Permission } from '../../src/platform/ctx.ts';
import { GROUP_PERMISSIONS } from '../../src/platform/group-permissions.ts';
import { ApiError, api, send } from '../api.ts';
import { ownClient, session } from '../session.ts';
import { dateTime, o, t } from '../texts/index.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { Check, TextField } from '../ui/field.tsx';
import { Show, useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice, State } from '../ui/notice.tsx';
import type { Column } from '../ui/table.tsx';
import { Page, PagedTable, usePages } from './page.tsx';
import { nameIn, type Place, useNodes, useStores } from './places.ts';
import { lacksChoice, ScopeField } from './scope-field.tsx';
import { HeldDialog, Secret } from './secret.tsx';

/** Groups that most systems need. They are ticked at first if the user can grant them. */
const USUAL: readonly Group[] = ['items', 'inbound', 'fulfillment', 'intake', 'events'];

async function loadCredentials(after: string | undefined, signal: AbortSignal) {
  const path = { clientId: ownClient() };
  const query = { limit: 100, ...(after !== undefined && { after }) };
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
  const pages = usePages(`credentials ${ownClient()}`, loadCredentials);
  const columns = useColumns(setRevoking);
  return (
    <Page
      title={t().nav.credentials}
      sub={lacksGroups() && pages.rows !== undefined && pages.rows.length > 0 ? texts.hidden : undefined}
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
        empty={
          lacksGroups()
            ? { title: texts.emptySeen, hint: texts.hidden }
            : { title: texts.emptyTitle, hint: texts.emptyHint }
        }
        columns={columns}
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
        <RevokeDialog of={revoking} onClose={() => setRevoking(undefined)} onRevoked={pages.reload} />
      )}
    </Page>
  );
}

function useColumns(onRevoke: (one: Credential) => void): readonly Column<Credential>[] {
  const { credentials: texts } = o();
  const [nodes, stores] = [useNodes(), useStores()];
  const onlyFor = ({ storeIds, nodeIds }: Credential) =>
    [...(storeIds ?? []).map((id) => nameIn(stores, id)), ...(nodeIds ?? []).map((id) => nameIn(nodes, id))].join(', ');
  return [
    { title: texts.label, show: ({ label }) => <span class="strong">{label}</span>, csv: ({ label }) => label },
    {
      title: 'Id',
      from: 'l',
      show: ({ credentialId }) => <span class="code">{credentialId}</span>,
      csv: ({ credentialId }) => credentialId,
    },
    {
      title: texts.groups,
      wraps: true,
      show: ({ groups }) => groups.join(', '),
      csv: ({ groups }) => groups.join(' '),
    },
    {
      title: texts.only,
      wraps: true,
      show: (one) => onlyFor(one) || texts.everything,
      csv: ({ storeIds, nodeIds }) => [...(storeIds ?? []), ...(nodeIds ?? [])].join(' '),
    },
    {
      title: texts.state,
      show: (one) => <CredentialState of={one} />,
      csv: ({ revokedAt, expiresAt }) => (revokedAt !== undefined ? 'revoked' : (expiresAt ?? 'active')),
    },
    {
      title: '',
      show: (one) =>
        one.revokedAt === undefined && (
          <Button look="danger" icon={Trash2} onClick={() => onRevoke(one)}>
            {texts.revoke}
          </Button>
        ),
    },
  ];
}

function CredentialState({ of: { revokedAt, expiresAt } }: { of: Credential }) {
  const { credentials: texts } = o();
  if (revokedAt !== undefined) return <State look="wrong">{texts.revoked}</State>;
  if (expiresAt === undefined) return <State look="right">{texts.active}</State>;
  return <State look="risk">{texts.until(dateTime(expiresAt))}</State>;
}

interface RevokeProps {
  of: Credential;
  onClose: () => void;
  onRevoked: () => void;
}

function RevokeDialog({ of: { credentialId, label }, onClose, onRevoked }: RevokeProps) {
  const { credentials: texts } = o();
  const revoke = useAction(async () => {
    await send(
      api.DELETE('/operator/v1/clients/{clientId}/credentials/{credentialId}', {
        params: { path: { clientId: ownClient(), credentialId } },
      }),
    );
    onClose();
    onRevoked();
  });
  return (
    <AskDialog
      title={texts.revokeTitle(label)}
      onClose={onClose}
      act={texts.revoke}
      look="danger"
      isBusy={revoke.isBusy}
      onAct={() => void revoke.run()}
    >
      <p>{texts.revokeHint}</p>
      {revoke.error !== undefined && <ErrorNotice error={revoke.error} />}
    </AskDialog>
  );
}

/**
 * Returns the groups that the user can grant: the user must have all permissions of the group. Users of the operator
 * can grant all groups.
 */
function groupsToGive(): readonly Group[] {
  const { user, permissions } = session.value!;
  const all = Object.entries(GROUP_PERMISSIONS) as [Group, readonly Permission[]][];
  return all
    .filter(([, needed]) => user.clientId === undefined || needed.every((one) => permissions.includes(one)))
    .map(([group]) => group);
}

/**
 * Returns whether the user lacks the permission to grant all groups. The service then leaves out the credentials that
 * have more permissions than the user.
 */
function lacksGroups(): boolean {
  return groupsToGive().length < Object.keys(GROUP_PERMISSIONS).length;
}

interface Made {
  apiKey: string;
  username: string;
  password: string;
}

function AddCredential({ onDone }: { onDone: () => void }) {
  const { credentials: texts } = o();
  const offered = groupsToGive();
  const ownNodes = session.value!.user.nodeIds;
  const [label, setLabel] = useState('');
  const [groups, setGroups] = useState<readonly Group[]>(offered.filter((one) => USUAL.includes(one)));
  const [storeIds, setStores] = useState<readonly string[] | undefined>();
  const [nodeIds, setNodes] = useState<readonly string[] | undefined>(ownNodes.length === 0 ? undefined : ownNodes);
  const [made, setMade] = useState<Made | undefined>();
  const save = useAction(async () => {
    const body = {
      label: label.trim(),
      groups: offered.filter((group) => groups.includes(group)),
      ...(storeIds !== undefined && { storeIds: [...storeIds] }),
      ...(nodeIds !== undefined && { nodeIds: [...nodeIds] }),
    };
    const path = { clientId: ownClient() };
    setMade(await send(api.POST('/operator/v1/clients/{clientId}/credentials', { params: { path }, body })));
  });
  if (made !== undefined) return <NewCredential label={label} made={made} onDone={onDone} />;
  const missing = label.trim() === '' ? texts.labelMissing : groups.length === 0 ? texts.groupsMissing : undefined;
  const lacks = lacksChoice(storeIds) || lacksChoice(nodeIds) ? texts.scopeMissing : undefined;
  return (
    <AskDialog
      isPanel
      title={texts.add}
      onClose={onDone}
      act={texts.make}
      isBusy={save.isBusy}
      blocked={missing ?? lacks}
      onAct={() => void save.run()}
    >
      <TextField label={texts.label} hint={texts.labelHint} value={label} onInput={setLabel} error={save.of('label')} />
      <Groups offered={offered} groups={groups} onChange={setGroups} />
      <Scopes scopes={[storeIds, nodeIds]} onStores={setStores} onNodes={setNodes} errorOf={save.of} />
      {save.error !== undefined && <Why error={save.error} />}
    </AskDialog>
  );
}

function NewCredential({ label, made, onDone }: { label: string; made: Made; onDone: () => void }) {
  const { credentials: texts } = o();
  return (
    <HeldDialog isPanel title={label} done={o().common.stored} onDone={onDone}>
      <Notice look="risk" title={texts.once}>
        <Secret label="apiKey" value={made.apiKey} />
        <Secret label={texts.username} value={made.username} />
        <Secret label={t().signIn.password} value={made.password} />
      </Notice>
    </HeldDialog>
  );
}

/** Explains ACCESS_DENIED as an attempt to grant more permissions than the user has. Shows other errors as they are. */
function Why({ error }: { error: unknown }) {
  const isBeyond = error instanceof ApiError && error.code === 'ACCESS_DENIED';
  return isBeyond ? <Notice look="wrong" title={o().credentials.beyond} /> : <ErrorNotice error={error} />;
}

function Groups({
  offered,
  groups,
  onChange,
}: {
  offered: readonly Group[];
  groups: readonly Group[];
  onChange: (groups: readonly Group[]) => void;
}) {
  const { credentials: texts } = o();
  return (
    <fieldset class="stack tight">
      <legend class="strong">{texts.groups}</legend>
      {offered.map((group) => (
        <Check
          label={group}
          hint={texts.groupHints[group]}
          isChecked={groups.includes(group)}
          onChange={(is) => onChange(is ? [...groups, group] : groups.filter((one) => one !== group))}
        />
      ))}
      {lacksGroups() && <p class="small quiet">{texts.onlyYours}</p>}
    </fieldset>
  );
}

type Scope = readonly string[] | undefined;

function Scopes({
  scopes: [storeIds, nodeIds],
  onStores,
  onNodes,
  errorOf,
}: {
  scopes: readonly [Scope, Scope];
  onStores: (ids: Scope) => void;
  onNodes: (ids: Scope) => void;
  errorOf: (field: string) => string | undefined;
}) {
  const { credentials: texts } = o();
  const [nodes, stores] = [useNodes(), useStores()];
  return (
    <>
      <Show of={stores} lines={1}>
        {(all: readonly Place[]) => (
          <ScopeField
            label={texts.stores}
            all={texts.everyStore}
            options={all}
            values={storeIds}
            onChange={onStores}
            error={errorOf('storeIds')}
          />
        )}
      </Show>
      <Show of={nodes} lines={1}>
        {(all: readonly Place[]) => (
          <ScopeField
            label={texts.nodes}
            all={texts.everyNode}
            options={all}
            values={nodeIds}
            onChange={onNodes}
            error={errorOf('nodeIds')}
          />
        )}
      </Show>
    </>
  );
}
