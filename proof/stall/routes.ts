/** Every route of the server, and the worst requests to routes that the document does not describe. */
import type { Method } from '../../town/call.ts';
import { queries, type Special } from './files.ts';

/** A route in the form of the document: `{name}` is a part of the path, `*` is the rest of the path. */
export interface Route {
  method: Method;
  path: string;
}

const MIB = 1024 * 1024;

/**
 * Returns the routes in the tree that the framework prints for a server. HEAD is left out, because it works like GET.
 */
export function routesOf(tree: string): Route[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent, segment, methods = ''] = /^((?:│ {3}| {4})*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (indent === undefined || segment === undefined) return [];
    const depth = indent.length / 4;
    const whole = `${depth === 0 ? '' : above[depth - 1]}${segment}`;
    above[depth] = whole;
    const path = whole.replace(/:(\w+)/g, '{$1}');
    return methods
      .split(', ')
      .filter((method) => method !== '' && method !== 'HEAD')
      .map((method) => ({ method: method as Method, path }));
  });
}

/** Query parameters of routes that are not operations of the API. */
const NAMES = ['q', 'clientId', 'code', 'state', 'error', 'iss', 'session_state', 'v'];

const LETTERS = 'a b c d e f g h i j k l m n o p q r s t u v w x y z';
/** Texts that make a search expensive, because each word begins or resembles many other words. */
const WORDS: Readonly<Record<string, string>> = {
  'one letter over and over': 'e '.repeat(100),
  'every letter': `${LETTERS} `.repeat(4),
  'two letters': 'th st pr re co in de ex se ca pa or an no wi ma un su fo di'.repeat(4),
  'beginnings of words': 'sta pro con pre int res rec ord com exp del pic pac han sto ite nod cli eve web',
  'words that are everywhere': 'order store item pick ticket event client node request response status message',
  'words with errors': 'fulfilmentorders stationaryitem customerordering pickingtickets deliveryorderly',
  punctuation: 'a-b_c/d.e+f*g(h)[i]{j}|k^l$m?n'.repeat(6),
};

/** The largest headers that the server accepts. */
const HEADERS: Readonly<Record<string, Record<string, string>>> = {
  'long Accept': { accept: 'text/html;q=0.1, '.repeat(800) },
  'long Cookie': { cookie: 'backroom=a; '.repeat(1_200) },
  'long Authorization': { authorization: `Bearer ${'a.'.repeat(7_000)}` },
};

const BODIES: Readonly<Record<string, { type: string; raw: () => string }>> = {
  'a form of 2 MiB': { type: 'application/x-www-form-urlencoded', raw: () => 'a=b&'.repeat(MIB / 2) },
  'a token of 2 MiB': {
    type: 'application/x-www-form-urlencoded',
    raw: () => `logout_token=${'e.'.repeat(MIB - 20)}`,
  },
  'JSON of 2 MiB': { type: 'application/json', raw: () => `[${'[],'.repeat((2 * MIB) / 3 - 10)}[]]` },
};

/** Values for the variable parts of a path. */
const FILLINGS: Readonly<Record<string, string>> = {
  short: 'x',
  long: 'a'.repeat(500),
  encoded: '%C3%A9'.repeat(80),
  dots: '..%2f'.repeat(100),
};

/** Returns the worst requests to a route. */
export function anything({ method, path }: Route): Special[] {
  const asked = (
    name: string,
    at: string,
    more: Omit<Partial<ReturnType<Special['make']>>, 'path' | 'method'> = {},
  ) => ({
    operationId: `${method} ${path}`,
    name,
    make: () => ({ method, path: at, ...more }),
  });
  const isVariable = /[{*]/.test(path);
  const fillings = isVariable ? Object.entries(FILLINGS) : [['as it is', ''] as const];
  const plain = filled(path, FILLINGS['short']!);
  const paths = fillings.map(([name, by]) => asked(`path: ${name}`, filled(path, by)));
  if (method !== 'GET') {
    const bodies = Object.entries(BODIES).map(([name, { type, raw }]) => ({
      operationId: `${method} ${path}`,
      name,
      make: () => ({ method, path: plain, headers: { 'content-type': type }, raw: raw() }),
    }));
    return [...paths, ...bodies];
  }
  const words = Object.entries(WORDS).map(([name, text]) =>
    asked(`query: ${name}`, `${plain}?${NAMES.map((one) => `${one}=${encodeURIComponent(text)}`).join('&')}`),
  );
  const long = queries(NAMES).map(({ name, make }) => asked(name, `${plain}?${make('').toString()}`));
  const headers = Object.entries(HEADERS).map(([name, more]) => asked(name, plain, { headers: more }));
  return [...paths, ...words, ...long, ...headers];
}

/** Returns the path with `by` in place of its variable parts. */
export function filled(path: string, by: string): string {
  return path.replace(/\{\w+\}|\*/g, by);
}

/** Paths without a route, and a path whose method is not allowed. */
export const UNKNOWN: readonly Route[] = [
  { method: 'GET', path: `/${'a/'.repeat(3_000)}` },
  { method: 'GET', path: '/operator/v1/*' },
  { method: 'DELETE', path: '/livez' },
];

/** Returns the paths of this service to which a page links. */
export function linksOf(html: string, at: string): string[] {
  return [...html.matchAll(/(?:href|src)="([^"#]+)/g)]
    .map(([, target = '']) => new URL(target.replaceAll('&amp;', '&'), `http://service${at}`))
    .filter(({ host }) => host === 'service')
    .map(({ pathname, search }) => `${pathname}${search}`);
}
