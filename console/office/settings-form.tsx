/**
 * Settings of the client: times, reasons, boxes, targets, PIN, pictures, each with its present default; and all
 * settings as JSON.
 */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { DEFAULT_MINUTES, DEFAULT_REASONS } from '../../src/shared/default-settings.ts';
import { api, send } from '../api.ts';
import { ownClient } from '../session.ts';
import { o, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Check, SelectField, TextField } from '../ui/field.tsx';
import { ListField } from '../ui/list-field.tsx';
import { Show, useAction, useLoad } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { Page } from './page.tsx';
import { RowsField } from './rows-field.tsx';
import {
  HAND_OVER_PROOFS,
  type Settings as Own,
  ownMinutes,
  STEPS,
  settingsOf,
  type Values,
  valuesOf,
} from './settings-values.ts';

async function readBoth(signal?: AbortSignal) {
  const params = { path: { clientId: ownClient() } };
  const [client, inForce] = await Promise.all([
    send(api.GET('/operator/v1/clients/{clientId}', { params, ...(signal && { signal }) })),
    send(api.GET('/operator/v1/clients/{clientId}/settings', { params, ...(signal && { signal }) })),
  ]);
  return { client, inForce };
}
type Both = Awaited<ReturnType<typeof readBoth>>;

/**
 * Returns a text that differs after each change. `updatedAt` has whole seconds, so two changes can have the same value.
 */
const stateOf = (both: Both | undefined) => JSON.stringify(both?.client);

export function SettingsForm() {
  const loaded = useLoad(`client ${ownClient()}`, readBoth);
  // Saving creates a new form. This state is in the parent of the form, so that the new form still shows the success.
  const [isSaved, setSaved] = useState(false);
  const latest = loaded.data.value;
  // Only `showLatest` changes `shown`: a later read must not replace the input of the user.
  const [times, setTimes] = useState(0);
  const shown = useMemo(() => latest, [latest === undefined, times]);
  const showLatest = () => setTimes((before) => before + 1);
  const isChanged = () => stateOf(loaded.data.peek()) !== stateOf(shown);
  return (
    <Page title={t().nav.settings} sub={latest?.client.name}>
      <Show of={loaded}>
        {() => (
          <Form
            key={stateOf(shown)}
            both={shown!}
            isSaved={isSaved}
            onSaved={(isDone) => {
              setSaved(isDone);
              if (isDone) void loaded.reload().then(showLatest);
            }}
            mayReplace={async () => {
              if (isChanged()) return true;
              await loaded.reload();
              return !isChanged();
            }}
          >
            {isChanged() && (
              <Notice look="risk" title={o().settings.changedSince} isAlert>
                <Button onClick={showLatest}>{o().settings.showLatest}</Button>
              </Notice>
            )}
          </Form>
        )}
      </Show>
    </Page>
  );
}

interface FormProps {
  both: Both;
  isSaved: boolean;
  /** Called with false when saving begins, and with true when it has succeeded. */
  onSaved: (isDone: boolean) => void;
  /**
   * Resolves to true if the form may save: no other user has changed the settings, or the form already shows the notice
   * about the change.
   */
  mayReplace: () => Promise<boolean>;
  /** The notice about changes of another user. It is above the button that overwrites these changes. */
  children: ComponentChildren;
}

