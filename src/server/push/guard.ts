// Limits where the server may be made to connect to: push endpoints and calendars come from outside, so only HTTPS on the usual port of
// public addresses. Names are looked up once, and the address that was checked is the one connected to.
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Networks that are not the public internet: private, local, shared, documentation, multicast and reserved ones. */
const NOT_PUBLIC: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/** In IPv6 only global unicast is public, except documentation and tunneled IPv4. */
const GLOBAL_UNICAST = ['2000::', 3] as const;
const NOT_PUBLIC_6: readonly (readonly [network: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** A name was found at an address that may not be connected to. */
export class AddressRefused extends Error {
  constructor() {
    super("The address isn't on the public internet.");
    this.name = 'AddressRefused';
  }
}

/** Protects against server-side request forgery through addresses that come from outside: push endpoints, calendars. */
export interface EndpointGuard {
  /** Null, or why an endpoint is refused. Looks nothing up. */
  problem(endpoint: string): string | null;
  /** Resolves the address to connect to; fails with `AddressRefused` when any resolved one is not allowed. */
  readonly lookup: LookupFunction;
  /** For calls without encryption: only the networks that are allowed besides the public internet. */
  readonly inside: {
    /** Whether a host may be there; a name is looked up later. */
    mayBe(host: string): boolean;
    readonly lookup: LookupFunction;
  };
}

export interface GuardPorts {
  /** Additionally allowed networks, in CIDR form, on any port. */
  readonly allowed: readonly string[];
  readonly resolve?: (
    host: string,
    done: (error: Error | null, found: readonly LookupAddress[]) => void,
  ) => void;
}

function listOf(networks: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network, bits] of networks) list.addSubnet(network, bits, family);
  return list;
}

function allowedList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of networks) {
    const [network = '', bits] = text.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(network, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return list;
}

const resolveAll: NonNullable<GuardPorts['resolve']> = (host, done) =>
  systemLookup(host, { all: true, verbatim: true }, (error, found) => done(error, found ?? []));

/** A guard that allows the public internet, and what is named besides. Looks names up with the system, unless told how. */
export function createEndpointGuard({ allowed, resolve = resolveAll }: GuardPorts): EndpointGuard {
  const private4 = listOf(NOT_PUBLIC, 'ipv4');
  const private6 = listOf(NOT_PUBLIC_6, 'ipv6');
  const global6 = listOf([GLOBAL_UNICAST], 'ipv6');
  const extra = allowedList(allowed);

  const isInside = (address: string): boolean => {
    const family = isIP(address);
    return family !== 0 && extra.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };

  function isAllowed(address: string): boolean {
    const family = isIP(address);
    if (family === 0) return false;
    if (isInside(address)) return true;
    if (family === 4) return !private4.check(address, 'ipv4');
    return global6.check(address, 'ipv6') && !private6.check(address, 'ipv6');
  }

  const lookupBy =
    (isFine: (address: string) => boolean): LookupFunction =>
    (host, options, done) =>
      resolve(host, (error, found) => {
        const [first] = found;
        if (error || !first) {
          done(error ?? new Error('No address was found.'), '', 0);
          return;
        }
        if (!found.every(({ address }) => isFine(address))) done(new AddressRefused(), '', 0);
        else if (options.all === true) done(null, [...found]);
        else done(null, first.address, first.family);
      });

  return {
    problem(endpoint) {
      if (!URL.canParse(endpoint)) return "isn't a URL";
      const { protocol, username, password, hostname, port, hash } = new URL(endpoint);
      if (protocol !== 'https:') return "doesn't start with https://";
      if (username !== '' || password !== '' || hash !== '')
        return 'has a name, a password, or a fragment in it';
      const host = hostname.replace(/^\[|\]$/g, '');
      const isAddress = isIP(host) !== 0;
      if (isAddress && !isAllowed(host)) return "isn't on the public internet";
      if (port !== '' && allowed.length === 0) return "isn't on the usual port";
      if (!isAddress && !host.includes('.') && allowed.length === 0) return 'is on a local network';
      return null;
    },
    lookup: lookupBy(isAllowed),
    inside: {
      mayBe(host) {
        const bare = host.replace(/^\[|\]$/g, '');
        return allowed.length > 0 && (isIP(bare) === 0 || isInside(bare));
      },
      lookup: lookupBy(isInside),
    },
  };
}
