/**
 * The form of a sign-in provider (OIDC): connection, roles by claim, nodes. The secret is sent once and never shown
 * again.
 */
import { Trash2 } from 'lucide';
import { useState } from 'preact/hooks';
import { call, SERVICE } from '../api.ts';
import { deskTexts, o, t, word } from '../texts/index.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { Check, TextField } from '../ui/field.tsx';
import { ListField } from '../ui/list-field.tsx';
import { Show, useAction } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { AskDelete } from './ask-delete.tsx';
import { mustBeNew } from './must-be-new.ts';
import { ROLES } from './person.ts';
import { useNodes } from './places.ts';
import { type Provider, providersPath } from './provider.ts';
import { RowsField } from './rows-field.tsx';
import { lacksChoice, ScopeField } from './scope-field.tsx';

type Values = ReturnType<typeof valuesOf>;

function valuesOf(provider: Provider | undefined) {
  return {
    providerId: provider?.providerId ?? '',
    issuer: provider?.issuer ?? 'https://',
    oidcClientId: provider?.oidcClientId ?? '',
    clientSecret: '',
    roleClaim: provider?.roleClaim ?? '/roles',
    scopes: (provider?.scopes ?? ['openid', 'profile', 'email']) as readonly string[],
    roles: Object.entries(provider?.roles ?? {}).map(([claim, role]) => ({ claim, role })) as readonly {
      claim: string;
      role: string;
    }[],
    nodeIds: ((provider?.nodeIds ?? []).length === 0 ? undefined : provider!.nodeIds) as readonly string[] | undefined,
    createUsers: provider?.createUsers === true,
  };
}

export function ProviderForm({ provider, onDone }: { provider: Provider | undefined; onDone: () => void }) {
  const { providers: texts } = deskTexts();
  const [values, setValues] = useState(() => valuesOf(provider));
  const save = useAction(async () => {
    const { issuer, oidcClientId, clientSecret, roleClaim, createUsers, scopes, roles, nodeIds } = values;
    const id = values.providerId.trim();
    const path = providersPath(`/${encodeURIComponent(id)}`);
    if (provider === undefined) await mustBeNew(id, path);
    await call('PUT', path, {
      body: {
        // The form has no input for the button text, so the PUT sends the present text. Without a text, the PUT would set the
        // text to the id.
        ...(provider?.name !== undefined && { name: provider.name }),
        issuer,
        oidcClientId,
        createUsers,
        ...(clientSecret !== '' && { clientSecret }),
        scopes,
        // The service accepts the claim only together with roles.
        ...(roles.length > 0 && {
          roleClaim,
          roles: Object.fromEntries(roles.map(({ claim, role }) => [claim.trim(), role])),
        }),
        ...(nodeIds !== undefined && { nodeIds }),
      },
    });
    onDone();
  });
  const [isRemoving, setRemoving] = useState(false);
  const form = (
    <AskDialog
      isPanel
      title={provider?.providerId ?? texts.add}
      onClose={onDone}
      act={t().actions.save}
      isBusy={save.isBusy}
      blocked={lacksChoice(values.nodeIds) ? o().people.chooseNode : undefined}
      onAct={() => void save.run()}
    >
      <Connection provider={provider} values={values} onChange={setValues} errorOf={save.of} />
      <Rights values={values} onChange={setValues} errorOf={save.of} />
      <p class="small quiet">
        {texts.redirect} <span class="code">{`${SERVICE}/session/oidc/callback`}</span>
      </p>
      {save.error !== undefined && <ErrorNotice error={save.error} />}
      {provider !== undefined && (
        <div>
          <Button look="danger" icon={Trash2} onClick={() => setRemoving(true)}>
            {t().actions.delete}
          </Button>
        </div>
      )}
    </AskDialog>
  );
  return (
    <>
      {form}
      {isRemoving && provider !== undefined && (
        <AskDelete
          title={texts.removeTitle(provider.providerId)}
          hint={texts.removeHint}
          act={t().actions.delete}
          onClose={() => setRemoving(false)}
          run={async () => {
            await call('DELETE', providersPath(`/${encodeURIComponent(provider.providerId)}`));
            onDone();
          }}
        />
      )}
    </>
  );
}

interface PartProps {
  values: Values;
  onChange: (values: Values) => void;
  errorOf: (field: string) => string | undefined;
}

function Connection({ provider, values, onChange, errorOf }: PartProps & { provider: Provider | undefined }) {
  const { providers: texts } = deskTexts();
  const field = (name: 'providerId' | 'issuer' | 'oidcClientId' | 'clientSecret' | 'roleClaim') => ({
    value: values[name],
    onInput: (value: string) => onChange({ ...values, [name]: value }),
    error: errorOf(name),
  });
  return (
    <>
      {provider === undefined && <TextField label="Id" {...field('providerId')} />}
      <TextField label={texts.issuer} type="url" {...field('issuer')} />
      <TextField label={texts.clientId} {...field('oidcClientId')} />
      <TextField label={texts.secret} hint={provider && texts.secretStays} type="password" {...field('clientSecret')} />
      <TextField label={texts.roleClaim} hint={texts.roleClaimHint} {...field('roleClaim')} />
      <ListField
        label={texts.scopes}
        values={values.scopes}
        onChange={(scopes) => onChange({ ...values, scopes })}
        error={errorOf('scopes')}
      />
    </>
  );
}

function Rights({ values, onChange, errorOf }: PartProps) {
  const { providers: texts } = deskTexts();
  const nodes = useNodes();
  return (
    <>
      <RowsField
        label={texts.roles}
        empty={texts.noRoles}
        fields={[
          { name: 'claim', label: texts.claim },
          {
            name: 'role',
            label: texts.role,
            options: ROLES.map((value) => ({ value, label: word(t().roles, value) })),
          },
        ]}
        rows={values.roles}
        fresh={{ claim: '', role: 'associate' }}
        onChange={(roles) => onChange({ ...values, roles })}
        errorOf={(row) => (row === values.roles.length - 1 ? errorOf('roles') : undefined)}
      />
      <Check
        label={texts.createUsers}
        isChecked={values.createUsers}
        onChange={(createUsers) => onChange({ ...values, createUsers })}
      />
      <Show of={nodes} lines={1}>
        {(all) => (
          <ScopeField
            label={texts.nodes}
            all={o().people.everyNode}
            options={all}
            values={values.nodeIds}
            onChange={(nodeIds) => onChange({ ...values, nodeIds })}
            error={errorOf('nodeIds')}
          />
        )}
      </Show>
    </>
  );
}
