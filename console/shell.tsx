/** The frame around every screen: navigation at the desk, the screen, and notices for all screens. */
import { computed } from '@preact/signals';
import { GraduationCap } from 'lucide';
import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { closeHelp, isHelpOpen } from './help/open.tsx';
import { go, href, match, route } from './router.ts';
import { CHOOSE_PLACE, ROUTES, SIGN_IN } from './routes.ts';
import { report } from './scan/queue.ts';
import { clientId, isLocked, may, place, session } from './session.ts';
import { loadTexts, shellTexts as t } from './texts/index.ts';
import { Button } from './ui/button.tsx';
import { Icon } from './ui/icon.tsx';
import { lazy } from './ui/lazy.tsx';
import { Empty, Skeleton } from './ui/load.tsx';
import { isMenuOpen, NavIcon, openScreens, screens } from './ui/menu.tsx';
import { ErrorNotice } from './ui/notice.tsx';
import { type Route, type ScreenProps, textsOf } from './ui/route.ts';
import { Screen } from './ui/screen.tsx';

const Help = lazy(async () => (await import('./help/help.tsx')).Help);
const LockScreen = lazy(async () => (await import('./floor/lock-screen.tsx')).LockScreen);
const ClientSwitch = lazy(async () => (await import('./floor/client-switch.tsx')).ClientSwitch);

screens.value = ROUTES;

const found = computed(() => {
  for (const one of ROUTES) {
    const params = match(one.pattern, route.value.path);
    if (params !== undefined) return { route: one, params };
  }
  return undefined;
});

export function App() {
  const who = session.value;
  if (who === undefined) return <Skeleton lines={6} />;
  if (who === null || who.mustChangePin === true) return <Loaded key={SIGN_IN.pattern} route={SIGN_IN} params={{}} />;
  const { clientId = '', userId } = who.user;
  return (
    <>
      {isLocked.value && (
        <LockScreen>
          <Loaded route={SIGN_IN} params={{}} />
        </LockScreen>
      )}
      <div class="frame" key={JSON.stringify([clientId, userId])} hidden={isLocked.value} inert={isLocked.value}>
        <a
          class="skip"
          href={href(route.value.path)}
          onClick={(event) => {
            event.preventDefault();
            document.getElementById('main')?.focus();
          }}
        >
          {t().shell.skip}
        </a>
        {who.training === true && (
          <div class="training" role="status">
            <Icon of={GraduationCap} />
            {t().shell.training}
          </div>
        )}
        <div class={isMenuOpen.value ? 'desk-frame menu-open' : 'desk-frame'}>
          <Navigation />
          <div>
            <Content />
          </div>
        </div>
      </div>
    </>
  );
}

const GROUPS = ['work', 'lead', 'office', 'you'] as const;

function Navigation() {
  const { nav } = t();
  const here = found.value?.route;
  useEffect(() => {
    isMenuOpen.value = false;
  }, [route.value.path]);
  return (
    <nav
      class="desk"
      aria-label={t().shell.menu}
      onKeyDown={(event) => {
        if (event.key === 'Escape') isMenuOpen.value = false;
      }}
    >
      {session.value?.user.clientId === undefined && (
        <div class="client-switch">
          <ClientSwitch
            onDone={() => {
              isMenuOpen.value = false;
            }}
          />
        </div>
      )}
      {GROUPS.map((group) => {
        const shown = openScreens.value.filter((one) => one.nav?.group === group);
        if (shown.length === 0) return null;
        return (
          <div class="group">
            <h2>{group === 'you' ? session.value?.user.name : nav[group]}</h2>
            {shown.map((one) => (
              <a href={href(one.pattern)} aria-current={one === here ? 'page' : undefined}>
                <NavIcon of={one} />
                {nav[one.nav!.name]}
              </a>
            ))}
          </div>
        );
      })}
    </nav>
  );
}

function Content() {
  const at = found.value;
  if (at === undefined || !openScreens.value.includes(at.route)) {
    const { shell, nav } = t();
    return (
      <Screen title={t().app} onBack={() => go('/')}>
        <Empty
          title={at === undefined ? shell.notFound : shell.noRight}
          action={<Button onClick={() => go('/')}>{nav.home}</Button>}
        >
          {shell.notFoundHint}
        </Empty>
      </Screen>
    );
  }
  const lacksClient = at.route.needsClient === true && clientId.value === undefined;
  // Users without work in a store need no node on the home screen.
  const isOffice = at.route.pattern === '/' && !may('fulfillment.read', 'checkin.read');
  if (lacksClient || (at.route.needsPlace === true && place.value === undefined && !isOffice))
    return <Loaded key={CHOOSE_PLACE.pattern} route={CHOOSE_PLACE} params={{}} />;
  return <Loaded key={at.route.pattern} route={at.route} params={at.params} />;
}

/** Loads the file and the texts of a screen, then shows it. Shows the error if the screen cannot be loaded or fails. */
function Loaded({ route: one, params }: { route: Route; params: Record<string, string> }) {
  const [Shown, setShown] = useState<ComponentType<ScreenProps>>();
  const [loadError, setLoadError] = useState<unknown>();
  // The frame shows the error; the log of the browser needs its stack, too.
  const [screenError, resetScreen] = useErrorBoundary(report) as [unknown, () => void];
  // A screen must not keep its state or its error for another client, node or order.
  const key = JSON.stringify([params, clientId.value, one.needsPlace && place.value]);
  const load = async () => {
    setLoadError(undefined);
    resetScreen();
    try {
      const [{ default: screen }] = await Promise.all([one.load(), loadTexts(...textsOf(one))]);
      setShown(() => screen);
    } catch (error) {
      setLoadError(error);
    }
  };
  useEffect(() => {
    void load();
  }, [key]);
  useEffect(() => closeHelp, [isLocked.value]);
  const error = loadError ?? screenError;
  return (
    <>
      {isHelpOpen.value && (!isLocked.value || one === SIGN_IN) && <Help screen={one.pattern} onClose={closeHelp} />}
      {error !== undefined ? (
        <Screen title={t().app} onBack={() => go('/')}>
          <ErrorNotice error={error} onRetry={() => void load()} />
        </Screen>
      ) : Shown === undefined ? (
        <Skeleton lines={6} />
      ) : (
        <Shown key={key} params={params} query={route.value.query} />
      )}
    </>
  );
}
