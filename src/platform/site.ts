/** Where browsers find the service: its origin, which decides whether a request is its own page's, and its cookies. */
import { type Config, isLoopback } from './config.ts';

/** Cookies of the service. */
export type CookieName = 'backroom' | 'backroom-device' | 'backroom-oidc';

const DAY_S = 86_400;
/** How long a browser keeps the cookie of a device, the most that browsers take. */
export const DEVICE_COOKIE_S = 400 * DAY_S;

export class Site {
  readonly #config: Pick<Config, 'host' | 'port' | 'publicUrl' | 'tls'>;
  #port: number;
  /** The path that everything is served below; empty: none. */
  readonly path: string;

  constructor(config: Pick<Config, 'host' | 'port' | 'publicUrl' | 'tls'>) {
    this.#config = config;
    this.#port = config.port;
    const { publicUrl } = config;
    this.path = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
  }

  /** The port that the service got. */
  listensOn(port: number): void {
    this.#port = port;
  }

  /** The URL without a slash at its end; undefined where nobody has said it, so that nobody can sign in. */
  get url(): string | undefined {
    const { host, publicUrl, tls } = this.#config;
    if (publicUrl !== undefined) return publicUrl;
    if (!isLoopback(host)) return undefined;
    return `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${this.#port}`;
  }

  get origin(): string | undefined {
    return this.url === undefined ? undefined : new URL(this.url).origin;
  }

  /** What the target of a request asks for, as routes have it; undefined: it is not below the path of the site. */
  within(target: string): string | undefined {
    const { path } = this;
    if (path === '') return target;
    const rest = target.startsWith(path) ? target.slice(path.length) : undefined;
    if (rest?.startsWith('/') === true) return rest;
    return rest === '' || rest?.startsWith('?') === true ? `/${rest}` : undefined;
  }

  /** A page whose links, pictures and forms lead below the path of the site. */
  below(html: string): string {
    return this.path === '' ? html : html.replace(/\b(href|src|action)="\//g, `$1="${this.path}/`);
  }

  get isSecure(): boolean {
    return this.url?.startsWith('https:') === true;
  }

  /** Whether the browser says that the request is of a page of this site. */
  isOwn(headers: { 'sec-fetch-site'?: string | string[] | undefined; origin?: string | undefined }): boolean {
    const fetchSite = headers['sec-fetch-site'];
    if (fetchSite !== undefined) return fetchSite === 'same-origin';
    return headers.origin !== undefined && headers.origin === this.origin;
  }

  /** The name under which a browser keeps a cookie: the prefix makes it refuse one that another host has set. */
  nameOf(cookie: CookieName): string {
    return this.isSecure ? `__Host-${cookie}` : cookie;
  }

  /** The value of a cookie of a request. */
  read(headers: { cookie?: string | undefined }, cookie: CookieName): string | undefined {
    const name = this.nameOf(cookie);
    for (const part of headers.cookie?.split(/; */) ?? []) {
      if (part.startsWith(`${name}=`)) return part.slice(name.length + 1);
    }
    return undefined;
  }

  /** The Set-Cookie of a cookie; without `maxAge` (seconds) it goes with the browser. */
  cookie(cookie: CookieName, value: string, maxAge?: number): string {
    // Browsers take a cookie with the prefix for the whole host only.
    const attributes = [
      `Path=${this.isSecure || this.path === '' ? '/' : this.path}`,
      'HttpOnly',
      'SameSite=Lax',
      ...(this.isSecure ? ['Secure'] : []),
    ];
    if (maxAge !== undefined) attributes.unshift(`Max-Age=${maxAge}`);
    return [`${this.nameOf(cookie)}=${value}`, ...attributes].join('; ');
  }

  /** The Set-Cookie that makes a browser forget a cookie. */
  forget(cookie: CookieName): string {
    return this.cookie(cookie, '', 0);
  }
}
