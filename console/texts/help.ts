/** The help texts that each language must have. */
import type { KeyWord, NamedKey, ScreenPattern } from '../help/screens.ts';

/** The help of one screen. */
interface HelpOfScreen {
  /** Name of the screen, as in the navigation or in its head. */
  name: string;
  /** The purpose of the screen, and the work on it. */
  what: string;
  /** The codes that can be scanned on the screen. */
  scan: string;
  /** The work that is possible without the network. */
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
  /** An entry for every screen, so that the compiler finds a screen without help. */
  screens: Readonly<Record<ScreenPattern, HelpOfScreen>>;
}
