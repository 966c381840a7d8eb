/** EDI: the interchanges of the client's partners, with a search by state, number or partner. */
import { FileSearch, Handshake } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../api.ts';
import { at, go, href, setQuery } from '../router.ts';
import { may, ownClient } from '../session.ts';
import { dateTime, ediTexts, t, word } from '../texts/index.ts';
import { LinkButton } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { type EdiSummary, ediPath, IN_STATES, OUT_STATES } from './edi-data.ts';
import { EdiState } from './edi-state.tsx';
import { Page, PagedTable, usePages } from './page.tsx';

const DIRECTIONS = ['IN', 'OUT'] as const;
const SETS = ['850', '856', '860', '824', '861', '997', 'TA1'] as const;

async function loadInterchanges(filters: URLSearchParams, after: string | undefined, signal: AbortSignal) {
  const query = new URLSearchParams({ limit: '100', ...Object.fromEntries(filters) });
  if (after !== undefined) query.set('after', after);
  const { interchanges, next } = await call<{ interchanges: EdiSummary[]; next?: string }>(
    'GET',
    `${ediPath('interchanges')}?${query}`,
    { signal },
  );
  return { rows: interchanges, next };
}

/** Returns the filters in the address, by their names in the service. */
function filtersOf(query: URLSearchParams): URLSearchParams {
  const names = ['direction', 'status', 'setId', 'number', 'partnerId'];
  return new URLSearchParams(names.flatMap((name) => (query.get(name) ? [[name, query.get(name)!]] : [])));
}

export default function Edi({ query }: ScreenProps) {
  const texts = ediTexts();
  const filters = filtersOf(query);
  const pages = usePages(`edi ${ownClient()} ${filters}`, (after, signal) => loadInterchanges(filters, after, signal));
  return (
    <Page
      title={t().nav.edi}
      tools={
        <>
          {may('orders.intake') && (
            <LinkButton look="main" icon={FileSearch} to={href('/office/edi/try')}>
              {texts.tryFile}
            </LinkButton>
          )}
          {may('client') && (
            <LinkButton icon={Handshake} to={href('/office/edi/partners')}>
              {texts.partners}
            </LinkButton>
          )}
        </>
      }
      filters={<Filters query={query} />}
    >
      <Chips query={query} />
      <PagedTable
        of={pages}
        caption={t().nav.edi}
        csvName="edi"
        keyOf={({ interchangeId }) => interchangeId}
        onOpen={({ interchangeId }) => go(at('office', 'edi', 'interchange', interchangeId))}
        empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
        columns={[
          { title: texts.direction, show: (one) => texts.directions[one.direction], csv: (one) => one.direction },
          {
            title: texts.sets,
            show: (one) => <span class="code strong">{one.setIds.join(', ')}</span>,
            csv: (one) => one.setIds.join(' '),
          },
          {
            title: texts.numbers,
            show: (one) => <Numbers of={one.numbers} />,
            csv: (one) => one.numbers.join(' '),
          },
          { title: texts.state, show: (one) => <Outcome of={one} />, csv: (one) => one.status },
          {
            title: texts.partner,
            show: (one) => one.partnerId ?? `${one.sender.qualifier} ${one.sender.id}`,
            csv: (one) => one.partnerId ?? '',
          },
          {
            title: texts.control,
            show: (one) => <span class="code">{one.controlNumber}</span>,
            csv: (one) => one.controlNumber,
          },
          { title: texts.at, show: (one) => dateTime(one.createdAt), csv: (one) => one.createdAt },
        ]}
      />
    </Page>
  );
}

/**
 * Shows the outcome of a received interchange; for a test, also its state. A duplicate, and an interchange without an
 * outcome, show only their state.
 */
function Outcome({ of: { status, outcome } }: { of: EdiSummary }) {
  if (outcome === undefined || status === 'DUPLICATE') return <EdiState of={status} />;
  return (
    <span class="inline">
      <EdiState of={outcome} />
      {status === 'TESTED' && <EdiState of={status} />}
    </span>
  );
}

/** Shows the first three numbers; an interchange may have hundreds. */
function Numbers({ of }: { of: readonly string[] }) {
  return (
    <span class="code">
      {of.slice(0, 3).join(', ')}
      {of.length > 3 && <span class="quiet"> {ediTexts().andMore(of.length - 3)}</span>}
    </span>
  );
}

function Filters({ query }: { query: URLSearchParams }) {
  const texts = ediTexts();
  const value = (name: string) => query.get(name) ?? '';
  return (
    <>
      <NumberField number={value('number')} />
      <SelectField
        label={texts.set}
        value={value('setId')}
        onInput={(setId) => setQuery({ setId })}
        options={['', ...SETS].map((one) => ({
          value: one,
          label: one === '' ? texts.any : word(texts.setNames, one),
        }))}
      />
      <SelectField
        label={texts.direction}
        value={value('direction')}
        onInput={(direction) => setQuery({ direction, status: '' })}
        options={['', ...DIRECTIONS].map((one) => ({
          value: one,
          label: one === '' ? texts.any : word(texts.directions, one),
        }))}
      />
    </>
  );
}

/** Pause after the last key that starts the search. */
const PAUSE_MS = 400;

/**
 * Searches for a number after Enter or a pause. The field keeps its own text, because a number can contain spaces. The
 * address would lose a space at the end of the text while the user types.
 */
function NumberField({ number }: { number: string }) {
  const [text, setText] = useState(number);
  const asked = useRef(number);
  const search = () => {
    asked.current = text.trim();
    setQuery({ number: asked.current });
  };
  useEffect(() => {
    if (number !== asked.current) setText(number);
    asked.current = number;
  }, [number]);
  useEffect(() => {
    if (text.trim() === asked.current) return undefined;
    const timer = setTimeout(search, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return <TextField label={ediTexts().number} type="search" value={text} onInput={setText} onEnter={search} />;
}

/** One filter chip for each state of the chosen direction. */
function Chips({ query }: { query: URLSearchParams }) {
  const texts = ediTexts();
  const chosen = query.get('status') ?? '';
  const direction = query.get('direction') ?? '';
  const states = [...(direction === 'OUT' ? [] : IN_STATES), ...(direction === 'IN' ? [] : OUT_STATES)];
  return (
    <fieldset class="chips">
      <legend class="visually-hidden">{texts.state}</legend>
      {['', ...states].map((state) => (
        <button
          type="button"
          class="chip"
          aria-pressed={state === chosen ? 'true' : 'false'}
          onClick={() => setQuery({ status: state })}
        >
          {state === '' ? texts.anyState : word(texts.states, state)}
        </button>
      ))}
    </fieldset>
  );
}
