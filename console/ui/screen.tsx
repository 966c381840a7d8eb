/** The frame of a screen on the floor: head with the way back, content, and the actions at the thumb. */
import { ChevronLeft } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { HelpButton } from '../help/open.tsx';
import { back } from '../router.ts';
import { shellTexts as t } from '../texts/index.ts';
import { Icon } from './icon.tsx';
import { whole } from './whole.tsx';

/** Keeps the place of the line below the title while it loads, so that nothing moves. */
export const NO_SUB = '\u00a0';

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
  /** The title comes with the data, so it keeps to one line. */
  isName?: boolean;
  sub?: ComponentChildren;
  /** At the right of the head. */
  tools?: ComponentChildren;
  /** Below the head, over the full width: progress, a band. */
  below?: ComponentChildren;
  /** Above the actions, over the full width: what the last scan did, and where the next one goes. */
  band?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
  isBleed?: boolean;
  isHome?: boolean;
  onBack?: () => void;
}) {
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
            <h1 class={isName === true ? 'name' : ''}>{whole(title)}</h1>
            {sub !== undefined && <div class="sub">{sub}</div>}
          </div>
          {tools}
          <HelpButton />
        </div>
        {below}
      </header>
      <main id="main" class={isBleed === true ? 'bleed' : ''}>
        {children}
      </main>
      {(actions !== undefined || band !== undefined) && <Bar band={band} actions={actions} />}
    </div>
  );
}

/** The bar at the thumb. What is scrolled to comes to rest above it. */
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
