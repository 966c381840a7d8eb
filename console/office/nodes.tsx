/** Stores and warehouses of the client: address, opening hours, places, fulfillment types. */
import { Plus } from 'lucide';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { api, send } from '../api.ts';
import { at } from '../router.ts';
import { ownClient } from '../session.ts';
import { o, t, word } from '../texts/index.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { Check, SelectField, TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { ListField } from '../ui/list-field.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { FULFILLMENT_TYPES } from './fulfillment-types.ts';
import { mustBeNew } from './must-be-new.ts';
import { useOpenRow } from './open-row.ts';
import { Page, PagedTable, usePages } from './page.tsx';

const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;

async function loadNodes(after: string | undefined, signal: AbortSignal) {
  const path = { clientId: ownClient() };
  const query = { limit: 100, ...(after !== undefined && { after }) };
  const { nodes, next } = await send(
    api.GET('/operator/v1/clients/{clientId}/nodes', { params: { path, query }, signal }),
  );
  return { rows: nodes, next };
}

type Node = Awaited<ReturnType<typeof loadNodes>>['rows'][number];

function readNode({ nodeId }: Node): Promise<Node> {
  const params = { path: { clientId: ownClient(), nodeId } };
  return send(api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}', { params }));
}

export default function Nodes() {
  const { nodes: texts } = o();
  const opened = useOpenRow<Node>(readNode);
  const pages = usePages(`nodes ${ownClient()}`, loadNodes);
  return (
    <Page
      title={t().nav.nodes}
      tools={
        <Button look="main" icon={Plus} onClick={opened.add}>
          {texts.add}
        </Button>
      }
    >
      {opened.error !== undefined && <ErrorNotice error={opened.error} />}
      <PagedTable
        of={pages}
        caption={t().nav.nodes}
        csvName="nodes"
        keyOf={({ nodeId }) => nodeId}
        onOpen={opened.open}
        empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
        columns={[
          { title: texts.name, show: ({ name }) => <span class="strong">{name}</span>, csv: ({ name }) => name },
          {
            title: texts.nodeId,
            from: 'm',
            show: ({ nodeId }) => <span class="code">{nodeId}</span>,
            csv: ({ nodeId }) => nodeId,
          },
          { title: texts.kind, show: ({ nodeType }) => word(texts.kinds, nodeType), csv: ({ nodeType }) => nodeType },
          { title: texts.city, show: ({ address }) => address.city, csv: ({ address }) => address.city },
          { title: texts.timeZone, from: 'l', show: ({ timeZone }) => timeZone, csv: ({ timeZone }) => timeZone },
          {
            title: texts.fulfills,
            from: 'l',
            wraps: true,
            show: ({ fulfillmentTypes }) => fulfillmentTypes.map((type) => word(t().types, type)).join(', '),
            csv: ({ fulfillmentTypes }) => fulfillmentTypes.join(' '),
          },
        ]}
      />
      {opened.row !== undefined && (
        <NodeForm
          node={opened.row === 'new' ? undefined : opened.row}
          onDone={() => {
            opened.close();
            pages.reload();
          }}
        />
      )}
    </Page>
  );
}

interface Span {
  opens: string;
  closes: string;
}
/** The spans of each day, in the order of the service. */
type OpeningHours = Partial<Record<string, readonly Span[]>>;

const CLOSED: Span = { opens: '', closes: '' };

/** A day ends at 24:00 for the service. A time input has no 24:00, so in the form a day closes at this time. */
const MIDNIGHT = '00:00';

const FIELDS = ['name', 'timeZone', 'phone', 'line1', 'postalCode', 'city', 'mainDivisionCode', 'countryCode'] as const;

