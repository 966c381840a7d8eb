/** What each language says in the help of a screen. */
import type { KeyWord, NamedKey, ScreenPattern } from '../help/screens.ts';

/** The help of one screen. */
interface HelpOfScreen {
  /** The screen, as the navigation or its head calls it. */
  name: string;
  /** What it is for, and what is done here. */
  what: string;
  /** What can be scanned here. */
  scan: string;
  /** What works without network. */
  offline: string;
}

export interface HelpMessages {
  what: string;
  scan: string;
  keys: string;
  offline: string;
  guide: string;
  keyNames: Readonly<Record<NamedKey, string>>;
  keyWords: Readonly<Record<KeyWord, string>>;
  /** Total over the screens, so that the compiler finds one without help. */
  screens: Readonly<Record<ScreenPattern, HelpOfScreen>>;
}
