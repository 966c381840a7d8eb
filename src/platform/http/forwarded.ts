/** Addresses that a proxy reports in X-Forwarded-For. */
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * Removes the ports from X-Forwarded-For, because some proxies send ADDRESS:PORT and each port would count as another
 * caller. If an entry is not an address, the function removes this entry and all entries before it. The proxy that
 * added this entry then counts as the caller.
 */
export function cleanForwarded({ headers }: IncomingMessage): void {
  const header = headers['x-forwarded-for'];
  if (header === undefined) return;
  const addresses: string[] = [];
  for (const entry of String(header).split(',').reverse()) {
    const text = entry.trim();
    if (text === '') continue;
    const address = addressIn(text);
    if (address === undefined) break;
    addresses.unshift(address);
  }
  headers['x-forwarded-for'] = addresses.join(', ');
}

/** Returns the address of `ADDRESS`, `IPV4:PORT`, `[IPV6]` or `[IPV6]:PORT`. */
function addressIn(text: string): string | undefined {
  if (isIP(text) > 0) return text;
  const [, v6, v4] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d+)?$/.exec(text) ?? [];
  if (v6 !== undefined) return isIPv6(v6) ? v6 : undefined;
  return v4 !== undefined && isIPv4(v4) ? v4 : undefined;
}
