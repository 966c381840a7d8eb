/** Sign-in providers (OIDC) of the client: issuer, roles by claim. The secret is sent once and never shown. */
import { Plus, Trash2 } from 'lucide';
import { useState } from 'preact/hooks';
import { call, SERVICE } from '../api.ts';
import { ownClient } from '../session.ts';
import { o, t, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Check, TextField } from '../ui/field.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { lines, Page, PagedTable, usePages } from './page.tsx';

interface Provider {
  providerId: string;
  name?: string;
  issuer: string;
  oidcClientId: string;
  scopes?: string[];
  roleClaim: string;
  roles: Record<string, string>;
  createUsers?: boolean;
  nodeIds?: string[];
}

const providersPath = (rest = '') => `/operator/v1/clients/${encodeURIComponent(ownClient())}/identityProviders${rest}`;

export default function Providers() {
  const { providers: texts } = o();
  const [open, setOpen] = useState<Provider | 'new' | undefined>();
  const pages = usePages(`providers ${ownClient()}`, async (_after, signal) => {
    const answer = await call<{ identityProviders?: Provider[]; providers?: Provider[] }>('GET', providersPath(), {
      signal,
    });
    return { rows: answer.identityProviders ?? answer.providers ?? [], next: undefined };
  });
  return (
    <Page
      title={t().nav.providers}
      tools={
        <Button look="main" icon={Plus} onClick={() => setOpen('new')}>
          {texts.add}
        </Button>
      }
    >
      <PagedTable
        of={pages}
        caption={t().nav.providers}
        keyOf={({ providerId }) => providerId}
        onOpen={setOpen}
        empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
        columns={[
          { title: 'Id', show: ({ providerId }) => <span class="code strong">{providerId}</span> },
          { title: texts.issuer, show: ({ issuer }) => issuer },
          {
            title: texts.roles,
            show: ({ roles }) =>
              Object.entries(roles)
                .map(([claim, role]) => `${claim} = ${word(t().roles, role)}`)
                .join(', '),
          },
        ]}
      />
      {open !== undefined && (
        <ProviderForm
          provider={open === 'new' ? undefined : open}
          onDone={() => {
            setOpen(undefined);
            pages.reload();
          }}
        />
      )}
    </Page>
  );
}

function ProviderForm({ provider, onDone }: { provider: Provider | undefined; onDone: () => void }) {
  const { providers: texts } = o();
  const [values, setValues] = useState({
    providerId: provider?.providerId ?? '',
    issuer: provider?.issuer ?? 'https://',
    oidcClientId: provider?.oidcClientId ?? '',
    clientSecret: '',
    roleClaim: provider?.roleClaim ?? '/roles',
    scopes: (provider?.scopes ?? ['openid', 'profile', 'email']).join('\n'),
    roles: Object.entries(provider?.roles ?? {})
      .map(([claim, role]) => `${claim} = ${role}`)
      .join('\n'),
    nodeIds: (provider?.nodeIds ?? []).join('\n'),
  });
  const [createUsers, setCreate] = useState(provider?.createUsers === true);
  const set = (name: keyof typeof values) => (value: string) => setValues({ ...values, [name]: value });
  const save = useAction(async () => {
    const { issuer, oidcClientId, clientSecret, roleClaim } = values;
    await call('PUT', providersPath(`/${encodeURIComponent(values.providerId.trim())}`), {
      body: {
        issuer,
        oidcClientId,
        roleClaim,
        createUsers,
        ...(clientSecret !== '' && { clientSecret }),
        scopes: lines(values.scopes),
        roles: Object.fromEntries(
          lines(values.roles).map((line) => {
            const [claim = '', role = ''] = line.split('=').map((part) => part.trim());
            return [claim, role];
          }),
        ),
        ...(lines(values.nodeIds).length > 0 && { nodeIds: lines(values.nodeIds) }),
      },
    });
    onDone();
  });
  const remove = useAction(async () => {
    await call('DELETE', providersPath(`/${encodeURIComponent(provider!.providerId)}`));
    onDone();
  });
  return (
    <Dialog
      isPanel
      title={provider?.providerId ?? texts.add}
      onClose={onDone}
      actions={
        <>
          <Button onClick={onDone}>{t().actions.cancel}</Button>
          <Button look="main" isBusy={save.isBusy} onClick={() => void save.run()}>
            {t().actions.save}
          </Button>
        </>
      }
    >
      {provider === undefined && (
        <TextField label="Id" value={values.providerId} onInput={set('providerId')} error={save.of('providerId')} />
      )}
      <TextField
        label={texts.issuer}
        type="url"
        value={values.issuer}
        onInput={set('issuer')}
        error={save.of('issuer')}
      />
      <TextField
        label={texts.clientId}
        value={values.oidcClientId}
        onInput={set('oidcClientId')}
        error={save.of('oidcClientId')}
      />
      <TextField
        label={texts.secret}
        hint={provider && texts.secretStays}
        type="password"
        value={values.clientSecret}
        onInput={set('clientSecret')}
        error={save.of('clientSecret')}
      />
      <TextField
        label={texts.roleClaim}
        hint={texts.roleClaimHint}
        value={values.roleClaim}
        onInput={set('roleClaim')}
        error={save.of('roleClaim')}
      />
      <TextField
        isMultiline
        label={texts.roles}
        hint={texts.rolesHint}
        value={values.roles}
        onInput={set('roles')}
        error={save.of('roles')}
      />
      <TextField
        isMultiline
        label={texts.scopes}
        hint={o().nodes.onePerLine}
        value={values.scopes}
        onInput={set('scopes')}
        error={save.of('scopes')}
      />
      <Check label={texts.createUsers} isChecked={createUsers} onChange={setCreate} />
      <TextField
        isMultiline
        label={texts.nodes}
        hint={o().nodes.onePerLine}
        value={values.nodeIds}
        onInput={set('nodeIds')}
        error={save.of('nodeIds')}
      />
      <p class="small quiet">
        {texts.redirect} <span class="code">{`${SERVICE}/session/oidc/callback`}</span>
      </p>
      {save.error !== undefined && <ErrorNotice error={save.error} />}
      {provider !== undefined && (
        <div>
          <Button look="danger" icon={Trash2} isBusy={remove.isBusy} onClick={() => void remove.run()}>
            {t().actions.delete}
          </Button>
          {remove.error !== undefined && <ErrorNotice error={remove.error} />}
        </div>
      )}
    </Dialog>
  );
}
