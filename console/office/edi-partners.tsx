/** EDI partners: the sender, its identifiers, the destination of its goods, and the sets that are accepted from it. */
import { Plus, Trash2 } from 'lucide';
import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { href } from '../router.ts';
import { ownClient } from '../session.ts';
import { ediTexts, t } from '../texts/index.ts';
import { allOf } from '../ui/all-of.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Check, SelectField, TextField } from '../ui/field.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, State } from '../ui/notice.tsx';
import { AskDelete } from './ask-delete.tsx';
import { type EdiPartner, ediPath } from './edi-data.ts';
import { mustBeNew } from './must-be-new.ts';
import { useOpenRow } from './open-row.ts';
import { Page, PagedTable, usePages } from './page.tsx';

async function loadPartners(after: string | undefined, signal: AbortSignal) {
  const query = new URLSearchParams({ limit: '100', ...(after !== undefined && { after }) });
  const path = `${ediPath('partners')}?${query}`;
  const { partners, next } = await call<{ partners: EdiPartner[]; next?: string }>('GET', path, { signal });
  return { rows: partners, next };
}

export default function EdiPartners() {
  const texts = ediTexts();
  const opened = useOpenRow<EdiPartner>(({ partnerId }) => call('GET', ediPath('partners', partnerId)));
  const pages = usePages(`edi partners ${ownClient()}`, loadPartners);
  const identity = ({ qualifier, id }: EdiPartner['ours']) => <span class="code">{`${qualifier} ${id}`}</span>;
  return (
    <Page
      title={texts.partners}
      sub={texts.partnersHint}
      backTo={{ to: href('/office/edi'), label: t().nav.edi }}
      tools={
        <Button look="main" icon={Plus} onClick={opened.add}>
          {texts.addPartner}
        </Button>
      }
    >
      {opened.error !== undefined && <ErrorNotice error={opened.error} />}
      <PagedTable
        of={pages}
        caption={texts.partners}
        csvName="edi-partners"
        keyOf={({ partnerId }) => partnerId}
        onOpen={opened.open}
        empty={{ title: texts.noPartners, hint: texts.noPartnersHint }}
        columns={[
          {
            title: texts.partner,
            show: ({ partnerId }) => <span class="code strong">{partnerId}</span>,
            csv: ({ partnerId }) => partnerId,
          },
          { title: texts.seller, show: ({ sellerId }) => sellerId, csv: ({ sellerId }) => sellerId },
          { title: texts.theirs, show: ({ theirs }) => identity(theirs), csv: ({ theirs }) => theirs.id },
          { title: texts.ours, show: ({ ours }) => identity(ours), csv: ({ ours }) => ours.id },
          {
            title: texts.usage,
            show: ({ usage }) => <State look={usage === 'P' ? 'right' : 'info'}>{texts.usages[usage]}</State>,
            csv: ({ usage }) => usage,
          },
          { title: texts.takes, show: ({ take }) => take.join(', '), csv: ({ take }) => take.join(' ') },
        ]}
      />
      {opened.row !== undefined && (
        <PartnerForm
          partner={opened.row === 'new' ? undefined : opened.row}
          onDone={(isChanged) => {
            opened.close();
            if (isChanged) pages.reload();
          }}
        />
      )}
    </Page>
  );
}

const TAKES = allOf<NonNullable<EdiPartner['take']>[number]>()(['856', '850', '860', '997', '824']);

type Location = NonNullable<EdiPartner['locations']>[number];

interface Draft {
  partnerId: string;
  sellerId: string;
  usage: 'P' | 'T';
  ours: { qualifier: string; id: string; group: string };
  theirs: { qualifier: string; id: string; group: string };
  take: readonly string[];
  versions: string;
  locations: readonly Location[];
  mayReplace: boolean;
  rest: string;
}

const NO_ONE = { qualifier: 'ZZ', id: '', group: '' };

function draftOf({
  partnerId = '',
  sellerId = '',
  usage = 'T',
  ours,
  theirs,
  take = [...TAKES],
  versions = ['004010'],
  locations = [],
  mayReplace = true,
  // Only the service writes these fields.
  revision: _revision,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  // The fields without an input of their own are edited as JSON.
  ...rest
}: Partial<EdiPartner> = {}): Draft {
  return {
    partnerId,
    sellerId,
    usage,
    ours: { ...NO_ONE, ...ours },
    theirs: { ...NO_ONE, ...theirs },
    take,
    versions: versions.join('\n'),
    locations,
    mayReplace,
    rest: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest, undefined, 2),
  };
}