function firstForm(node: Node | undefined) {
  const { address } = node ?? {};
  return {
    name: node?.name ?? '',
    timeZone: node?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    phone: node?.phone ?? '',
    line1: address?.line1 ?? '',
    city: address?.city ?? '',
    postalCode: address?.postalCode ?? '',
    mainDivisionCode: address?.mainDivisionCode ?? '',
    countryCode: address?.countryCode ?? '',
    nodeType: node?.nodeType ?? 'STORE',
    holdLocations: (node?.holdLocations ?? []) as readonly string[],
    holidays: (node?.holidays ?? []) as readonly string[],
    types: (node?.fulfillmentTypes ?? FULFILLMENT_TYPES) as readonly string[],
    hours: Object.groupBy(
      (node?.openingHours ?? []).map((span) => (span.closes === '24:00' ? { ...span, closes: MIDNIGHT } : span)),
      ({ dayOfWeek }) => dayOfWeek,
    ) as OpeningHours,
  };
}

type Form = ReturnType<typeof firstForm>;

/**
 * Returns the node with the values of the form. The PUT sends fields without an input as the service returned them. It
 * leaves out `stock`, `promise` and `receiveTo`, and the service keeps their values.
 */
function bodyOf(form: Form, node: Node | undefined) {
  const { name, nodeType, timeZone, phone, line1, city, postalCode, mainDivisionCode, countryCode } = form;
  const { stock: _stock, promise: _promise, receiveTo: _receiveTo, ...kept } = node ?? {};
  return {
    ...kept,
    name,
    nodeType,
    timeZone,
    phone,
    address: {
      ...node?.address,
      line1,
      city,
      countryCode,
      postalCode,
      mainDivisionCode,
    },
    openingHours: sentSpans(form.hours).map(({ dayOfWeek, span: { opens, closes } }) => ({
      dayOfWeek,
      opens,
      closes: closes === MIDNIGHT ? '24:00' : closes,
    })),
    holdLocations: [...form.holdLocations],
    holidays: [...form.holidays],
    fulfillmentTypes: FULFILLMENT_TYPES.filter((type) => form.types.includes(type)),
  };
}

/** Returns the spans that are sent: all but the empty ones. */
function sentSpans(hours: OpeningHours) {
  return DAYS.flatMap((dayOfWeek) =>
    (hours[dayOfWeek] ?? [])
      .filter(({ opens, closes }) => opens !== '' || closes !== '')
      .map((span) => ({ dayOfWeek, span })),
  );
}

function NodeForm({ node, onDone }: { node: Node | undefined; onDone: () => void }) {
  const { nodes: texts } = o();
  const [nodeId, setNodeId] = useState(node?.nodeId ?? '');
  const [form, setForm] = useState(() => firstForm(node));
  const set = (change: Partial<Form>) => setForm((before) => ({ ...before, ...change }));
  const [sent, setSent] = useState<OpeningHours>({});
  const save = useAction(async () => {
    setSent(form.hours);
    const path = { clientId: ownClient(), nodeId: nodeId.trim() };
    if (node === undefined)
      await mustBeNew(path.nodeId, at('operator', 'v1', 'clients', path.clientId, 'nodes', path.nodeId));
    const body = bodyOf(form, node);
    await send(api.PUT('/operator/v1/clients/{clientId}/nodes/{nodeId}', { params: { path }, body }));
    onDone();
  });
  return (
    <AskDialog
      isPanel
      title={node?.name ?? texts.add}
      onClose={onDone}
      act={t().actions.save}
      isBusy={save.isBusy}
      onAct={() => void save.run()}
    >
      {node === undefined && (
        <TextField label={texts.nodeId} value={nodeId} onInput={setNodeId} error={save.of('nodeId')} />
      )}
      <SelectField
        label={texts.kind}
        value={form.nodeType}
        onInput={(value) => set({ nodeType: value as 'STORE' })}
        options={Object.entries(texts.kinds).map(([value, label]) => ({ value, label }))}
      />
      {FIELDS.map((name) => (
        <TextField
          label={texts.fields[name]}
          value={form[name]}
          onInput={(value) => set({ [name]: value })}
          error={save.of(name)}
        />
      ))}
      <Fulfills types={form.types} onChange={(types) => set({ types })} />
      <Hours hours={form.hours} sent={sent} onChange={(hours) => set({ hours })} errorOf={save.of} />
      <ListField
        label={texts.holdLocations}
        empty={texts.noHoldLocations}
        values={form.holdLocations}
        onChange={(holdLocations) => set({ holdLocations })}
        error={save.of('holdLocations')}
      />
      <ListField
        label={texts.holidays}
        type="date"
        values={form.holidays}
        onChange={(holidays) => set({ holidays })}
        error={save.of('holidays')}
      />
      {save.error !== undefined && <ErrorNotice error={save.error} />}
    </AskDialog>
  );
}

