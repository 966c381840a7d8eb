/** A new client: its name, its permanent id, and its catalogs. */
import { useState } from 'preact/hooks';
import { api, send } from '../api.ts';
import { at } from '../router.ts';
import { chooseClient } from '../session.ts';
import { o, t } from '../texts/index.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { ListField } from '../ui/list-field.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { mustBeNew } from './must-be-new.ts';

/** Suggests an id for a name: capital letters, digits and underscores. */
export function idOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();
  return plain
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 20);
}

export function ClientForm({ onDone }: { onDone: () => void }) {
  const { clients: texts } = o();
  const [name, setName] = useState('');
  const [typedId, setId] = useState<string | undefined>();
  const [catalogIds, setCatalogs] = useState<readonly string[]>([]);
  const clientId = typedId ?? idOf(name);
  const save = useAction(async () => {
    const params = { path: { clientId: clientId.trim() } };
    await mustBeNew(clientId.trim(), at('operator', 'v1', 'clients', clientId.trim()));
    await send(api.PUT('/operator/v1/clients/{clientId}', { params, body: { name, catalogIds: [...catalogIds] } }));
    chooseClient(clientId.trim());
    onDone();
  });
  const blocked = name.trim() === '' ? texts.nameMissing : catalogIds.length === 0 ? texts.catalogMissing : undefined;
  return (
    <AskDialog
      isPanel
      title={texts.add}
      onClose={onDone}
      act={t().actions.save}
      isBusy={save.isBusy}
      blocked={blocked}
      onAct={() => void save.run()}
    >
      <TextField label={o().settings.name} value={name} onInput={setName} error={save.of('name')} autoFocus />
      <TextField label={texts.id} hint={texts.idHint} value={clientId} onInput={setId} error={save.of('clientId')} />
      <ListField
        label={o().settings.catalogs}
        hint={texts.catalogsHint}
        values={catalogIds}
        onChange={setCatalogs}
        error={save.of('catalogIds')}
      />
      {save.error !== undefined && <ErrorNotice error={save.error} />}
    </AskDialog>
  );
}
