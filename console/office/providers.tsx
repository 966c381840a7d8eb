/** Sign-in providers (OIDC) of the client: issuer, roles by claim. The secret is sent once and never shown again. */
import { Plus } from 'lucide';
import { call } from '../api.ts';
import { ownClient } from '../session.ts';
import { deskTexts, t, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { lazy } from '../ui/lazy.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useOpenRow } from './open-row.ts';
import { Page, PagedTable, usePages } from './page.tsx';
import { type Provider, providersPath } from './provider.ts';

const ProviderForm = lazy(async () => (await import('./provider-form.tsx')).ProviderForm, true);

export default function Providers() {
  const { providers: texts } = deskTexts();
  const opened = useOpenRow<Provider>(({ providerId }) =>
    call('GET', providersPath(`/${encodeURIComponent(providerId)}`)),
  );
  const pages = usePages(`providers ${ownClient()}`, async (_after, signal) => {
    const { identityProviders } = await call<{ identityProviders: Provider[] }>('GET', providersPath(), { signal });
    return { rows: identityProviders, next: undefined };
  });
  return (
    <Page
      title={t().nav.providers}
      tools={
        <Button look="main" icon={Plus} onClick={opened.add}>
          {texts.add}
        </Button>
      }
    >
      {opened.error !== undefined && <ErrorNotice error={opened.error} />}
      <PagedTable
        of={pages}
        caption={t().nav.providers}
        keyOf={({ providerId }) => providerId}
        onOpen={opened.open}
        empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
        columns={[
          { title: 'Id', show: ({ providerId }) => <span class="code strong">{providerId}</span> },
          { title: texts.issuer, wraps: true, show: ({ issuer }) => issuer },
          {
            title: texts.roles,
            wraps: true,
            show: ({ roles = {} }) =>
              Object.entries(roles)
                .map(([claim, role]) => `${claim} = ${word(t().roles, role)}`)
                .join(', '),
          },
        ]}
      />
      {opened.row !== undefined && (
        <ProviderForm
          provider={opened.row === 'new' ? undefined : opened.row}
          onDone={() => {
            opened.close();
            pages.reload();
          }}
        />
      )}
    </Page>
  );
}
