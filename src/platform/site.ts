/** The site of the service for browsers: its origin, its path and its cookies. */
import { type Config, isLoopback } from './config.ts';

/** Cookies of the service. */
export type CookieName = 'backroom' | 'backroom-device' | 'backroom-oidc';

const DAY_S = 86_400;
/** Lifetime of the cookie of a device: the longest that browsers allow. */
export const DEVICE_COOKIE_S = 400 * DAY_S;

type SiteConfig = Pick<Config, 'host' | 'port' | 'publicUrl' | 'tls' | 'trustProxy'>;

export class Site {
  readonly #config: SiteConfig;
  #port: number;
  /** Common prefix of all paths of the service; empty: no prefix. */
  readonly path: string;
  /** Whether only this machine can reach the service. */
  readonly #isLocal: boolean;

  constructor(config: SiteConfig) {
    this.#config = config;
    this.#port = config.port;
    const { host, publicUrl, trustProxy } = config;
    const isLoopbackUrl = publicUrl === undefined || isLoopback(new URL(publicUrl).hostname);
    this.#isLocal = isLoopback(host) && isLoopbackUrl && trustProxy.length === 0;
    this.path = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
  }

  /** Sets the port on which the service listens. */
  listensOn(port: number): void {
    this.#port = port;
  }

  /** The URL without a slash at its end; undefined if PUBLIC_URL is required but not set: users then cannot sign in. */
  get url(): string | undefined {
    const { host, publicUrl, tls } = this.#config;
    if (publicUrl !== undefined) return publicUrl;
    if (!isLoopback(host)) return undefined;
    return `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${this.#port}`;
  }

  get origin(): string | undefined {
    return this.url === undefined ? undefined : new URL(this.url).origin;
  }

  /** Path and query of a request target without the prefix; undefined if the target does not have the prefix. */
  within(target: string): string | undefined {
    const { path } = this;
    if (path === '') return target;
    const rest = target.startsWith(path) ? target.slice(path.length) : undefined;
    if (rest?.startsWith('/') === true) return rest;
    return rest === '' || rest?.startsWith('?') === true ? `/${rest}` : undefined;
  }

  /** Adds the prefix to the links, pictures and forms of a page. */
  below(html: string): string {
    return this.path === '' ? html : html.replace(/\b(href|src|action)="\//g, `$1="${this.path}/`);
  }

  get isSecure(): boolean {
    return this.url?.startsWith('https:') === true;
  }

  /**
   * Whether a request with this Host is for the service. A service that only this machine can reach rejects other
   * names. Otherwise, a page of another site could read its responses through a name that later resolves to this
   * machine (DNS rebinding). A proxy in front of the service can pass any name.
   */
  isFor(host: string | undefined): boolean {
    return !this.#isLocal || host === undefined || isLoopback(host.replace(/:\d*$/, ''));
  }

  /** Whether the request comes from a page of this site, according to the headers of the browser. */
  isOwn(headers: { 'sec-fetch-site'?: string | string[] | undefined; origin?: string | undefined }): boolean {
    const fetchSite = headers['sec-fetch-site'];
    if (fetchSite !== undefined) return fetchSite === 'same-origin';
    return headers.origin !== undefined && headers.origin === this.origin;
  }

  /**
   * Returns the name of a cookie in the browser. With the prefix `__Host-`, the browser rejects a cookie that another
   * host has set.
   */
  nameOf(cookie: CookieName): string {
    return this.isSecure ? `__Host-${cookie}` : cookie;
  }

  /** The value of a cookie; undefined if the request does not have the cookie. */
  read(headers: { cookie?: string | undefined }, cookie: CookieName): string | undefined {
    const name = this.nameOf(cookie);
    for (const part of headers.cookie?.split(/; */) ?? []) {
      if (part.startsWith(`${name}=`)) return part.slice(name.length + 1);
    }
    return undefined;
  }

  /** Returns the Set-Cookie header of a cookie. Without `maxAge` (seconds), the cookie ends when the browser closes. */
  cookie(cookie: CookieName, value: string, maxAge?: number): string {
    // Browsers accept a cookie with the prefix `__Host-` only for the whole host.
    const attributes = [
      `Path=${this.isSecure || this.path === '' ? '/' : this.path}`,
      'HttpOnly',
      'SameSite=Lax',
      ...(this.isSecure ? ['Secure'] : []),
    ];
    if (maxAge !== undefined) attributes.unshift(`Max-Age=${maxAge}`);
    return [`${this.nameOf(cookie)}=${value}`, ...attributes].join('; ');
  }

  /** Returns the Set-Cookie header that deletes a cookie. */
  forget(cookie: CookieName): string {
    return this.cookie(cookie, '', 0);
  }
}
