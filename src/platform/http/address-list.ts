/** Lists of addresses in settings: IP addresses, CIDR ranges, and names of ranges. */
import { BlockList, isIP } from 'node:net';

/** Names of ranges in the configuration. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Returns a function that checks whether an IP address, as text, is in one of the addresses and ranges. */
export function addressList(places: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of places.flatMap((place) => NAMED[place] ?? [place])) {
    const [address = '', bits] = range.split('/');
    const family = familyOf(address);
    list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  }
  return (address) => list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
