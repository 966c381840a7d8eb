/**
 * The console in a real browser against the real service: `openConsole()` serves the small town on loopback, `page()`
 * opens a page. A test fails on a violation of the Content-Security-Policy, a console error or a request to another
 * origin, even if the test does not check for these errors. `watch` and the option `allow` define the exceptions.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import axeCore from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Role } from '../../../src/platform/roles.ts';
import { launchOptions } from '../../../town/console/chromium.ts';
import { type CuttingProxy, openProxy } from '../../../town/console/proxy.ts';
import { freePort } from '../../../town/free-port.ts';
import { type OpenTown, type OpenTownOptions, openTown } from '../../support/town.ts';

let browser: Promise<Browser> | undefined;

/** Time limit for tests that hang. It is so long that no test depends on the speed of the machine. */
const PATIENCE_MS = 120_000;

/**
 * Factor by which scripts of pages run slower, with an additional 100 ms per response. It reveals races that a fast
 * machine hides. Default: 1.
 */
const SLOWER = Number(process.env['TEST_SLOW_BROWSER'] ?? 1);

/** A browser with a context that the tests use one after the other. */
interface Warm {
  browser: Promise<ReusingBrowser>;
  isFree: boolean;
}

/**
 * The methods that Playwright's own runner uses to reuse a context. They remove what a test stored, set or added,
 * except the offline state.
 */
interface ReusingBrowser extends Browser {
  _newContextForReuse: (options: BrowserContextOptions) => Promise<BrowserContext>;
  _disconnectFromReusedContext: (reason: string) => Promise<void>;
}

/** One context for handhelds and one for desktops: a page of an existing context opens in a third of the time. */
const warm: Record<'touch' | 'desk', Warm | undefined> = { touch: undefined, desk: undefined };

/** Returns a context as `newContext` does, and a function that releases the context for the next test. */
async function borrowContext(options: BrowserContextOptions): Promise<[BrowserContext, giveBack: () => Promise<void>]> {
  const kind = options.hasTouch === true ? 'touch' : 'desk';
  warm[kind] ??= { browser: chromium.launch(launchOptions()) as Promise<ReusingBrowser>, isFree: true };
  const one = warm[kind];
  if (!one.isFree || SLOWER > 1) {
    const context = await newContext(options);
    return [context, () => context.close()];
  }
  one.isFree = false;
  const browser = await one.browser;
  const context = await browser._newContextForReuse(options);
  context.setDefaultTimeout(PATIENCE_MS);
  const giveBack = async () => {
    const [first, ...others] = context.pages();
    await Promise.all(others.map((page) => page.close()));
    // Removes the routes of the test: the page cannot leave while a request waits in one of them.
    await first?.unrouteAll({ behavior: 'ignoreErrors' });
    // Scripts that a test added also run in the blank page. They fail there, because the blank page has no storage, and
    // without listeners their errors do not fail the test.
    context.removeAllListeners();
    await first?.goto('about:blank').catch(() => undefined);
    // Playwright does not reset the offline state.
    await context.setOffline(false);
    await browser._disconnectFromReusedContext('the test has ended');
    one.isFree = true;
  };
  return [context, giveBack];
}

/** Opens a new device in the browser of the test process. The browser ends with the process. */
export async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  browser ??= chromium.launch(launchOptions());
  const context = await (await browser).newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  if (SLOWER > 1) context.on('page', (page) => void slowDown(page));
  return context;
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const unlimited = { downloadThroughput: -1, uploadThroughput: -1 };
  await session.send('Network.emulateNetworkConditions', { offline: false, latency: 100, ...unlimited });
}

/** Sizes of the pages that tests open. */
export const VIEWPORTS = {
  phone: { width: 360, height: 740 },
  narrow: { width: 320, height: 568 },
  tablet: { width: 768, height: 1024 },
  desk: { width: 1440, height: 900 },
} as const;

export interface PageOptions {
  viewport?: keyof typeof VIEWPORTS;
  theme?: 'light' | 'dark';
  /** Touch input, as on a handheld; default: true at the sizes `phone` and `narrow`, otherwise false. */
  touch?: boolean;
  forcedColors?: boolean;
  /** Shows transitions. Default: false, because drawing transitions takes longer than everything else on a page. */
  motion?: boolean;
  /** Language of the browser, for example `de-DE`. */
  locale?: string;
  /** Time zone of the browser; default: of the town's node. */
  timeZone?: string;
  /** Signs in the town's user of this role before the page opens. */
  as?: Role;
  /** Path to open; default `/console/`. null opens nothing. */
  path?: string | null;
  /**
   * Starts the service worker, which loads every file of the console once per device. Needed only for a page that
   * starts without the network. Default: false.
   */
  worker?: boolean;
  /**
   * Lets the test move the clock of the page with `page.clock`. The clock is installed before the page opens, because a
   * jump of the clock on an open page counts as idle time.
   */
  clock?: boolean;
  /** Errors that this test expects. */
  allow?: RegExp[];
  /** Context of another page; opens a second tab of the same device. */
  context?: BrowserContext;
}

