/** The measured screens of the console, and the limits ("bars") of the measurements. */

/** A measured value of the console with its limit. */
export interface Bar {
  name: string;
  value: number;
  unit: string;
  bar: number;
  met: boolean;
  note: string;
}

/** Returns a measurement that passes if its value does not exceed the bar. */
export function atMost(bar: number, measure: Omit<Bar, 'bar' | 'met'>): Bar {
  const value = Number(measure.value.toPrecision(4));
  return { ...measure, value, bar, met: value <= bar };
}

/** A row of the console's table of screens, with the fields that measurements read. */
interface Screen {
  pattern: string;
  load: () => unknown;
  permissions?: readonly string[];
  isOffice?: boolean;
  /** Name of the texts that only this screen uses. */
  texts?: string;
  hasShellTexts?: boolean;
}

/**
 * Returns the screens of the console. They are imported by URL, because another TypeScript configuration compiles them
 * for a browser.
 */
export async function screensOfConsole(): Promise<Screen[]> {
  return ((await import(new URL('../../console/routes.ts', import.meta.url).href)) as { ROUTES: Screen[] }).ROUTES;
}
