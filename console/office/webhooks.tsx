/** Webhooks of the client: their events, delivery states, deliveries and replay. */
import { Plus, RotateCcw } from 'lucide';
import { useState } from 'preact/hooks';
import { ApiError, api, send } from '../api.ts';
import { at } from '../router.ts';
import { ownClient } from '../session.ts';
import { dateTime, number, o, t, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Check, SelectField, TextField } from '../ui/field.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice, State } from '../ui/notice.tsx';
import { EventTypesField } from './event-types-field.tsx';
import { mustBeNew } from './must-be-new.ts';
import { useOpenRow } from './open-row.ts';
import { Page, PagedTable, usePages } from './page.tsx';
import { HeldDialog, Secret } from './secret.tsx';
import { wholeIn } from './settings-values.ts';
import { WebhookTest } from './webhook-test.tsx';

const WEBHOOKS = '/operator/v1/clients/{clientId}/webhooks';
const WEBHOOK = '/operator/v1/clients/{clientId}/webhooks/{webhookId}';

async function loadWebhooks(after: string | undefined, signal: AbortSignal) {
  const query = { limit: 100, ...(after !== undefined && { after }) };
  const { webhooks, next } = await send(
    api.GET(WEBHOOKS, { params: { path: { clientId: ownClient() }, query }, signal }),
  );
  return { rows: webhooks, next };
}
type Webhook = Awaited<ReturnType<typeof loadWebhooks>>['rows'][number];

function readWebhook({ webhookId }: Webhook): Promise<Webhook> {
  return send(api.GET(WEBHOOK, { params: { path: { clientId: ownClient(), webhookId } } }));
}

export default function Webhooks() {
  const { webhooks: texts } = o();
  const opened = useOpenRow<Webhook>(readWebhook);
  const pages = usePages(`webhooks ${ownClient()}`, loadWebhooks);
  return (
    <Page
      title={t().nav.webhooks}
      tools={
        <Button look="main" icon={Plus} onClick={opened.add}>
          {texts.add}
        </Button>
      }
    >
      {opened.error !== undefined && <ErrorNotice error={opened.error} />}
      <PagedTable
        of={pages}
        caption={t().nav.webhooks}
        keyOf={({ webhookId }) => webhookId}
        onOpen={opened.open}
        empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
        columns={[
          { title: 'Id', show: ({ webhookId }) => <span class="code strong">{webhookId}</span> },
          { title: 'URL', wraps: true, show: ({ url }) => url },
          { title: texts.types, from: 'm', wraps: true, show: ({ types }) => types?.join(', ') ?? texts.allTypes },
          { title: texts.position, from: 'l', isNumber: true, show: ({ position }) => position },
          { title: texts.state, show: (one) => <WebhookState webhook={one} /> },
        ]}
      />
      {opened.row !== undefined && (
        <WebhookForm
          webhook={opened.row === 'new' ? undefined : opened.row}
          onDone={() => {
            opened.close();
            pages.reload();
          }}
        />
      )}
    </Page>
  );
}

function WebhookState({ webhook: { enabled, disabledReason, failingSince, pausedUntil } }: { webhook: Webhook }) {
  const { webhooks: texts } = o();
  if (disabledReason !== undefined)
    return <State look="wrong">{texts.stopped(word(texts.stops, disabledReason))}</State>;
  if (!enabled) return <State look="info">{texts.off}</State>;
  if (failingSince !== undefined) return <State look="risk">{texts.failing(dateTime(failingSince))}</State>;
  return pausedUntil === undefined ? <State look="right">{texts.on}</State> : <State look="risk">{texts.paused}</State>;
}

function WebhookForm({ webhook, onDone }: { webhook: Webhook | undefined; onDone: () => void }) {
  const { webhooks: texts } = o();
  const [webhookId, setId] = useState(webhook?.webhookId ?? '');
  const [url, setUrl] = useState(webhook?.url ?? 'https://');
  /** Undefined: all types, also future ones. */
  const [types, setTypes] = useState<readonly string[] | undefined>(webhook?.types);
  const [enabled, setEnabled] = useState(webhook?.enabled ?? true);
  const [secret, setSecret] = useState<string | undefined>();
  const path = { clientId: ownClient(), webhookId: webhookId.trim() };
  const save = useAction(async () => {
    if (webhook === undefined) {
      await mustBeNew(path.webhookId, at('operator', 'v1', 'clients', path.clientId, 'webhooks', path.webhookId));
    }
    const made = await send(
      api.PUT(WEBHOOK, {
        params: { path },
        body: { url, enabled, ...(types !== undefined && { types: [...types] }) },
      }),
    );
    if ('secret' in made && typeof made.secret === 'string') setSecret(made.secret);
    else onDone();
  });
  const rotate = useAction(async () => {
    const { secret: fresh } = (await send(
      api.POST('/operator/v1/clients/{clientId}/webhooks/{webhookId}/secret', { params: { path }, body: {} }),
    )) as { secret: string };
    setSecret(fresh);
  });
  if (secret !== undefined) {
    return (
      <NewSecret
        webhookId={webhookId}
        secret={secret}
        onDone={() => (webhook === undefined ? onDone() : setSecret(undefined))}
      />
    );
  }
  return (
    <Dialog
      isPanel
      title={webhook?.webhookId ?? texts.add}
      onClose={onDone}
      actions={
        <>
          <Button onClick={onDone}>{t().actions.close}</Button>
          <Button
            look="main"
            isBusy={save.isBusy}
            blocked={types?.length === 0 ? texts.typesMissing : undefined}
            onClick={() => void save.run()}
          >
            {t().actions.save}
          </Button>
        </>
      }
    >
      {webhook === undefined && <IdField value={webhookId} onInput={setId} error={save.of('webhookId')} />}
      <TextField label="URL" type="url" value={url} onInput={setUrl} error={save.of('url')} />
      <EventTypesField types={types} onChange={setTypes} errors={typeErrors(save.error, types)} />
      <Check label={texts.enabled} isChecked={enabled} onChange={setEnabled} />
      {save.error !== undefined && <ErrorNotice error={save.error} />}
      {webhook !== undefined && (
        <>
          <div>
            <Button icon={RotateCcw} isBusy={rotate.isBusy} onClick={() => void rotate.run()}>
              {texts.rotate}
            </Button>
          </div>
          {rotate.error !== undefined && <ErrorNotice error={rotate.error} />}
          <WebhookTest webhookId={webhook.webhookId} />
          <Replay webhookId={webhook.webhookId} />
          <Deliveries webhookId={webhook.webhookId} />
        </>
      )}
    </Dialog>
  );
}