/** Returns the profile to send. A field that is left out gets its default. */
function bodyOf({ ours, theirs, versions, locations, rest, ...draft }: Draft) {
  const identity = ({ group, ...one }: Draft['ours']) => ({ ...one, ...(group !== '' && { group }) });
  return {
    ...(rest.trim() !== '' && (JSON.parse(rest) as object)),
    ...draft,
    ours: identity(ours),
    theirs: identity(theirs),
    locations: locations.map(withoutBlanks),
    versions: versions.split(/\s+/).filter((version) => version !== ''),
  };
}

/** Leaves out the blank optional fields of a place. The defaults of the profile then apply. */
function withoutBlanks({ storeCode, receivingWarehouseId, sellerId, ...code }: Location): Location {
  return {
    ...code,
    ...(storeCode && { storeCode }),
    ...(receivingWarehouseId && { receivingWarehouseId }),
    ...(sellerId && { sellerId }),
  };
}

function PartnerForm({ partner, onDone }: { partner: EdiPartner | undefined; onDone: (isChanged: boolean) => void }) {
  const texts = ediTexts();
  const [draft, setDraft] = useState(draftOf(partner));
  const set = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const [sent, setSent] = useState(draft.locations);
  const path = () => ediPath('partners', draft.partnerId.trim());
  // Undefined until the first save with wrong JSON. Then the folded field remains open.
  const [isRestWrong, setRestWrong] = useState<boolean>();
  const save = useAction(async (body: ReturnType<typeof bodyOf>) => {
    if (partner === undefined) await mustBeNew(draft.partnerId.trim(), path());
    await call('PUT', path(), { body });
    onDone(true);
  });
  const [isRemoving, setRemoving] = useState(false);
  const trySave = () => {
    try {
      void save.run(bodyOf(draft));
      setSent(draft.locations);
    } catch {
      setRestWrong(true);
    }
  };
  return (
    <>
      <Dialog
        isPanel
        title={partner?.partnerId ?? texts.addPartner}
        onClose={() => onDone(false)}
        onSubmit={trySave}
        actions={
          <>
            {partner !== undefined && (
              <Button look="danger" icon={Trash2} onClick={() => setRemoving(true)}>
                {texts.removePartner}
              </Button>
            )}
            <Button onClick={() => onDone(false)}>{t().actions.close}</Button>
            <Button look="main" isBusy={save.isBusy} onClick={trySave}>
              {t().actions.save}
            </Button>
          </>
        }
      >
        <Names draft={draft} isNew={partner === undefined} set={set} of={save.of} />
        {(['theirs', 'ours'] as const).map((side) => (
          <Identity
            label={texts[side]}
            of={draft[side]}
            onInput={(identity) => set({ [side]: identity })}
            errorOf={(field) => save.of(`${side}/${field}`)}
          />
        ))}
        <Takes draft={draft} set={set} error={save.of('versions')} />
        <Locations of={draft.locations} sent={sent} onInput={(locations) => set({ locations })} errorOf={save.of} />
        <Rest
          value={draft.rest}
          isWrong={isRestWrong}
          onInput={(rest) => {
            set({ rest });
            if (isRestWrong) setRestWrong(false);
          }}
        />
        {save.error !== undefined && <ErrorNotice error={save.error} />}
      </Dialog>
      {isRemoving && (
        <AskDelete
          title={texts.removeTitle(draft.partnerId)}
          hint={texts.removeHint}
          act={texts.removePartner}
          onClose={() => setRemoving(false)}
          run={async () => {
            await call('DELETE', path());
            onDone(true);
          }}
        />
      )}
    </>
  );
}

type Set = (changes: Partial<Draft>) => void;

interface RestProps {
  value: string;
  /** Undefined until the first save with wrong JSON. */
  isWrong: boolean | undefined;
  onInput: (value: string) => void;
}

/** The fields of the profile without an input of their own. */
function Rest({ value, isWrong, onInput }: RestProps) {
  const texts = ediTexts();
  return (
    <details open={isWrong !== undefined}>
      <summary>{texts.rest}</summary>
      <div class="json">
        <TextField
          isMultiline
          label={texts.json}
          hint={texts.restHint}
          value={value}
          onInput={onInput}
          error={isWrong === true ? texts.restWrong : undefined}
        />
      </div>
    </details>
  );
}

