/** Notices to the user: a band over the full width, a notice in the content, a state as icon and word. */
import { CircleAlert, CircleCheck, Clock, type IconNode, Info, TriangleAlert } from 'lucide';
import type { ComponentChildren } from 'preact';
import { ApiError } from '../api.ts';
import { minutesTo, shellTexts as t, time } from '../texts/index.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { whole } from './whole.tsx';

export type Look = 'right' | 'risk' | 'wrong' | 'info';

const ICONS: Record<Look, IconNode> = { right: CircleCheck, risk: TriangleAlert, wrong: CircleAlert, info: Info };

/** A band over the full width with the result of the last scan or action. Screen readers announce it, too. */
export function Band({
  look,
  children,
  action,
}: {
  look: Look;
  children: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class={`band ${look}`} role={look === 'wrong' ? 'alert' : 'status'}>
      <Icon of={ICONS[look]} />
      <span class="grow">{children}</span>
      {action}
    </div>
  );
}

/** A box in the content that remains until its cause is resolved. */
export function Notice({
  look,
  title,
  isAlert = look === 'wrong',
  children,
}: {
  look: Look;
  title: ComponentChildren;
  /** True if an action did not succeed, or its result is not known. Screen readers announce it, as they do a success. */
  isAlert?: boolean;
  children?: ComponentChildren;
}) {
  return (
    <div class={`notice ${look}`} role={isAlert ? 'alert' : look === 'right' ? 'status' : undefined}>
      <Icon of={ICONS[look]} />
      <div class="grow">
        <p class="strong">{whole(title)}</p>
        {children}
      </div>
    </div>
  );
}

/** Shows an error, the next step, and the request id, with which the log can be searched. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const { what, detail, requestId, fields } = explain(error);
  const isFile = isFileError(error);
  return (
    <Notice look={error instanceof ApiError && error.status === 0 ? 'risk' : 'wrong'} title={what} isAlert>
      {detail !== '' && <p>{detail}</p>}
      {fields.length > 0 && (
        <ul class="stack tight">
          {fields.map((field) => (
            <li>{field}</li>
          ))}
        </ul>
      )}
      <RequestId id={requestId} />
      {(isFile || onRetry) && (
        <div>
          <Button onClick={() => (isFile ? loadAgain(onRetry) : onRetry!())}>
            {t().actions[isFile ? 'loadPage' : 'reload']}
          </Button>
        </div>
      )}
    </Notice>
  );
}

/**
 * Loads the page again, because Chrome tries to load a file only once for a page. Without the network, a reload would
 * lose the page, so `otherwise` is called. It is also called if `mayLoad` returns false.
 */
export function loadAgain(otherwise = () => {}, mayLoad = () => true): void {
  fetch('./').then(({ ok }) => (ok && mayLoad() ? location.reload() : otherwise()), otherwise);
}

/** Returns whether a file of the console could not be loaded. Each browser has this word in its message. */
export const isFileError = (error: unknown) => error instanceof TypeError && /module/.test(error.message);

/** Shows the request id, to search the log, with further details of the request. */
export function RequestId({ id, children }: { id: string | undefined; children?: ComponentChildren }) {
  if (id === undefined) return null;
  return (
    <p class="small quiet">
      {t().shell.requestId}: <span class="code request-id">{id}</span>
      {children}
    </p>
  );
}

/**
 * Returns the texts for an error. `what` is the text of its code. `fields` has the messages of field errors; without
 * field errors, `detail` is the description from the service. `unknown` is the text for an error without a code.
 */
export function explain(
  error: unknown,
  unknown = t().errors.unknown,
): { what: string; detail: string; requestId?: string; fields: string[] } {
  const { codes } = t().errors;
  if (!(error instanceof ApiError)) {
    if (isFileError(error)) return { what: codes['OFFLINE']!, detail: '', fields: [] };
    return { what: unknown, detail: error instanceof Error ? error.message : String(error), fields: [] };
  }
  const what = codes[error.code] ?? (error.status >= 500 ? codes['INTERNAL'] : undefined) ?? unknown;
  return {
    what,
    detail: error.errors.length > 0 ? '' : error.message,
    ...(error.requestId !== undefined && { requestId: error.requestId }),
    fields: error.errors.map(({ message }) => message),
  };
}

/** A state with color, icon and word. */
export function State({
  look,
  icon,
  children,
}: {
  look?: Look | undefined;
  icon?: IconNode;
  children: ComponentChildren;
}) {
  const shown = icon ?? (look === undefined ? undefined : ICONS[look]);
  return (
    <span class={`state ${look ?? ''}`}>
      {shown && <Icon of={shown} />}
      {children}
    </span>
  );
}

interface DueProps {
  at: string | undefined;
  nowMs: number;
  /** True if `at` is the latest time to begin the work. */
  isStart?: boolean;
  /** True if the whole work must be done by the due time, not only begun. */
  isEnd?: boolean;
}

/** The due time: amber in the 15 minutes before it, red once it has passed. */
export function Due({ at, nowMs, isStart, isEnd }: DueProps) {
  if (at === undefined) return null;
  const minutes = minutesTo(at, nowMs);
  const look: Look | undefined = minutes < 0 ? 'wrong' : minutes < 15 ? 'risk' : undefined;
  return (
    <State look={look} {...(look === undefined && { icon: Clock })}>
      {isEnd === true && minutes > 0 ? t().due.by(time(at)) : dueText(minutes, isStart)}
    </State>
  );
}

/**
 * Returns a text such as `due in 12 min` or `8 min late`. With `isStart`, the text is about the start: `start in 12
 * min` or `start 8 min late`.
 */
export function dueText(minutes: number, isStart = false): string {
  const { due } = t();
  if (minutes === 0) return due.now;
  const length = Math.abs(minutes);
  const text =
    length < 90
      ? due.minutes(length)
      : length < 2 * 24 * 60
        ? due.hours(Math.floor(length / 60), length % 60)
        : due.days(Math.round(length / 1440));
  if (minutes < 0) return isStart ? due.startLate(text) : due.late(text);
  return isStart ? due.startIn(text) : due.in(text);
}
