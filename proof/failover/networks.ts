/**
 * A network namespace for each machine, connected by a bridge, so that each machine can be cut off. The campaign runs
 * in the namespace with the bridge, so it cannot change the network of the host.
 */
import { execFileSync } from 'node:child_process';
import { NODES, type Node } from './tools.ts';

const NETWORK = '10.89.77';

export class Networks {
  readonly network = NETWORK;
  /** The address of the campaign, its services and the proxy. */
  readonly hub = `${NETWORK}.1`;
  readonly #name = `backroom-${process.pid}`;

  /**
   * Creates the networks. The process must be in a separate network namespace: see `playInside` in `proof/failover.ts`.
   */
  static make(): Networks {
    const networks = new Networks();
    ip('link set lo up');
    ip('link add hub type bridge');
    ip(`addr add ${networks.hub}/24 dev hub`);
    ip('link set hub up');
    for (const [index, node] of NODES.entries()) {
      const name = networks.#of(node);
      ip(`netns add ${name}`);
      ip(`link add ${node} type veth peer name inside netns ${name}`);
      ip(`link set ${node} master hub up`);
      ip(`-n ${name} link set lo up`);
      ip(`-n ${name} addr add ${NETWORK}.${11 + index}/24 dev inside`);
      ip(`-n ${name} link set inside up`);
    }
    return networks;
  }

  /** Returns the words that precede a command so that it runs on a machine. */
  inside(node: Node): string[] {
    return ['ip', 'netns', 'exec', this.#of(node)];
  }

  cut(node: Node): void {
    ip(`link set ${node} down`);
  }

  join(node: Node): void {
    ip(`link set ${node} up`);
  }

  remove(): void {
    for (const node of NODES) ip(`netns delete ${this.#of(node)}`);
  }

  #of(node: Node): string {
    return `${this.#name}-${node}`;
  }
}

/** Returns the reason why this process cannot create networks; undefined if it can. */
export function whyNoNetworks(): string | undefined {
  const name = `backroom-${process.pid}-try`;
  try {
    ip(`netns add ${name}`);
    ip(`netns delete ${name}`);
    execFileSync('unshare', ['--net', 'ip', 'link', 'add', 'hub', 'type', 'bridge'], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `networks cannot be made: ${(error as Error).message.trim().replaceAll('\n', ' ')}`;
  }
}

function ip(words: string): void {
  execFileSync('ip', words.split(' '), { stdio: ['ignore', 'ignore', 'pipe'] });
}