export interface Console {
  town: OpenTown;
  /**
   * Base URL of the browser's requests, with the path of `below`: the URL of the proxy, or of the service if there is
   * no proxy.
   */
  origin: string;
  /** The proxy of `{ proxy: true }`. Without this option, access throws an error. */
  proxy: CuttingProxy;
  /**
   * Opens a page on a new device or, with `context`, in another tab. When the test ends, the page closes, and its
   * errors fail the test.
   */
  page: (options?: PageOptions) => Promise<Page>;
  close: () => Promise<void>;
}

export interface ConsoleOptions extends OpenTownOptions {
  /** Puts a proxy between browser and service. */
  proxy?: boolean;
  /** Path prefix of all URLs, for example `/backroom`. */
  below?: string;
}

/** Serves the small town on loopback. Its clock starts at noon of a fixed day and runs; pages have the same time. */
export async function openConsole(options: ConsoleOptions = {}): Promise<Console> {
  const port = await freePort();
  const { below = '' } = options;
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    ...(below !== '' && { PUBLIC_URL: `http://127.0.0.1:${port}${below}` }),
    ...options.env,
  };
  const town = await openTown({ ...options, env });
  letTimePass(town.clock);
  const direct = await town.server.listen(port);
  const proxy = options.proxy === true ? await openProxy(direct) : undefined;
  const origin = `${proxy?.origin ?? direct}${below}`;
  return {
    town,
    origin,
    get proxy() {
      if (proxy === undefined) throw new Error('this console was opened without a proxy');
      return proxy;
    },
    page: (wish = {}) => openPage(origin, town, wish),
    close: async () => {
      await proxy?.close();
      await town.close();
    },
  };
}

/** Lets the clock of the town run in real time; a test can still move it. */
function letTimePass(clock: { now: number }): void {
  let ahead = clock.now - Date.now();
  Object.defineProperty(clock, 'now', {
    get: () => Date.now() + ahead,
    set: (now: number) => {
      ahead = now - Date.now();
    },
  });
}

async function openPage(origin: string, town: OpenTown, options: PageOptions): Promise<Page> {
  const { viewport = 'phone', theme = 'light', path = '/console/', allow = [], locale = 'en-US' } = options;
  const touch = options.touch ?? (viewport === 'phone' || viewport === 'narrow');
  const device: BrowserContextOptions = {
    baseURL: origin,
    viewport: VIEWPORTS[viewport],
    colorScheme: theme,
    forcedColors: options.forcedColors === true ? 'active' : 'none',
    reducedMotion: options.motion === true ? 'no-preference' : 'reduce',
    hasTouch: touch,
    locale,
    timezoneId: options.timeZone ?? 'America/New_York',
  };
  const [context, giveBack] =
    options.context === undefined ? await borrowContext(device) : [options.context, undefined];
  if (options.worker !== true && options.context === undefined) {
    await context.addInitScript(() => {
      // An insecure page, such as about:blank, has no service worker API.
      if ('serviceWorker' in navigator) ServiceWorkerContainer.prototype.register = () => new Promise(() => undefined);
    });
  }
  const complaints = await watch(context, origin, town.clock);
  onTestFinished(async ({ task }) => {
    const shown = task.result?.state === 'fail' ? await shownIn(context) : [];
    await giveBack?.();
    if (shown.length > 0) throw new Error(`when the test failed, ${shown.join('\n')}`);
    const unexpected = complaints.filter((complaint) => !allow.some((expected) => expected.test(complaint)));
    if (unexpected.length > 0) throw new Error(`the page complains:\n${unexpected.join('\n')}`);
  });
  if (options.as !== undefined) await signIn(context, origin, town, options.as);
  const page = (giveBack && context.pages()[0]) ?? (await context.newPage());
  if (options.clock === true) await page.clock.install({ time: town.clock.now });
  if (path !== null) await page.goto(`${origin}${path}`);
  return page;
}

/** Returns what each page of a context shows, one text per page, so that the report of a failed test contains it. */
function shownIn(context: BrowserContext): Promise<string[]> {
  return Promise.all(
    context.pages().map(async (page) => {
      const text = await Promise.race([
        page.evaluate(() => document.body.innerText).catch(String),
        sleep(5_000, 'nothing (the page does not respond)'),
      ]);
      return `${page.url()} showed: ${text.replace(/\s+/g, ' ').slice(0, 1_000)}`;
    }),
  );
}

/** Signs in a user of the town in a browser, as the sign-in screen does; returns the response of the service. */
export async function signIn(
  context: BrowserContext,
  origin: string,
  town: OpenTown,
  role: Role,
): Promise<{ outboxTicket?: string }> {
  const { clientId, userId, password } = town.people[role];
  const response = await context.request.post(`${origin}/session`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { ...(clientId !== undefined && { clientId }), userId, password },
  });
  if (response.status() !== 201) throw new Error(`${userId} could not sign in: ${await response.text()}`);
  return (await response.json()) as { outboxTicket?: string };
}

