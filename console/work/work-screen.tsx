/**
 * The common screen of all jobs. A job is a value that is built for each state of the work; this component draws it.
 * Jobs get from this file the scan line, the band of the last scan, the network notice, other notices, the place of the
 * goods and the main button.
 */
import { CircleCheck, type IconNode, MapPin } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Conflict } from '../offline/database.ts';
import { online } from '../preferences.ts';
import { href } from '../router.ts';
import type { ScanHandler } from '../scan/queue.ts';
import { ScanTarget } from '../scan/target.tsx';
import { shellTexts, t, time } from '../texts/index.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { type Loaded, Show, Skeleton } from '../ui/load.tsx';
import { ErrorNotice, Notice, RequestId, State } from '../ui/notice.tsx';
import { Screen } from '../ui/screen.tsx';
import { whole } from '../ui/whole.tsx';
import type { Lost } from './counter-lost.ts';
import { type Said, SaidBand } from './said.tsx';
import { SyncState } from './sync-state.tsx';
import { useScan } from './use-scan.ts';
import { useWakeLock } from './wake-lock.ts';

/** The head of a job, in each of its states. */
export interface JobHead {
  title: ComponentChildren;
  /**
   * True if the title is a name or number that arrives with the data. It stays on one line, so that the content below
   * does not move.
   */
  isName?: boolean;
  sub?: ComponentChildren;
  onBack: () => void;
}

/** The main button. */
export interface MainAction {
  label: ComponentChildren;
  icon?: IconNode;
  shortcut?: string;
  isBusy?: boolean;
  /** The reason why the button is blocked. */
  blocked?: string | undefined;
  run: () => unknown;
}

/** A job in progress. */
export interface Job extends JobHead {
  /** The progress, below the head. */
  progress?: ComponentChildren;
  /** Label of the scan line; undefined if no code is expected now. */
  scanLabel?: string | undefined;
  /** True if the scan line is at the bottom, above the band. */
  isScanAtThumb?: boolean;
  onCode: ScanHandler;
  /** Returns whether the job expects a code. */
  knows?: (text: string) => boolean;
  said: Said | undefined;
  /** A notice while the network is missing. */
  needsNetwork?: { title: string; hint?: string };
  /** Time of the shown data. Present only if the network is missing. */
  asOf?: number | undefined;
  conflict?: Conflict | undefined;
  lost?: Lost;
  error?: unknown;
  /** The place of the goods. */
  lies?: { place: string; label?: string; more?: ComponentChildren } | undefined;
  main?: MainAction | undefined;
  /** Further actions, next to the main button. */
  others?: ComponentChildren;
}

export function WorkScreen({ job, children }: { job: Job; children?: ComponentChildren }) {
  const { main, conflict, lies, scanLabel, needsNetwork, asOf, error } = job;
  useWakeLock();
  useScan(job.onCode, job.knows);
  const scan = scanLabel !== undefined && <ScanTarget {...(scanLabel !== '' && { label: scanLabel })} />;
  return (
    <JobScreen
      head={job}
      below={job.progress}
      band={
        <>
          {job.isScanAtThumb === true && scan !== false && <div class="work-scan">{scan}</div>}
          <SaidBand said={job.said} />
        </>
      }
      actions={
        (main !== undefined || job.others !== undefined) && (
          <>
            {job.others}
            {main !== undefined && <MainButton of={main} isAlone={job.others === undefined} />}
          </>
        )
      }
    >
      {needsNetwork !== undefined && !online.value && (
        <Notice look="risk" title={needsNetwork.title}>
          {needsNetwork.hint !== undefined && <p>{needsNetwork.hint}</p>}
        </Notice>
      )}
      {lies !== undefined && <Lies {...lies} />}
      {job.isScanAtThumb !== true && scan}
      {asOf !== undefined && <State look="risk">{shellTexts().shell.staleOffline(time(asOf))}</State>}
      {conflict !== undefined && <Stopped of={conflict} />}
      <LostNotice lost={job.lost} />
      {error !== undefined && <ErrorNotice error={error} />}
      {children}
    </JobScreen>
  );
}

/** The frame of a job in every state: head, state of the outbox, actions. */
export function JobScreen({
  head: { title, isName = false, sub, onBack },
  actions,
  below,
  band,
  children,
}: {
  head: JobHead;
  actions?: ComponentChildren;
  below?: ComponentChildren;
  band?: ComponentChildren;
  children: ComponentChildren;
}) {
  const hasActions = actions !== undefined && actions !== false;
  return (
    <Screen
      title={title}
      isName={isName}
      sub={sub}
      onBack={onBack}
      tools={<SyncState />}
      below={below}
      {...(band !== undefined && { band })}
      {...(hasActions && { actions })}
    >
      {children}
    </Screen>
  );
}