interface IdProps {
  value: string;
  onInput: (value: string) => void;
  error: string | undefined;
}

function IdField({ value, onInput, error }: IdProps) {
  return (
    <TextField label="Id" hint={o().webhooks.idHint} value={value} maxLength={40} onInput={onInput} error={error} />
  );
}

/** Returns the errors of types in a rejected request, by type. */
function typeErrors(error: unknown, types: readonly string[] = []): ReadonlyMap<string, string> {
  if (!(error instanceof ApiError)) return new Map();
  return new Map(
    error.errors.flatMap(({ pointer, message }) => {
      const [, index] = /^\/types\/(\d+)$/.exec(pointer) ?? [];
      const type = index === undefined ? undefined : types[Number(index)];
      return type === undefined ? [] : [[type, message] as const];
    }),
  );
}

interface NewSecretProps {
  webhookId: string;
  secret: string;
  onDone: () => void;
}

function NewSecret({ webhookId, secret, onDone }: NewSecretProps) {
  const { webhooks: texts } = o();
  return (
    <HeldDialog isPanel title={webhookId} done={o().common.stored} onDone={onDone}>
      <Notice look="risk" title={texts.secretOnce}>
        <Secret label={texts.secret} value={secret} />
      </Notice>
    </HeldDialog>
  );
}

function Replay({ webhookId }: { webhookId: string }) {
  const { webhooks: texts } = o();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [done, setDone] = useState<number | undefined>();
  const action = useAction(async () => {
    setDone(undefined);
    const { events } = await send(
      api.POST('/operator/v1/clients/{clientId}/webhooks/{webhookId}/replay', {
        params: { path: { clientId: ownClient(), webhookId } },
        body: { from: wholeIn(from) as number, to: wholeIn(to) as number },
      }),
    );
    setDone(events);
  });
  return (
    <fieldset class="stack tight">
      <legend class="strong">{texts.replay}</legend>
      <div class="filters">
        <TextField label={texts.from} inputMode="numeric" value={from} onInput={setFrom} error={action.of('from')} />
        <TextField label={texts.to} inputMode="numeric" value={to} onInput={setTo} error={action.of('to')} />
        <Button isBusy={action.isBusy} onClick={() => void action.run()}>
          {texts.replayNow}
        </Button>
      </div>
      {action.error !== undefined && <ErrorNotice error={action.error} />}
      {done !== undefined && <Notice look="right" title={texts.replayed(number(done))} />}
    </fieldset>
  );
}

function Deliveries({ webhookId }: { webhookId: string }) {
  const { webhooks: texts } = o();
  const [status, setStatus] = useState('');
  const pages = usePages(`deliveries ${webhookId} ${status}`, async (after, signal) => {
    const { deliveries, next } = await send(
      api.GET('/operator/v1/clients/{clientId}/webhooks/{webhookId}/deliveries', {
        params: {
          path: { clientId: ownClient(), webhookId },
          query: {
            limit: 50,
            ...(after !== undefined && { after }),
            ...(status !== '' && { status: status as 'DEAD' }),
          },
        },
        signal,
      }),
    );
    return { rows: deliveries, next: next };
  });
  return (
    <section class="stack tight" aria-label={texts.deliveries}>
      <h3>{texts.deliveries}</h3>
      <SelectField
        label={texts.state}
        value={status}
        onInput={setStatus}
        options={['', 'PENDING', 'DELIVERED', 'DEAD'].map((value) => ({
          value,
          label: value === '' ? texts.any : word(texts.statuses, value),
        }))}
      />
      <PagedTable
        of={pages}
        caption={texts.deliveries}
        keyOf={({ position, eventId }) => `${position} ${eventId}`}
        empty={{ title: o().table.none, hint: texts.noDeliveries }}
        columns={[
          // Without separators of thousands, because users copy positions to `Replay`.
          { title: texts.position, isNumber: true, show: ({ position }) => position },
          { title: texts.type, show: ({ type }) => <span class="code">{type}</span> },
          {
            title: texts.state,
            show: (one) => (
              <State look={one.status === 'DELIVERED' ? 'right' : one.status === 'DEAD' ? 'wrong' : 'risk'}>
                {word(texts.statuses, one.status)}
              </State>
            ),
          },
          {
            title: texts.lastAttempt,
            show: ({ log }) => {
              const last = log.at(-1);
              return last === undefined
                ? ''
                : `${dateTime(last.at)} · ${last.status ?? last.error ?? ''} · ${last.durationMs} ms`;
            },
          },
        ]}
      />
    </section>
  );
}
