/**
 * Decides which addresses the service may connect to (docs/decisions/131). Users choose the urls of webhooks and
 * identity providers. Addresses inside the operator's network are therefore closed, unless the configuration allows
 * them. The gate checks the resolved address of the connection, because DNS can change after an earlier check.
 */
import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { addressList } from './address-list.ts';

/**
 * Addresses that are not public, by RFC 6890 and its registries. An IPv4-mapped IPv6 address counts as its IPv4
 * address.
 */
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
  '100:0:0:1::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

/** Error code of a connection that the gate rejects. */
export const ADDRESS_REFUSED = 'ADDRESS_REFUSED';

class AddressRefused extends Error {
  readonly code = ADDRESS_REFUSED;
}

export interface Gate {
  /** Whether the service may connect to this IP address. */
  allows: (address: string) => boolean;
  /** Whether the host of a url is a rejected address. A name is checked when it is resolved. */
  refusesHost: (host: string) => boolean;
  /** Resolves a name to its allowed addresses; fails with `ADDRESS_REFUSED` if there are none. */
  lookup: LookupFunction;
}

/**
 * Returns the gate for addresses that users choose.
 * @param allowed IP addresses, CIDR ranges, `loopback`, `linklocal`, `uniquelocal`: open although they are not public.
 */
export function gateOf(allowed: readonly string[]): Gate {
  const isClosed = addressList(CLOSED);
  const isOpened = addressList(allowed);
  return gate((address) => isOpened(address) || !isClosed(address));
}

/**
 * Returns the gate for printers. Private addresses are open only on raw ports, because other ports of the internal
 * network serve other protocols. All other addresses are closed.
 * @param allowed further open addresses, on every port, in the form of `gateOf`.
 */
export function printerGateOf(allowed: readonly string[], port: number): Gate {
  return gate(addressList(isRawPort(port) ? ['uniquelocal', ...allowed] : allowed));
}

/** Whether the port is one of the raw ports of label printers and print servers. */
export function isRawPort(port: number): boolean {
  return (port >= 9_100 && port <= 9_109) || port === 6_101;
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
        if (first === undefined)
          callback(new AddressRefused(`${name} resolves to an address that is not allowed`), '', 0);
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