function Fulfills({ types, onChange }: { types: readonly string[]; onChange: (types: readonly string[]) => void }) {
  const { nodes: texts } = o();
  return (
    <fieldset class="stack tight">
      <legend class="strong">{texts.fulfills}</legend>
      {FULFILLMENT_TYPES.map((type) => (
        <Check
          label={word(t().types, type)}
          isChecked={types.includes(type)}
          onChange={(is) => onChange(is ? [...types, type] : types.filter((one) => one !== type))}
        />
      ))}
    </fieldset>
  );
}

function Hours({
  hours,
  sent,
  onChange,
  errorOf,
}: {
  hours: OpeningHours;
  /** The hours of the last save. Its errors name the spans by their numbers. */
  sent: OpeningHours;
  onChange: (hours: OpeningHours) => void;
  errorOf: (field: string) => string | undefined;
}) {
  const { nodes: texts } = o();
  const spans = sentSpans(sent);
  return (
    <fieldset class="stack tight">
      <legend class="strong">{texts.hours}</legend>
      <p class="small quiet">{texts.hoursHint}</p>
      {DAYS.map((day) => (
        <Day
          name={word(texts.days, day)}
          spans={hours[day]}
          onChange={(own) => onChange({ ...hours, [day]: own })}
          errorOf={(span) => {
            const pointer = `openingHours/${spans.findIndex((one) => one.span === span)}`;
            return errorOf(pointer) ?? errorOf(`${pointer}/opens`) ?? errorOf(`${pointer}/closes`);
          }}
        />
      ))}
    </fieldset>
  );
}

/** A row for each span of a day. A closed day has one empty row. A row whose times are emptied is not saved. */
function Day({
  name,
  spans = [CLOSED],
  onChange,
  errorOf,
}: {
  name: string;
  spans: readonly Span[] | undefined;
  onChange: (spans: readonly Span[]) => void;
  errorOf: (span: Span) => string | undefined;
}) {
  const { nodes: texts } = o();
  const newest = useRef<HTMLInputElement>(null);
  const shown = useRef(spans.length);
  // The button that adds a row is not shown while the new row is empty, so the focus goes to the new row.
  useLayoutEffect(() => {
    if (spans.length > shown.current) newest.current?.focus();
    shown.current = spans.length;
  }, [spans.length]);
  return (
    <>
      {spans.map((span, index) => {
        const isLast = index === spans.length - 1;
        const error = errorOf(span);
        const title = index === 0 ? name : `${name} ${index + 1}`;
        return (
          <div class="day-row" key={index}>
            <span>{title}</span>
            {(['opens', 'closes'] as const).map((end) => (
              <input
                class="input"
                type="time"
                ref={isLast && end === 'opens' ? newest : null}
                aria-label={`${title} ${texts[end]}`}
                aria-invalid={error !== undefined ? 'true' : undefined}
                value={span[end]}
                onInput={(event) => onChange(spans.with(index, { ...span, [end]: event.currentTarget.value }))}
              />
            ))}
            {isLast && span.opens !== '' && span.closes !== '' && (
              <button
                type="button"
                class="button plain"
                aria-label={o().common.addTo(name)}
                onClick={() => onChange([...spans, CLOSED])}
              >
                <Icon of={Plus} />
              </button>
            )}
            {error !== undefined && (
              <p class="error" role="alert">
                {error}
              </p>
            )}
          </div>
        );
      })}
    </>
  );
}
