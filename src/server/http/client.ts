// The client of a request: the address of the connection, or the one reported by a configured proxy. Any other
// X-Forwarded-For is ignored. Addresses leave this file only as keys for limits and shortened for records.
import { BlockList, isIP, isIPv6 } from 'node:net';

/** The client's address, reduced to what may be used and recorded. */
export interface ClientAddress {
  /** An IPv4 address, or the /64 of an IPv6 one. */
  readonly key: string;
  /** The /24 or /48. */
  readonly network: string;
  /** Loopback, and not through a proxy. */
  readonly isThisMachine: boolean;
}

/** Eight groups of an IPv6 address, lower-case without leading zeros. */
function groupsOf(address: string): readonly string[] {
  const [before = '', after] = address.split('::');
  const left = before === '' ? [] : before.split(':');
  const right = after === undefined || after === '' ? [] : after.split(':');
  const zeros = after === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16).toString(16));
}

/** IPv4 through an IPv6 socket is IPv4; zones are dropped. */
function canonical(address: string): string {
  const bare = address.split('%')[0] ?? '';
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare;
}

/** Addresses that connect without a proxy send many requests each. */
const KEPT_CLIENTS = 1_000;

const blockType = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Reads client addresses behind these proxies (addresses or CIDR networks). */
export function createClientReader(trustedProxies: readonly string[]) {
  const trusted = new BlockList();
  for (const network of trustedProxies) {
    const [address = '', bits] = network.split('/');
    if (bits === undefined) trusted.addAddress(address, blockType(address));
    else trusted.addSubnet(address, Number(bits), blockType(address));
  }
  const isTrusted = (address: string) => isIP(address) !== 0 && trusted.check(address, blockType(address));

  function read(connection: string, forwarded: string | null): ClientAddress {
    let address = canonical(connection);
    const hops = (forwarded ?? '').split(',').map((hop) => canonical(hop.trim()));
    let isForwarded = false;
    // From the nearest hop backwards: a trusted proxy is believed about its own neighbor.
    while (isTrusted(address) && isIP(hops.at(-1) ?? '') !== 0) {
      address = hops.pop() ?? address;
      isForwarded = true;
    }
    const isThisMachine =
      !isForwarded && forwarded === null && (address === '::1' || address.startsWith('127.'));
    if (!isIPv6(address)) {
      return { key: address, network: `${address.split('.').slice(0, 3).join('.')}.0/24`, isThisMachine };
    }
    const groups = groupsOf(address);
    return {
      key: `${groups.slice(0, 4).join(':')}::/64`,
      network: `${groups.slice(0, 3).join(':')}::/48`,
      isThisMachine,
    };
  }

  const direct = new Map<string, ClientAddress>();

  /** `connection` is the socket's remote address; `forwarded` the X-Forwarded-For header. */
  return (connection: string, forwarded: string | null): ClientAddress => {
    if (forwarded !== null) return read(connection, forwarded);
    const known = direct.get(connection);
    if (known !== undefined) return known;
    const client = read(connection, forwarded);
    if (direct.size >= KEPT_CLIENTS) direct.clear();
    direct.set(connection, client);
    return client;
  };
}
