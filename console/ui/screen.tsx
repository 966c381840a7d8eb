/** The frame of a screen on the floor: a head with a back button, the content, and the actions at the bottom. */
import { ChevronLeft } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { HelpButton } from '../help/open.tsx';
import { back } from '../router.ts';
import { shellTexts as t } from '../texts/index.ts';
import { Icon } from './icon.tsx';
import { whole } from './whole.tsx';

/** Reserves the line below the title while its text loads, so that nothing moves. */
export const NO_SUB = '\u00a0';

let isFirst = true;

/**
 * Returns the ref of a heading. The text of the heading names the page in tabs and in the history. With `isName` it
 * does not, because the text can be the name of a person and browsers are shared. If a change of the screen has removed
 * the focused element, the heading gets the focus, so that a screen reader announces the new screen.
 */
export function useHeading(isName = false) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const { app } = t();
    document.title = isName ? app : `${heading.current!.textContent} – ${app}`;
    return () => {
      document.title = app;
    };
  });
  useEffect(() => {
    if (!isFirst && document.activeElement === document.body) heading.current!.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return heading;
}

export function Screen({
  title,
  isName,
  sub,
  tools,
  below,
  band,
  actions,
  children,
  isBleed,
  isHome,
  onBack = back,
}: {
  title: ComponentChildren;
  /**
   * True if the title is a name or number that arrives with the data. It stays on one line, so that the content below
   * does not move. It does not appear in tabs and in the history.
   */
  isName?: boolean;
  sub?: ComponentChildren;
  /** Content at the right of the head. */
  tools?: ComponentChildren;
  /** Content below the head, over the full width: progress, a band. */
  below?: ComponentChildren;
  /**
   * Content above the actions, over the full width: the scan target, and the result of the last scan with the tote for
   * the scanned unit.
   */
  band?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
  isBleed?: boolean;
  isHome?: boolean;
  onBack?: () => void;
}) {
  const heading = useHeading(isName || isHome);
  return (
    <div class="screen">
      <header>
        <div class="screen-head">
          {isHome !== true && (
            <button type="button" class="button plain" onClick={onBack} aria-label={t().actions.back}>
              <Icon of={ChevronLeft} />
            </button>
          )}
          <div class="titles">
            <h1 ref={heading} tabIndex={-1} class={isName === true ? 'name' : ''}>
              {whole(title)}
            </h1>
            {sub !== undefined && <div class="sub">{sub}</div>}
          </div>
          {tools}
          <HelpButton />
        </div>
        {below}
      </header>
      <main id="main" class={isBleed === true ? 'bleed' : ''} tabIndex={-1}>
        {children}
      </main>
      {(actions !== undefined || band !== undefined) && <Bar band={band} actions={actions} />}
    </div>
  );
}

/** The bottom bar. Content that is scrolled into view stops above it. */
function Bar({ band, actions }: { band: ComponentChildren; actions: ComponentChildren }) {
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const own = bar.current!;
    const { style } = document.documentElement;
    const watch = new ResizeObserver(() => style.setProperty('--bar', `${own.offsetHeight}px`));
    watch.observe(own);
    return () => {
      watch.disconnect();
      style.removeProperty('--bar');
    };
  }, []);
  return (
    <footer ref={bar}>
      {band}
      {actions !== undefined && <div class="actions">{actions}</div>}
    </footer>
  );
}
