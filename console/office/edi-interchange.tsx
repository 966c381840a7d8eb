/** One interchange: its content, its findings, the sent responses, and the possible actions. */
import { Check, Download, RotateCcw } from 'lucide';
import { call, SERVICE } from '../api.ts';
import { at, href } from '../router.ts';
import { may } from '../session.ts';
import { dateTime, ediTexts, number, t } from '../texts/index.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Facts } from '../ui/facts.tsx';
import { Icon } from '../ui/icon.tsx';
import { Show, useAction, useLoad } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { type EdiInterchange, ediPath, readInterchange } from './edi-data.ts';
import { interchangesOf } from './edi-segments.ts';
import { EdiState } from './edi-state.tsx';
import { InterchangeView, ResourceLink } from './edi-view.tsx';
import { Page } from './page.tsx';

export default function EdiInterchangeScreen({ params }: ScreenProps) {
  const texts = ediTexts();
  const id = params['interchangeId']!;
  const loaded = useLoad(`edi ${id}`, (signal) => readInterchange(id, signal));
  const { interchange, content } = loaded.data.value ?? {};
  return (
    <Page
      title={
        <>
          {texts.interchange} <span class="code">{interchange?.controlNumber ?? ''}</span>
        </>
      }
      sub={interchange?.partnerId}
      backTo={{ to: href('/office/edi'), label: t().nav.edi }}
      tools={
        interchange !== undefined && (
          <Tools interchange={interchange} hasContent={content !== undefined} onDone={() => void loaded.reload()} />
        )
      }
    >
      <Show of={loaded} lines={8}>
        {(one) => (
          <>
            <AboutInterchange of={one.interchange} />
            <InterchangeView
              interchange={one.interchange}
              segments={one.content === undefined ? undefined : interchangesOf(one.content)[0]?.segments}
            />
          </>
        )}
      </Show>
    </Page>
  );
}

/** Returns whether the service can process the interchange again. */
function isOpen({ direction, status, sets }: EdiInterchange): boolean {
  if (direction !== 'IN') return false;
  return ['QUARANTINED', 'REJECTED'].includes(status) || sets.some(({ outcome }) => outcome === 'REJECTED_RULES');
}

function Tools({
  interchange,
  hasContent,
  onDone,
}: {
  interchange: EdiInterchange;
  hasContent: boolean;
  onDone: () => void;
}) {
  const texts = ediTexts();
  const { interchangeId, direction, status } = interchange;
  const act = useAction(async (what: 'reprocess' | 'taken') => {
    await call('POST', ediPath('interchanges', interchangeId, what), { body: {} });
    onDone();
  });
  return (
    <>
      {hasContent && (
        <a
          class="button"
          href={`${SERVICE}${ediPath('interchanges', interchangeId, 'content')}`}
          download={`${interchange.controlNumber}.x12`}
        >
          <Icon of={Download} />
          <span>{texts.download}</span>
        </a>
      )}
      {may('orders.intake') && isOpen(interchange) && (
        <Button look="main" icon={RotateCcw} isBusy={act.isBusy} onClick={() => void act.run('reprocess')}>
          {texts.again}
        </Button>
      )}
      {may('orders.intake') && direction === 'OUT' && status === 'WAITING' && (
        <Button look="main" icon={Check} isBusy={act.isBusy} onClick={() => void act.run('taken')}>
          {texts.taken}
        </Button>
      )}
      {act.error !== undefined && <ErrorNotice error={act.error} />}
    </>
  );
}

function AboutInterchange({ of }: { of: EdiInterchange }) {
  const texts = ediTexts();
  const identity = ({ qualifier, id }: EdiInterchange['sender']) => `${qualifier} ${id}`;
  const rows: [string, string | undefined][] = [
    [texts.direction, texts.directions[of.direction]],
    [texts.sender, identity(of.sender)],
    [texts.receiver, identity(of.receiver)],
    [texts.usage, texts.usages[of.usage as 'P']],
    [texts.bytes, number(of.bytes)],
    [texts.at, dateTime(of.createdAt)],
    [texts.takenAt, of.takenAt && dateTime(of.takenAt)],
    [texts.dueAt, of.dueAt && dateTime(of.dueAt)],
    [texts.acknowledgedAt, of.acknowledgedAt && dateTime(of.acknowledgedAt)],
  ];
  return (
    <section class="card stack tight">
      <span class="inline">
        <EdiState of={of.status} />
        {of.sourceId !== undefined && (
          <LinkButton to={href(at('office', 'edi', 'interchange', of.sourceId))}>{texts.source}</LinkButton>
        )}
        {of.receipt !== undefined && <ResourceLink resource={of.receipt} />}
      </span>
      <Facts of={rows} />
    </section>
  );
}
