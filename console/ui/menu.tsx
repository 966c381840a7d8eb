/**
 * The navigation: the screens that a user can open, their icons, and the button of the menu. The frame sets `screens`,
 * so that only the frame imports the table of all routes.
 */
import { computed, signal } from '@preact/signals';
import { type IconNode, Menu } from 'lucide';
import { useEffect } from 'preact/hooks';
import { may } from '../session.ts';
import { shellTexts as t } from '../texts/index.ts';
import { Icon } from './icon.tsx';
import { isOpenTo, type Route } from './route.ts';

/** All screens, in the order of the navigation. */
export const screens = signal<readonly Route[]>([]);
/** The screens that the user can open. */
export const openScreens = computed(() =>
  screens.value.filter((one) => isOpenTo(one, (permission) => may(permission))),
);
/** True if the navigation is open over a small screen. */
export const isMenuOpen = signal(false);

const navIcons = signal<Readonly<Record<string, IconNode>>>({});

/** The icon of a screen in the navigation. Its space is reserved until it is loaded. */
export function NavIcon({ of: { nav } }: { of: Route }) {
  const isMissing = nav?.icon === undefined;
  useEffect(() => {
    if (!isMissing || 'orders' in navIcons.peek()) return;
    import('./nav-icons.ts').then(
      ({ NAV_ICONS }) => {
        navIcons.value = NAV_ICONS;
      },
      // If the icons cannot be loaded, the words are sufficient.
      () => undefined,
    );
  }, [isMissing]);
  return <Icon of={nav?.icon ?? navIcons.value[nav?.name ?? ''] ?? []} />;
}

/** Opens and closes the navigation on screens that are too small to show it permanently. */
export function MenuButton() {
  return (
    <button
      type="button"
      class="button plain menu-button"
      aria-label={t().shell.menu}
      aria-expanded={isMenuOpen.value}
      onClick={() => {
        isMenuOpen.value = !isMenuOpen.value;
      }}
    >
      <Icon of={Menu} />
    </button>
  );
}
