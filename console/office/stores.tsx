/** Web stores of the client, from which its orders come. */
import { Plus } from 'lucide';
import { useState } from 'preact/hooks';
import { api, send } from '../api.ts';
import { at } from '../router.ts';
import { ownClient } from '../session.ts';
import { o, t } from '../texts/index.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { Check, SelectField, TextField } from '../ui/field.tsx';
import { Show, useAction, useLoad } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { idOf } from './client-form.tsx';
import { mustBeNew } from './must-be-new.ts';
import { useOpenRow } from './open-row.ts';
import { Page, PagedTable, usePages } from './page.tsx';

async function loadStores(after: string | undefined, signal: AbortSignal) {
  const query = { limit: 100, ...(after !== undefined && { after }) };
  const params = { path: { clientId: ownClient() }, query };
  const { stores, next } = await send(api.GET('/operator/v1/clients/{clientId}/stores', { params, signal }));
  return { rows: stores, next };
}
type Store = Awaited<ReturnType<typeof loadStores>>['rows'][number];

function readStore({ storeId }: Store): Promise<Store> {
  const params = { path: { clientId: ownClient(), storeId } };
  return send(api.GET('/operator/v1/clients/{clientId}/stores/{storeId}', { params }));
}

export default function Stores() {
  const { stores: texts } = o();
  const opened = useOpenRow<Store>(readStore);
  const pages = usePages(`web stores ${ownClient()}`, loadStores);
  const add = (
    <Button look="main" icon={Plus} onClick={opened.add}>
      {texts.add}
    </Button>
  );
  return (
    <Page title={t().nav.stores} sub={texts.hint} tools={add}>
      {opened.error !== undefined && <ErrorNotice error={opened.error} />}
      <PagedTable
        of={pages}
        caption={t().nav.stores}
        csvName="stores"
        keyOf={({ storeId }) => storeId}
        onOpen={opened.open}
        empty={{ title: texts.emptyTitle, hint: texts.hint, action: add }}
        columns={[
          { title: o().nodes.name, show: ({ name }) => <span class="strong">{name}</span>, csv: ({ name }) => name },
          { title: texts.id, show: (one) => <span class="code">{one.storeId}</span>, csv: (one) => one.storeId },
          {
            title: texts.seller,
            from: 'm',
            show: ({ sellerId, storeCode }) => (
              <span class="code">
                {sellerId} · {storeCode}
              </span>
            ),
            csv: ({ sellerId, storeCode }) => `${sellerId} ${storeCode}`,
          },
          { title: texts.catalog, from: 'm', show: ({ catalogId }) => catalogId, csv: ({ catalogId }) => catalogId },
          { title: texts.currency, show: ({ currency }) => currency, csv: ({ currency }) => currency },
        ]}
      />
      {opened.row !== undefined && (
        <StoreForm
          store={opened.row === 'new' ? undefined : opened.row}
          onDone={() => {
            opened.close();
            pages.reload();
          }}
        />
      )}
    </Page>
  );
}

const FIELDS = ['sellerId', 'storeCode', 'currency'] as const;

function StoreForm({ store, onDone }: { store: Store | undefined; onDone: () => void }) {
  const { stores: texts } = o();
  const [typedId, setId] = useState<string | undefined>();
  const [values, setValues] = useState({
    name: store?.name ?? '',
    catalogId: store?.catalogId ?? '',
    sellerId: store?.sellerId ?? '',
    storeCode: store?.storeCode ?? '',
    currency: store?.currency ?? '',
  });
  const [returnsLabel, setReturnsLabel] = useState(store?.returnsLabel === true);
  const storeId = store?.storeId ?? typedId ?? idOf(values.name);
  const put = (name: keyof typeof values) => (value: string) => setValues((before) => ({ ...before, [name]: value }));
  const save = useAction(async () => {
    const params = { path: { clientId: ownClient(), storeId: storeId.trim() } };
    const { clientId, storeId: id } = params.path;
    if (store === undefined) await mustBeNew(id, at('operator', 'v1', 'clients', clientId, 'stores', id));
    // A PUT replaces the web store. Fields without an input, such as the return settings, keep their values.
    const body = { ...store, ...values, currency: values.currency.toUpperCase(), returnsLabel };
    await send(api.PUT('/operator/v1/clients/{clientId}/stores/{storeId}', { params, body }));
    onDone();
  });
  return (
    <AskDialog
      isPanel
      title={store?.name ?? texts.add}
      onClose={onDone}
      act={t().actions.save}
      isBusy={save.isBusy}
      onAct={() => void save.run()}
    >
      <TextField label={o().nodes.name} value={values.name} onInput={put('name')} error={save.of('name')} />
      {store === undefined && (
        <TextField
          label={texts.id}
          hint={o().clients.idHint}
          value={storeId}
          onInput={setId}
          error={save.of('storeId')}
        />
      )}
      <Catalog value={values.catalogId} onInput={put('catalogId')} error={save.of('catalogId')} />
      {FIELDS.map((name) => (
        <TextField
          label={texts.fields[name]}
          hint={texts.hints[name]}
          value={values[name]}
          onInput={put(name)}
          error={save.of(name)}
        />
      ))}
      <Check label={texts.returnsLabel} isChecked={returnsLabel} onChange={setReturnsLabel} />
      {save.error !== undefined && <ErrorNotice error={save.error} />}
    </AskDialog>
  );
}

/** Asks for a catalog of the client. The client's first catalog is preset. */
function Catalog({
  value,
  onInput,
  error,
}: {
  value: string;
  onInput: (value: string) => void;
  error: string | undefined;
}) {
  const { stores: texts } = o();
  const client = useLoad(`client of stores ${ownClient()}`, async (signal) => {
    const params = { path: { clientId: ownClient() } };
    const { catalogIds } = await send(api.GET('/operator/v1/clients/{clientId}', { params, signal }));
    if (value === '' && catalogIds[0] !== undefined) onInput(catalogIds[0]);
    return catalogIds;
  });
  return (
    <Show of={client} lines={1}>
      {(ids) => (
        <SelectField
          label={texts.catalog}
          value={value}
          onInput={onInput}
          error={error}
          options={ids.map((one) => ({ value: one, label: one }))}
        />
      )}
    </Show>
  );
}
