/** Every screen of the console: its path, who sees it, its file. The navigation, the router and the tests read this table. */
import type { IconNode } from 'lucide';
import { House, ScanLine, User } from 'lucide';
import type { ComponentType } from 'preact';
import type { Messages } from './texts/index.ts';

/** What a screen is given. */
export interface ScreenProps {
  params: Record<string, string>;
  query: URLSearchParams;
}

type ScreenModule = { default: ComponentType<ScreenProps> };

/** A screen. */
export interface Route {
  pattern: string;
  load: () => Promise<ScreenModule>;
  /** Any of these permissions opens it; none: everybody who is signed in. */
  permissions?: readonly string[];
  /** Its place in the navigation. */
  nav?: { group: 'work' | 'lead' | 'office' | 'you'; name: keyof Messages['nav']; icon: IconNode };
  /** Its texts and density are those of the desk. */
  isOffice?: boolean;
  /** Works at a node, so one must be chosen. */
  needsPlace?: boolean;
}

/** Screens that work at a node. */
const FLOOR = { needsPlace: true } as const;

export const ROUTES: readonly Route[] = [
  {
    pattern: '/',
    ...FLOOR,
    load: () => import('./floor/home.tsx'),
    nav: { group: 'work', name: 'home', icon: House },
  },
  // Picking: queue, pick, tickets, bring back.
  // Counter: hand over, check in, pack, deliver.
  // Lead and manager: exceptions, boards, items, find.
  // Office.
  // Everywhere: scanner, sync, help.
  {
    pattern: '/scanner',
    load: () => import('./scan/test-page.tsx'),
    nav: { group: 'you', name: 'scanner', icon: ScanLine },
  },
  { pattern: '/me', load: () => import('./floor/me.tsx'), nav: { group: 'you', name: 'me', icon: User } },
];