/** A job that is loading. */
export function JobLoading<T>({
  head,
  of,
  ended,
}: {
  head: JobHead;
  of: Loaded<T>;
  ended?: (data: T) => ComponentChildren;
}) {
  return (
    <JobScreen head={head}>
      <Show of={of} lines={5}>
        {(data) => ended?.(data) ?? null}
      </Show>
    </JobScreen>
  );
}

/** A job on this device that is loading. */
export function JobWaiting({ head, error, reload }: { head: JobHead; error: unknown; reload: () => Promise<void> }) {
  const again = () => void reload();
  return (
    <JobScreen head={head}>
      {error === undefined ? <Skeleton lines={5} onRetry={again} /> : <ErrorNotice error={error} onRetry={again} />}
    </JobScreen>
  );
}

/** A finished job: its result, and the next actions. */
export function JobDone({
  head,
  icon = CircleCheck,
  isRisk = false,
  title,
  hint,
  actions,
  children,
}: {
  head: JobHead;
  icon?: IconNode;
  isRisk?: boolean;
  title: string;
  hint?: ComponentChildren;
  actions: ComponentChildren;
  children?: ComponentChildren;
}) {
  // The result replaces a screen that may be scrolled.
  useLayoutEffect(() => scrollTo({ top: 0 }), []);
  return (
    <JobScreen head={head} actions={actions}>
      <DonePanel icon={icon} isRisk={isRisk} title={title} hint={hint} />
      {children}
    </JobScreen>
  );
}

export function DonePanel({
  icon = CircleCheck,
  isRisk = false,
  title,
  hint,
}: {
  icon?: IconNode;
  isRisk?: boolean;
  title: string;
  hint?: ComponentChildren;
}) {
  return (
    <section class={isRisk ? 'counter-done risk' : 'counter-done'} role="status">
      <Icon of={icon} />
      <div class="stack tight">
        <h2 class="big">{whole(title)}</h2>
        {hint !== undefined && hint !== false && <p>{hint}</p>}
      </div>
    </section>
  );
}

function MainButton({ of, isAlone }: { of: MainAction; isAlone: boolean }) {
  const { label, icon, shortcut, isBusy = false, blocked, run } = of;
  return (
    <Button
      look="main"
      isWide={isAlone}
      icon={icon}
      shortcut={shortcut}
      isBusy={isBusy}
      blocked={isBusy ? undefined : blocked}
      onClick={() => void run()}
    >
      {label}
    </Button>
  );
}

function Lies({ place, label, more }: NonNullable<Job['lies']>) {
  return (
    <section class="counter-lies">
      <span class="counter-lies-icon">
        <Icon of={MapPin} />
      </span>
      <span class="grow">
        <span class="quiet">{label ?? t().counter.lies}</span>
        <span class="huge code">{place}</span>
      </span>
      {more}
    </section>
  );
}

/**
 * Shows that the service rejected work of this job. Names the present user of the work, or the reason, and links to the
 * decision.
 */
function Stopped({ of: { holder, description, requestId } }: { of: Conflict }) {
  const { pick } = t();
  return (
    <Notice look="wrong" title={holder === undefined ? pick.stopped : pick.stoppedTakenOver(holder)}>
      {holder === undefined && <p>{description}</p>}
      <p>{pick.stoppedHint}</p>
      <RequestId id={requestId} />
      <div>
        <LinkButton to={href('/sync')}>{pick.settle}</LinkButton>
      </div>
    </Notice>
  );
}

function LostNotice({ lost }: { lost: Lost }) {
  const { counter } = t();
  const box = useRef<HTMLDivElement>(null);
  // The notice scrolls into view, because the button is at the end of the screen. The user must see whether to keep the
  // goods.
  useEffect(() => box.current?.scrollIntoView({ block: 'center' }), [lost]);
  if (lost === undefined) return null;
  const isAsking = lost === 'asking';
  return (
    <div ref={box}>
      <Notice look="risk" title={isAsking ? counter.lost : counter.notDone} isAlert>
        <p>{isAsking ? counter.lostHint : counter.notDoneHint}</p>
        {isAsking && <p aria-busy="true">{counter.lostAsking} …</p>}
      </Notice>
    </div>
  );
}
