/** The types of a screen: its row in the table of screens, and the props of its component. */
import type { IconNode } from 'lucide';
import type { ComponentType } from 'preact';
import type { ScreenPattern } from '../help/screens.ts';
import type { ShellMessages, TextBundle } from '../texts/messages.ts';

/** The props of a screen. */
export interface ScreenProps {
  params: Record<string, string>;
  query: URLSearchParams;
}

type ScreenModule = { default: ComponentType<ScreenProps> };

/** A row of the table of screens. */
export interface Route {
  pattern: ScreenPattern;
  load: () => Promise<ScreenModule>;
  /** A user with any of these permissions can open the screen. Without this field, every signed-in user can open it. */
  permissions?: readonly string[];
  /** A further permission that the user must have, because the screen would be empty without it. */
  needs?: string;
  /**
   * Position in the navigation. Only screens of the floor work have their icon here; other icons are in
   * `ui/nav-icons.ts`.
   */
  nav?: { group: 'work' | 'lead' | 'office' | 'you'; name: keyof ShellMessages['nav']; icon?: IconNode };
  /** True if the screen uses the texts and the density of the desk. */
  isOffice?: boolean;
  /** True if the screen needs only the texts that load with the page. */
  hasShellTexts?: boolean;
  /** Texts of the screen in addition to the texts of the floor and the office. */
  texts?: TextBundle;
  /** True if the screen works at a node, so that a node must be chosen. */
  needsPlace?: boolean;
  /** True if the screen shows the data of one client, so that users of the operator must have chosen a client. */
  needsClient?: boolean;
}

/** Returns the texts that a screen needs in addition to those that load with the page. */
export function textsOf({ hasShellTexts, isOffice, texts }: Route): TextBundle[] {
  return [
    ...(hasShellTexts === true ? [] : (['floor'] as const)),
    ...(isOffice === true ? (['office'] as const) : []),
    ...(texts === undefined ? [] : [texts]),
  ];
}

/** Returns whether a user with these permissions can open a screen. */
export function isOpenTo({ permissions, needs }: Route, has: (permission: string) => boolean): boolean {
  return (permissions === undefined || permissions.some(has)) && (needs === undefined || has(needs));
}
