/** What a screen is: a row of the table of screens, and what its component is given. */
import type { IconNode } from 'lucide';
import type { ComponentType } from 'preact';
import type { ScreenPattern } from '../help/screens.ts';
import type { ShellMessages, TextBundle } from '../texts/messages.ts';

/** What a screen is given. */
export interface ScreenProps {
  params: Record<string, string>;
  query: URLSearchParams;
}

type ScreenModule = { default: ComponentType<ScreenProps> };

/** A row of the table of screens. */
export interface Route {
  pattern: ScreenPattern;
  load: () => Promise<ScreenModule>;
  /** Any of these permissions opens it; none: everybody who is signed in. */
  permissions?: readonly string[];
  /** A permission that it needs besides, because it shows nothing without. */
  needs?: string;
  /** Its place in the navigation. Only those of the work have their icon here, the others in `ui/nav-icons.ts`. */
  nav?: { group: 'work' | 'lead' | 'office' | 'you'; name: keyof ShellMessages['nav']; icon?: IconNode };
  /** Its texts and density are those of the desk. */
  isOffice?: boolean;
  /** Needs no texts but those that are there from the start. */
  hasShellTexts?: boolean;
  /** Texts of its own, beside those of the floor and the office. */
  texts?: TextBundle;
  /** Works at a node, so one must be chosen. */
  needsPlace?: boolean;
  /** Shows the data of one client, so people of the operator must have chosen one. */
  needsClient?: boolean;
}

/** The texts that a screen needs besides those that are there from the start. */
export function textsOf({ hasShellTexts, isOffice, texts }: Route): TextBundle[] {
  return [
    ...(hasShellTexts === true ? [] : (['floor'] as const)),
    ...(isOffice === true ? (['office'] as const) : []),
    ...(texts === undefined ? [] : [texts]),
  ];
}

/** Whether who has these permissions may open a screen. */
export function isOpenTo({ permissions, needs }: Route, has: (permission: string) => boolean): boolean {
  return (permissions === undefined || permissions.some(has)) && (needs === undefined || has(needs));
}