function Names({
  draft,
  isNew,
  set,
  of,
}: {
  draft: Draft;
  isNew: boolean;
  set: Set;
  of: (field: string) => string | undefined;
}) {
  const texts = ediTexts();
  return (
    <>
      {isNew && (
        <TextField
          label={texts.partnerId}
          hint={texts.partnerIdHint}
          value={draft.partnerId}
          onInput={(partnerId) => set({ partnerId })}
          error={of('partnerId')}
        />
      )}
      <TextField
        label={texts.seller}
        hint={texts.sellerHint}
        value={draft.sellerId}
        onInput={(sellerId) => set({ sellerId })}
        error={of('/sellerId')}
      />
      <SelectField
        label={texts.usage}
        value={draft.usage}
        onInput={(usage) => set({ usage: usage as 'P' })}
        options={(['T', 'P'] as const).map((value) => ({ value, label: texts.usages[value] }))}
      />
    </>
  );
}

/** Fields for the qualifier and identifier of the ISA, and the identifier of the GS. */
function Identity({
  label,
  of,
  onInput,
  errorOf,
}: {
  label: string;
  of: Draft['ours'];
  onInput: (identity: Draft['ours']) => void;
  errorOf: (field: string) => string | undefined;
}) {
  const texts = ediTexts();
  return (
    <fieldset class="stack tight">
      <legend class="strong">{label}</legend>
      <div class="filters">
        <TextField
          label={texts.qualifier}
          maxLength={2}
          value={of.qualifier}
          onInput={(qualifier) => onInput({ ...of, qualifier })}
          error={errorOf('qualifier')}
        />
        <TextField
          label={texts.identifier}
          maxLength={15}
          value={of.id}
          onInput={(id) => onInput({ ...of, id })}
          error={errorOf('id')}
        />
        <TextField
          label={texts.group}
          hint={texts.groupHint}
          maxLength={15}
          value={of.group}
          onInput={(group) => onInput({ ...of, group })}
          error={errorOf('group')}
        />
      </div>
    </fieldset>
  );
}

function Takes({
  draft: { take, versions, mayReplace },
  set,
  error,
}: {
  draft: Draft;
  set: Set;
  error: string | undefined;
}) {
  const texts = ediTexts();
  return (
    <fieldset class="stack tight">
      <legend class="strong">{texts.takes}</legend>
      {TAKES.map((one) => (
        <Check
          label={texts.setNames[one]}
          isChecked={take.includes(one)}
          onChange={(isChecked) =>
            set({ take: TAKES.filter((each) => (each === one ? isChecked : take.includes(each))) })
          }
        />
      ))}
      <Check label={texts.mayReplace} isChecked={mayReplace} onChange={(is) => set({ mayReplace: is })} />
      <TextField
        isMultiline
        label={texts.versions}
        hint={texts.versionsHint}
        value={versions}
        onInput={(text) => set({ versions: text })}
        error={error}
      />
    </fieldset>
  );
}

const PLACE: Location = { entity: 'ST', qualifier: '92', code: '' };
const PLACE_FIELDS = ['entity', 'qualifier', 'code', 'storeCode', 'receivingWarehouseId', 'sellerId'] as const;

/** The partner's codes of stores and warehouses, one row per code. */
function Locations({
  of,
  sent,
  onInput,
  errorOf,
}: {
  of: readonly Location[];
  /** The places of the last save. Its errors name them by their numbers. */
  sent: readonly Location[];
  onInput: (locations: readonly Location[]) => void;
  errorOf: (field: string) => string | undefined;
}) {
  const texts = ediTexts();
  return (
    <fieldset class="stack tight">
      <legend class="strong">{texts.locations}</legend>
      <p class="small quiet">{texts.locationsHint}</p>
      {of.map((location, index) => (
        <div class="filters">
          {PLACE_FIELDS.map((field) => (
            <TextField
              label={texts.locationFields[field]}
              value={location[field] ?? ''}
              onInput={(value) => onInput(of.with(index, { ...location, [field]: value }))}
              error={errorOf(`locations/${sent.indexOf(location)}/${field}`)}
            />
          ))}
          <Button
            icon={Trash2}
            look="plain"
            label={texts.removeLocation(location.code)}
            onClick={() => onInput(of.toSpliced(index, 1))}
          >
            {texts.remove}
          </Button>
        </div>
      ))}
      <div>
        <Button icon={Plus} onClick={() => onInput([...of, { ...PLACE }])}>
          {texts.addLocation}
        </Button>
      </div>
    </fieldset>
  );
}
