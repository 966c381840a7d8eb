/** Settings of the client: times, reasons, PIN, pictures; and everything else as JSON. */
import { useState } from 'preact/hooks';
import { api, send } from '../api.ts';
import { ownClient } from '../session.ts';
import { o, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Check, TextField } from '../ui/field.tsx';
import { Show, useAction, useLoad } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { lines, Page } from './page.tsx';

const STEPS = [
  'START_PICK',
  'COMPLETE_PICK',
  'PACK',
  'CHECK_IN',
  'CUSTOMER_PICKUP',
  'DELIVERY',
  'REVERSE_PICK',
] as const;

function readClient(signal?: AbortSignal) {
  const path = { clientId: ownClient() };
  return send(api.GET('/operator/v1/clients/{clientId}', { params: { path }, ...(signal && { signal }) }));
}
type Client = Awaited<ReturnType<typeof readClient>>;

export default function Settings() {
  const loaded = useLoad(`client ${ownClient()}`, readClient);
  return (
    <Page title={t().nav.settings} sub={ownClient()}>
      <Show of={loaded}>
        {(client) => <Form key={client.updatedAt} client={client} onDone={() => void loaded.reload()} />}
      </Show>
    </Page>
  );
}

function Form({ client, onDone }: { client: Client; onDone: () => void }) {
  const { settings: texts } = o();
  const { settings } = client;
  const [name, setName] = useState(client.name);
  const [catalogs, setCatalogs] = useState(client.catalogIds.join('\n'));
  const [minutes, setMinutes] = useState<Record<string, string>>(
    Object.fromEntries(STEPS.map((step) => [step, String(settings.slaMinutes?.[step] ?? '')])),
  );
  const [origins, setOrigins] = useState((settings.imageOrigins ?? []).join('\n'));
  const [reasons, setReasons] = useState(
    (settings.cancelReasons ?? []).map(({ code, description }) => `${code} = ${description}`).join('\n'),
  );
  const [isPinRequired, setPinRequired] = useState(settings.pin?.required === true);
  const [json, setJson] = useState(JSON.stringify(settings, undefined, 2));
  const [isExpert, setExpert] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const save = useAction(async () => {
    setSaved(false);
    const slaMinutes = Object.fromEntries(
      Object.entries(minutes).flatMap(([step, text]) => (text.trim() === '' ? [] : [[step, Number(text)]])),
    );
    const own = {
      ...settings,
      slaMinutes,
      imageOrigins: lines(origins),
      pin: { ...settings.pin, required: isPinRequired },
      ...(reasons.trim() !== '' && {
        cancelReasons: lines(reasons).map((line) => {
          const [code = '', ...rest] = line.split('=');
          return { code: code.trim(), description: rest.join('=').trim() };
        }),
      }),
    };
    await send(
      api.PUT('/operator/v1/clients/{clientId}', {
        params: { path: { clientId: client.clientId } },
        body: {
          name,
          catalogIds: lines(catalogs),
          settings: (isExpert ? JSON.parse(json) : own) as Client['settings'],
        } as never,
      }),
    );
    setSaved(true);
    onDone();
  });
  return (
    <form
      class="stack narrow"
      onSubmit={(event) => {
        event.preventDefault();
        void save.run();
      }}
    >
      <TextField label={texts.name} value={name} onInput={setName} error={save.of('name')} />
      <TextField
        isMultiline
        label={texts.catalogs}
        hint={o().nodes.onePerLine}
        value={catalogs}
        onInput={setCatalogs}
        error={save.of('catalogIds')}
      />
      {isExpert ? (
        <div class="json">
          <TextField isMultiline label={texts.json} hint={texts.jsonHint} value={json} onInput={setJson} />
        </div>
      ) : (
        <>
          <fieldset class="stack tight">
            <legend class="strong">{texts.minutes}</legend>
            <p class="small quiet">{texts.minutesHint}</p>
            <div class="filters">
              {STEPS.map((step) => (
                <TextField
                  label={texts.steps[step]}
                  inputMode="numeric"
                  value={minutes[step] ?? ''}
                  onInput={(value) => setMinutes({ ...minutes, [step]: value })}
                  error={save.of(step)}
                />
              ))}
            </div>
          </fieldset>
          <Check label={texts.pinRequired} isChecked={isPinRequired} onChange={setPinRequired} />
          <TextField
            isMultiline
            label={texts.reasons}
            hint={texts.reasonsHint}
            value={reasons}
            onInput={setReasons}
            error={save.of('cancelReasons')}
          />
          <TextField
            isMultiline
            label={texts.origins}
            hint={texts.originsHint}
            value={origins}
            onInput={setOrigins}
            error={save.of('imageOrigins')}
          />
        </>
      )}
      {save.error !== undefined && <ErrorNotice error={save.error} />}
      {isSaved && <Notice look="right" title={t().me.saved} />}
      <div class="inline">
        <Button type="submit" look="main" isBusy={save.isBusy}>
          {t().actions.save}
        </Button>
        <Button look="plain" onClick={() => setExpert(!isExpert)}>
          {isExpert ? texts.asForm : texts.asJson}
        </Button>
      </div>
    </form>
  );
}
