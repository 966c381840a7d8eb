/**
 * Where requests of the service may go (docs/decisions/131): somebody else chooses the url of a webhook or of an identity
 * provider, so an address inside the operator's network is refused unless the configuration allows it. It is asked of the
 * address that is connected to, after its name was resolved, so that a name whose address changes in between gains nothing.
 */
import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { addressList } from './address-list.ts';

/** Not for the public: RFC 6890 and its registries. Mapped IPv4 addresses are judged as the IPv4 address in them. */
const CLOSED: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

/** Where nothing else is said of an error. */
export const ADDRESS_REFUSED = 'ADDRESS_REFUSED';

class AddressRefused extends Error {
  readonly code = ADDRESS_REFUSED;
}

export interface Gate {
  /** Whether an address, an IP address as text, may be connected to. */
  allows: (address: string) => boolean;
  /** Whether a host of a url is an address that is refused; a name is judged when it is resolved. */
  refusesHost: (host: string) => boolean;
  /** Resolves a name to its allowed addresses; fails with `ADDRESS_REFUSED` where it has none. */
  lookup: LookupFunction;
}

/** @param allowed IP addresses, CIDR ranges, `loopback`, `linklocal`, `uniquelocal`, that are open although they are not public. */
export function gateOf(allowed: readonly string[]): Gate {
  const isClosed = addressList(CLOSED);
  const isOpened = addressList(allowed);
  return gate((address) => isOpened(address) || !isClosed(address));
}

/** Of printers: what is private is open, all else closed. @param allowed as `gateOf` takes them, open as well */
export function printerGateOf(allowed: readonly string[]): Gate {
  return gate(addressList(['uniquelocal', ...allowed]));
}

function gate(allows: (address: string) => boolean): Gate {
  return {
    allows,
    refusesHost: (host) => {
      const address = bare(host);
      return isIP(address) > 0 && !allows(address);
    },
    lookup: (name, options, callback) => {
      lookup(name, { ...options, all: true }, (error, addresses) => {
        if (error !== null) {
          callback(error, '', 0);
          return;
        }
        const open = addresses.filter(({ address }) => allows(address));
        const first = open[0];
        if (first === undefined) callback(new AddressRefused(`${name} is at an address that is refused`), '', 0);
        else if (options.all === true) callback(null, open);
        else callback(null, first.address, first.family);
      });
    },
  };
}

/** A host of a url without the brackets of IPv6. */
function bare(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}