function Form({ both: { client, inForce }, isSaved, onSaved, mayReplace, children }: FormProps) {
  const { settings: texts } = o();
  const [name, setName] = useState(client.name);
  const [catalogs, setCatalogs] = useState<readonly string[]>(client.catalogIds);
  // The settings that the form changes: those of the service, or the JSON from which the user switched to the form.
  const [base, setBase] = useState<Own>(client.settings);
  const [values, setValues] = useState(() => valuesOf(client.settings));
  const [json, setJson] = useState('');
  const [isExpert, setExpert] = useState(false);
  const [isJsonWrong, setJsonWrong] = useState(false);
  const edited = () => (isExpert ? (JSON.parse(json) as Own) : settingsOf(base, values));
  const withEdited = (run: (settings: Own) => void) => {
    try {
      run(edited());
    } catch {
      setJsonWrong(true);
    }
  };
  const flip = (settings: Own) => {
    setValues(valuesOf(settings));
    setBase(settings);
    setJson(JSON.stringify(settings, undefined, 2));
    setExpert(!isExpert);
  };
  const save = useAction(async (settings: Own) => {
    onSaved(false);
    if (!(await mayReplace())) return;
    const body = { name, catalogIds: [...catalogs], settings };
    const params = { path: { clientId: client.clientId } };
    await send(api.PUT('/operator/v1/clients/{clientId}', { params, body }));
    onSaved(true);
  });
  const form = useRef<HTMLFormElement>(null);
  // The new form after a save has no focus: the button that had it is gone with the old form.
  useLayoutEffect(() => {
    if (isSaved) form.current!.querySelector<HTMLElement>('[type=submit]')!.focus();
  }, []);
  return (
    <form
      ref={form}
      class="stack settings"
      onSubmit={(event) => {
        event.preventDefault();
        withEdited((settings) => void save.run(settings));
      }}
    >
      <TextField label={texts.name} value={name} onInput={setName} error={save.of('/name')} />
      <ListField label={texts.catalogs} values={catalogs} onChange={setCatalogs} error={save.of('catalogIds')} />
      {isExpert ? (
        <div class="json">
          <TextField
            isMultiline
            label={texts.json}
            hint={texts.jsonHint}
            value={json}
            onInput={(text) => {
              setJson(text);
              setJsonWrong(false);
            }}
            error={isJsonWrong ? texts.jsonWrong : undefined}
          />
        </div>
      ) : (
        <Parts values={values} onChange={setValues} inForce={inForce} errorOf={save.of} />
      )}
      {save.error !== undefined && <ErrorNotice error={save.error} />}
      {isSaved && <Notice look="right" title={t().me.saved} />}
      {children}
      <div class="inline">
        <Button type="submit" look="main" isBusy={save.isBusy}>
          {t().actions.save}
        </Button>
        <Button look="plain" onClick={() => withEdited(flip)}>
          {isExpert ? texts.asForm : texts.asJson}
        </Button>
      </div>
    </form>
  );
}

interface PartProps {
  values: Values;
  onChange: (values: Values) => void;
  inForce: Own;
  errorOf: (field: string) => string | undefined;
}

function Parts(props: PartProps) {
  const { settings: texts } = o();
  const { values, onChange, errorOf } = props;
  return (
    <>
      <Minutes {...props} />
      <Check
        label={texts.pinRequired}
        isChecked={values.isPinRequired}
        onChange={(isPinRequired) => onChange({ ...values, isPinRequired })}
      />
      <SelectField
        label={texts.proof}
        hint={texts.proofHint}
        value={values.handOverProof}
        onInput={(value) => {
          const handOverProof = HAND_OVER_PROOFS.find((one) => one === value) ?? 'NONE';
          onChange({ ...values, handOverProof });
        }}
        options={HAND_OVER_PROOFS.map((value) => ({ value, label: texts.proofKinds[value] }))}
        error={errorOf('handOverProof')}
      />
      <Reasons {...props} />
      <Boxes {...props} />
      <Targets {...props} />
      <ListField
        label={texts.origins}
        hint={texts.originsHint}
        type="url"
        placeholder="https://images.example.com"
        values={values.origins}
        onChange={(origins) => onChange({ ...values, origins })}
        error={errorOf('imageOrigins')}
      />
    </>
  );
}

