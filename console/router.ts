/** Routes after the `#`, so that the page works below any path, from any cache and without the network. */
import { computed, signal } from '@preact/signals';

/** The part of the address from the `#` on. */
export const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

/** The present screen: the path after the `#`, and its query. */
export const route = computed(() => {
  const [path = '/', query = ''] = hash.value.replace(/^#/, '').split('?');
  return { path: path.startsWith('/') ? path : '/', query: new URLSearchParams(query) };
});

/** Returns the address of a screen. */
export function href(path: string, query: Record<string, string | undefined> = {}): string {
  const set = Object.entries(query).filter((pair): pair is [string, string] => (pair[1] ?? '') !== '');
  return `#${path}${set.length === 0 ? '' : `?${new URLSearchParams(set)}`}`;
}

/** Returns a path with escaped parts: `at('pick', storeId, ticketId)`. */
export function at(...parts: readonly string[]): string {
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

interface TicketPlace {
  storeId: string;
  pickTicketId: string;
  pickTicketType?: string;
}

/** Returns the path of the screen of a pick ticket or of a reverse pick ticket. */
export function ticketPath({ storeId, pickTicketId, pickTicketType }: TicketPlace): string {
  return at(pickTicketType === 'REVERSE_PICK_TICKET' ? 'bring-back' : 'pick', storeId, pickTicketId);
}

/** Opens a screen; `replace` adds no entry to the browser history. */
export function go(path: string, query: Record<string, string | undefined> = {}, replace = false): void {
  const address = href(path, query);
  if (replace) location.replace(address);
  else location.hash = address.slice(1);
}

/** Returns to the previous screen, or home if there is none. */
export function back(): void {
  if (history.length > 1) history.back();
  else go('/');
}

/** Changes filters in the address without a new entry in the browser history. */
export function setQuery(changes: Record<string, string | undefined>): void {
  const { path, query } = route.peek();
  go(path, { ...Object.fromEntries(query), ...changes }, true);
}

/** Returns the parameters of a path by a pattern (`/pick/:storeId/:ticketId`); undefined if the path does not match. */
export function match(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index]!;
    if (part.startsWith(':')) {
      if (value === '') return undefined;
      params[part.slice(1)] = decode(value);
    } else if (part !== value) return undefined;
  }
  return params;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