/** Enrolls a browser as a device of the town's node. */
export async function enroll(context: BrowserContext, origin: string, town: OpenTown): Promise<void> {
  const made = await town.operator('POST', `/operator/v1/clients/TOWN/nodes/${town.nodeId}/deviceCodes`);
  const response = await context.request.post(`${origin}/session/device`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { code: made.body.code, name: 'Handheld' },
  });
  if (response.status() !== 201) throw new Error(await response.text());
}

const watched = new WeakMap<BrowserContext, string[]>();

/** Collects the errors of pages. All pages of a context share the list. */
export async function watch(context: BrowserContext, origin: string, clock: { now: number }): Promise<string[]> {
  const known = watched.get(context);
  if (known !== undefined) return known;
  const complaints: string[] = [];
  watched.set(context, complaints);
  context.on('console', (message) => {
    const where = message.location().url;
    // Pages show rejections of the service and network failures themselves, so these are expected. A missing file of
    // the console is a bug.
    const isReply = message.text().startsWith('Failed to load resource') && !/\/console\/.*\.\w+$/.test(where);
    // A browser with a window requests the icon of the tab itself, not through the service worker. So the request fails
    // offline.
    const isCut = /net::ERR_(EMPTY_RESPONSE|INTERNET_DISCONNECTED|CONNECTION_\w+)/.test(message.text());
    const isTab = isCut && where === `${origin}/console/icon.svg`;
    if (message.type() === 'error' && !isReply && !isTab) complaints.push(`console: ${message.text()} (${where})`);
  });
  context.on('weberror', (error) => complaints.push(`exception: ${error.error().stack ?? error.error().message}`));
  context.on('request', (request) => {
    const url = request.url();
    // The browser itself provides the page of a new tab.
    const isOwn = url.startsWith(`${origin}/`) || /^(data|blob|about|chrome):/.test(url);
    if (!isOwn) complaints.push(`request to another origin: ${url}`);
  });
  await context.exposeBinding('__reportPolicy', (_, report: string) => {
    complaints.push(`content security policy: ${report}`);
  });
  await context.addInitScript((ahead) => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report = `${event.violatedDirective} blocks ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`;
      (globalThis as unknown as { __reportPolicy: (report: string) => void }).__reportPolicy(report);
    });
    // Pages get the town's time, because they compare deadlines with their own clock.
    const RealDate = Date;
    globalThis.Date = class extends RealDate {
      constructor(...parts: unknown[]) {
        if (parts.length === 0) super(RealDate.now() + ahead);
        else super(...(parts as [number]));
      }
      static override now() {
        return RealDate.now() + ahead;
      }
    } as DateConstructor;
  }, clock.now - Date.now());
  return complaints;
}

interface Violation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/**
 * The rules of axe-core about colors. Only these can fail when the theme changes in the same document at the same size.
 */
export const OF_COLORS = ['color-contrast', 'link-in-text-block'] as const;

/**
 * Returns the violations of WCAG 2.0 to 2.2, levels A and AA, that axe-core finds, one text each. `rules` limits the
 * check to these rules; default: all rules of those levels.
 */
export async function axe(page: Page, within = 'body', rules?: readonly string[]): Promise<string[]> {
  // The policy of the page blocks an added script element, but not an evaluation. The evaluated script remains until
  // the document changes.
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(axeCore.source);
  const found = await page.evaluate(
    async ([root, rules]) => {
      // During a transition, a color has neither its old value nor its new value. `finished` of an animation cannot be
      // awaited: in a closed `details` element it stays pending.
      const isMoving = () =>
        document
          .getAnimations()
          .some(
            ({ effect, playState }) => playState === 'running' && Number(effect?.getComputedTiming().endTime) < 5_000,
          );
      while (isMoving()) await new Promise((resolve) => setTimeout(resolve, 10));
      const { axe } = globalThis as unknown as { axe: { run: (root: string, options: unknown) => Promise<unknown> } };
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
      const runOnly = rules === undefined ? { type: 'tag', values: tags } : { type: 'rule', values: rules };
      // A user can scroll to a target that a sticky bar covers. axe would report the covered target as too small.
      const bars = [...document.querySelectorAll<HTMLElement>('.screen > header, .screen > footer')];
      for (const bar of bars) bar.style.position = 'static';
      try {
        return await axe.run(root, { runOnly, resultTypes: ['violations'] });
      } finally {
        for (const bar of bars) bar.style.position = '';
      }
    },
    [within, rules] as const,
  );
  const { violations } = found as { violations: Violation[] };
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ html, failureSummary = '' }) => `  ${html}\n  ${failureSummary}`).join('\n')}`,
  );
}

/** Stops the device's renderer, as a system without free memory does. No code of the page runs afterwards. */
export async function killTab(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash');
  const session = await page.context().newCDPSession(page);
  session.send('Page.crash').catch(() => undefined);
  await crashed;
}
