/** A readable interchange: the outline, one line per segment, and each finding below its segment. */
import { useEffect, useId, useState } from 'preact/hooks';
import { call } from '../api.ts';
import { at, go } from '../router.ts';
import { may, ownClient } from '../session.ts';
import { ediTexts, language, number, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { useAction } from '../ui/load.tsx';
import { Notice, State } from '../ui/notice.tsx';
import { EDI_LOOKS, type EdiFinding, type EdiInterchange, type EdiSet } from './edi-data.ts';
import { type Segment, segmentAt, treeOf } from './edi-segments.ts';
import { EdiState } from './edi-state.tsx';
import { findingWords, loadFindingWords } from './finding-words.ts';

/** Number of segments per page. A file may have 100,000 segments. */
const PAGE = 400;

/** A finding with the index of its segment. */
type Placed = EdiFinding & { at: number };

/** Returns all findings in the order of the file. */
function findingsOf(interchange: EdiInterchange, segments: readonly Segment[]): Placed[] {
  return [interchange, ...interchange.sets]
    .flatMap(({ findings }) => findings)
    .map((finding) => ({ ...finding, at: segmentAt(segments, finding.offset) }))
    .sort((one, other) => one.offset - other.offset);
}

export function InterchangeView({
  interchange,
  segments,
}: {
  interchange: EdiInterchange;
  segments: readonly Segment[] | undefined;
}) {
  const texts = ediTexts();
  const findings = findingsOf(interchange, segments ?? []);
  const [shown, setShown] = useState(0);
  useEffect(() => void loadFindingWords(), [language.value]);
  // A file may have several interchanges. Each has its own view.
  const id = useId();
  const show = (index: number) => {
    setShown(index);
    requestAnimationFrame(() => document.getElementById(`${id}-${index}`)?.focus());
  };
  return (
    <>
      <Verdict interchange={interchange} findings={findings} />
      {interchange.sets.length > 0 && <Sets of={interchange.sets} />}
      {findings.length > 0 && <FindingList of={findings} onShow={segments && show} />}
      {segments !== undefined && segments.length > 0 && (
        <section class="edi-file" aria-label={texts.file}>
          <Outline segments={segments} findings={findings} onShow={show} />
          <Segments id={id} segments={segments} findings={findings} shown={shown} />
        </section>
      )}
      {interchange.answers.length > 0 && <Sent of={interchange.answers} />}
    </>
  );
}

/** Shows the result of an interchange in one sentence. */
function Verdict({ interchange, findings }: { interchange: EdiInterchange; findings: readonly Placed[] }) {
  const texts = ediTexts();
  const errors = findings.filter(({ level }) => level === 'ERROR').length;
  const { direction, status } = interchange;
  // The service has no findings about an interchange that it wrote for the partner.
  if (direction === 'OUT') return <Notice look={EDI_LOOKS[status] ?? 'info'} title={word(texts.verdicts, status)} />;
  const look = errors > 0 ? 'wrong' : findings.length > 0 ? 'risk' : 'right';
  return (
    <Notice look={look} title={word(texts.verdicts, status)}>
      <p>{texts.found(errors, findings.length - errors)}</p>
    </Notice>
  );
}

/**
 * Returns the outcome to show. An ignored set shows UNKNOWN_SET if its kind is not agreed with the partner; every other
 * ignored set is an acknowledgment.
 */
function shownOutcome(outcome: string, findings: EdiSet['findings']): string {
  return findings.some(({ code }) => code === 'UNKNOWN_SET') ? 'UNKNOWN_SET' : outcome;
}

function Sets({ of }: { of: readonly EdiSet[] }) {
  const texts = ediTexts();
  return (
    <section class="stack tight edi-rows" aria-label={texts.sets}>
      <h2>{texts.sets}</h2>
      <ul class="list">
        {of.slice(0, PAGE).map((set) => (
          <li class="row">
            <span class="grow">
              <span class="strong">{word(texts.setNames, set.setId)}</span>{' '}
              {set.number !== undefined && <span class="code">{set.number}</span>}
              <span class="small quiet"> {texts.groupAndSet(set.group, set.set)}</span>
            </span>
            {set.outcome !== undefined && <EdiState of={shownOutcome(set.outcome, set.findings)} />}
            {set.resources.map((resource) => (
              <ResourceLink resource={resource} />
            ))}
          </li>
        ))}
      </ul>
      <More of={of} />
    </section>
  );
}

/** Shows the number of rows that a list leaves out. */
function More({ of }: { of: readonly unknown[] }) {
  if (of.length <= PAGE) return null;
  return <p class="small quiet">{ediTexts().andMore(of.length - PAGE)}</p>;
}

/**
 * A link to a shipment. The screen of the shipment belongs to a node, which the interchange does not name, so a click
 * first reads the node.
 */
export function ResourceLink({ resource: { type, number: own, sellerId } }: { resource: EdiSet['resources'][number] }) {
  const open = useAction(async () => {
    const path = `/operator/v1/clients/${encodeURIComponent(ownClient())}/inbound/${type}/${encodeURIComponent(own)}`;
    const { nodeId } = await call<{ nodeId: string }>('GET', `${path}?sellerId=${encodeURIComponent(sellerId)}`);
    go(at('office', 'inbound', type, own), { sellerId, nodeId });
  });
  const name = (
    <>
      {type} <span class="code">{own}</span>
    </>
  );
  if (!may('receive', 'installation')) return <span class="inline">{name}</span>;
  return (
    <span class="inline">
      <Button isBusy={open.isBusy} onClick={() => void open.run()}>
        {name}
      </Button>
      {open.error !== undefined && <State look="wrong">{ediTexts().notThere}</State>}
    </span>
  );
}

function FindingList({ of, onShow }: { of: readonly Placed[]; onShow: ((at: number) => void) | undefined }) {
  const texts = ediTexts();
  return (
    <section class="stack tight edi-rows" aria-label={texts.findings}>
      <h2>{texts.findings}</h2>
      <ul class="list">
        {of.slice(0, PAGE).map((finding) => (
          <li class="row">
            <span class="grow">
              <Finding of={finding} />
            </span>
            {onShow !== undefined && <Button onClick={() => onShow(finding.at)}>{texts.showSegment}</Button>}
          </li>
        ))}
      </ul>
      <More of={of} />
    </section>
  );
}

/** Shows a finding: the error, its place, and the fix. */
function Finding({ of }: { of: EdiFinding }) {
  const texts = ediTexts();
  const place = of.segment === undefined ? '' : texts.place(of.segment, of.position, of.element);
  const own = findingWords.value[of.code];
  const [what, fix] = own ?? [of.message, of.cure];
  return (
    <>
      <State look={of.level === 'ERROR' ? 'wrong' : 'risk'}>{word(texts.levels, of.level)}</State>{' '}
      <span class="strong">{what}</span>
      <span class="small quiet">
        {' '}
        {fix} <span class="code">{[place, of.code].filter((one) => one !== '').join(' · ')}</span>
      </span>
      {own !== undefined && <Words of={of} />}
    </>
  );
}

/** Shows the English words as well, because they contain the values. The partner gets the same words. */
function Words({ of: { message, cure } }: { of: EdiFinding }) {
  return (
    <span class="small quiet edi-words">
      {ediTexts().inEnglish}: <q lang="en">{`${message}. ${cure}`}</q>
    </span>
  );
}

function Outline({
  segments,
  findings,
  onShow,
}: {
  segments: readonly Segment[];
  findings: readonly Placed[];
  onShow: (at: number) => void;
}) {
  const texts = ediTexts();
  const rows = treeOf(segments);
  const isWrong = (index: number) => {
    const end = rows[index + 1]?.at ?? segments.length;
    return findings.some(({ at: place, level }) => level === 'ERROR' && place >= rows[index]!.at && place < end);
  };
  return (
    <nav class="edi-outline" aria-label={texts.outline}>
      {rows.slice(0, PAGE).map((row, index) => (
        <button
          type="button"
          class={`edi-node${isWrong(index) ? ' wrong' : ''}`}
          style={`--depth: ${row.depth}`}
          onClick={() => onShow(row.at)}
        >
          <span>{word(texts.treeLevels, row.level)}</span> <span class="code">{row.name}</span>
          {isWrong(index) && <span class="visually-hidden"> {texts.levels.ERROR}</span>}
        </button>
      ))}
      {rows.length > PAGE && <p class="small quiet">{texts.andMore(rows.length - PAGE)}</p>}
    </nav>
  );
}

/** Lists the segments, beginning with the page that contains `shown`. */
function Segments({
  id,
  segments,
  findings,
  shown,
}: {
  /** Prefix for the ids of the rows. */
  id: string;
  segments: readonly Segment[];
  findings: readonly Placed[];
  shown: number;
}) {
  const texts = ediTexts();
  const [pages, setPages] = useState(1);
  const first = Math.floor(shown / PAGE) * PAGE;
  const end = Math.min(segments.length, first + pages * PAGE);
  const byPlace = Map.groupBy(findings, ({ at: place }) => place);
  return (
    <div class="edi-segments" role="region" aria-label={texts.segments} tabIndex={0}>
      {first > 0 && <p class="small quiet">{texts.before(number(first))}</p>}
      <ol start={first + 1}>
        {segments.slice(first, end).map((segment, index) => (
          <SegmentLine id={`${id}-${first + index}`} segment={segment} findings={byPlace.get(first + index) ?? []} />
        ))}
      </ol>
      {end < segments.length && (
        <Button onClick={() => setPages(pages + 1)}>{texts.moreSegments(number(segments.length - end))}</Button>
      )}
    </div>
  );
}

function SegmentLine({ id, segment, findings }: { id: string; segment: Segment; findings: readonly Placed[] }) {
  const isWrong = findings.some(({ level }) => level === 'ERROR');
  const look = isWrong ? 'wrong' : findings.length > 0 ? 'risk' : '';
  return (
    <li id={id} class={look} tabIndex={-1}>
      <code>
        <Marked segment={segment} findings={findings} />
      </code>
      {findings.map((finding) => (
        <p class="edi-margin">
          <Finding of={finding} />
        </p>
      ))}
    </li>
  );
}

/** Shows the text of the segment and marks the wrong elements. */
function Marked({ segment, findings }: { segment: Segment; findings: readonly Placed[] }) {
  const separator = segment.text[segment.id.length] ?? '*';
  const marked = new Set(findings.flatMap(({ element }) => (element === undefined ? [] : [element])));
  return (
    <>
      {segment.elements.map((element, index) => (
        <>
          {index > 0 && <span class="quiet">{separator}</span>}
          {index === 0 ? <b>{element}</b> : marked.has(index) ? <mark>{element === '' ? ' ' : element}</mark> : element}
        </>
      ))}
    </>
  );
}

/** Lists the responses to the partner: TA1, 997, 824. */
function Sent({ of }: { of: EdiInterchange['answers'] }) {
  const texts = ediTexts();
  return (
    <section class="stack tight" aria-label={texts.sent}>
      <h2>{texts.sent}</h2>
      {of.map((one) => (
        <details class="card">
          <summary>
            <span class="strong">{word(texts.setNames, one.setId)}</span> <span class="code">{one.controlNumber}</span>{' '}
            <EdiState of={one.status} />
          </summary>
          <pre class="json">{one.content}</pre>
        </details>
      ))}
    </section>
  );
}