function Minutes({ values, onChange, inForce, errorOf }: PartProps) {
  const { settings: texts } = o();
  return (
    <fieldset class="stack tight">
      <legend class="strong">{texts.minutes}</legend>
      <p class="small quiet">{texts.minutesHint}</p>
      <div class="filters">
        {STEPS.map((step) => (
          <TextField
            label={texts.steps[step]}
            inputMode="numeric"
            placeholder={String(DEFAULT_MINUTES[step])}
            hint={
              ownMinutes(inForce, step)
                .map(({ type, minutes }) => `${t().types[type]}: ${minutes}`)
                .join(', ') || undefined
            }
            value={values.minutes[step] ?? ''}
            onInput={(value) => onChange({ ...values, minutes: { ...values.minutes, [step]: value } })}
            error={errorOf(step)}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Without reasons of the client, the defaults are shown. The first change copies them to the client. */
function Reasons({ values, onChange, errorOf }: PartProps) {
  const { settings: texts } = o();
  const isOwn = values.reasons.length > 0;
  const rows = isOwn ? values.reasons : DEFAULT_REASONS.map((reason) => ({ ...reason, stockEffect: '' }));
  return (
    <>
      <RowsField
        label={texts.reasons}
        hint={isOwn ? texts.reasonsOwn : texts.reasonsDefault}
        empty=""
        fields={[
          { name: 'description', label: texts.meaning },
          { name: 'code', label: texts.code },
        ]}
        rows={rows}
        fresh={{ code: '', description: '', stockEffect: '' }}
        onChange={(reasons) => onChange({ ...values, reasons })}
        errorOf={(row) => errorOf(`cancelReasons/${row}/code`) ?? errorOf(`cancelReasons/${row}/description`)}
      />
      {isOwn && (
        <div>
          <Button look="plain" onClick={() => onChange({ ...values, reasons: [] })}>
            {texts.backToDefault}
          </Button>
        </div>
      )}
    </>
  );
}

function Boxes({ values, onChange, inForce, errorOf }: PartProps) {
  const { settings: texts } = o();
  const sizes = (inForce.sizeUnits ?? []).map((value) => ({ value, label: value }));
  const weights = (inForce.weightUnits ?? []).map((value) => ({ value, label: value }));
  const short = { inputMode: 'decimal', isShort: true } as const;
  return (
    <RowsField
      label={texts.boxes}
      hint={texts.boxesHint}
      empty={texts.noBoxes}
      fields={[
        { name: 'name', label: texts.boxName },
        { name: 'length', label: texts.length, ...short },
        { name: 'width', label: texts.width, ...short },
        { name: 'height', label: texts.height, ...short },
        { name: 'sizeUnit', label: texts.unit, options: sizes, isShort: true },
        { name: 'weight', label: texts.emptyWeight, ...short },
        { name: 'weightUnit', label: texts.unit, options: weights, isShort: true },
      ]}
      rows={values.boxes}
      fresh={{
        name: '',
        length: '',
        width: '',
        height: '',
        weight: '',
        sizeUnit: values.boxes.at(-1)?.sizeUnit ?? sizes[0]?.value ?? '',
        weightUnit: values.boxes.at(-1)?.weightUnit ?? weights[0]?.value ?? '',
      }}
      onChange={(boxes) => onChange({ ...values, boxes })}
      errorOf={(row) =>
        (['name', 'length', 'width', 'height', 'sizeUnit', 'weight', 'weightUnit'] as const)
          .map((field) => errorOf(`boxes/${row}/${field}`))
          .find((error) => error !== undefined)
      }
    />
  );
}

function Targets({ values, onChange, errorOf }: PartProps) {
  const { settings: texts } = o();
  return (
    <fieldset class="stack tight">
      <legend class="strong">{texts.targets}</legend>
      <p class="small quiet">{texts.targetsHint}</p>
      <div class="filters">
        {(['linesPerHour', 'shortPercent', 'late'] as const).map((name) => (
          <TextField
            label={texts.targetNames[name]}
            inputMode="decimal"
            placeholder="–"
            value={values.targets[name]}
            onInput={(value) => onChange({ ...values, targets: { ...values.targets, [name]: value } })}
            error={errorOf(`targets/${name}`)}
          />
        ))}
      </div>
    </fieldset>
  );
}
