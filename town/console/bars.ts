/** Limits ("bars") of the console's measurements, and the screens that are measured. */

/** A measured bar of the console. */
export interface Bar {
  name: string;
  value: number;
  unit: string;
  bar: number;
  met: boolean;
  note: string;
}

/** A value that must not exceed its bar. */
export function atMost(bar: number, measure: Omit<Bar, 'bar' | 'met'>): Bar {
  const value = Number(measure.value.toPrecision(4));
  return { ...measure, value, bar, met: value <= bar };
}

/** The fields of the console's table of screens that measurements read. */
interface Screen {
  pattern: string;
  load: () => unknown;
  permissions?: readonly string[];
  isOffice?: boolean;
  /** Texts of its own. */
  texts?: string;
  hasShellTexts?: boolean;
}

/** The screens. They are imported by URL, because another TypeScript configuration compiles them for a browser. */
export async function screensOfConsole(): Promise<Screen[]> {
  return ((await import(new URL('../../console/routes.ts', import.meta.url).href)) as { ROUTES: Screen[] }).ROUTES;
}
