// The profiles of the desktop app: each is one account at one server, with storage that no other has. Only lists of them; what runs of one is
// opened-profile.ts.

/** One account at one server. */
export interface DesktopProfile {
  /** Of its pages' addresses, by which engines tell storage apart. It is never given to another profile. */
  readonly host: string;
  /** The origin of the server; null: none is chosen yet. */
  readonly server: string | null;
  /** What the person knows it by: the address of the account; empty: nobody signed in yet. */
  readonly name: string;
  /** Somebody was signed in at the server: what is stored belongs to it, and another server never gets it. */
  readonly isBound: boolean;
}

/** What hosts are like. The first is of the time when there was one profile. */
export const HOST = /^desktop(?:-[a-z\d]{1,16})?$/;
/** More than anyone signs in to. */
export const MOST_PROFILES = 20;

export const firstProfile: DesktopProfile = { host: 'desktop', server: null, name: '', isBound: false };

const BASE = 36;

/** A host that none of these has, nor one of before. `now`: milliseconds since the epoch. */
export function freshHost(profiles: readonly DesktopProfile[], now: number): string {
  const taken = new Set(profiles.map(({ host }) => host));
  let at = now;
  while (taken.has(`desktop-${at.toString(BASE)}`)) at += 1;
  return `desktop-${at.toString(BASE)}`;
}

/** What a profile is called in lists and above its window. */
export function titleOf({ name, server }: DesktopProfile): string {
  const place = server?.replace(/^https?:\/\//, '') ?? 'this machine alone';
  return name === '' ? place : `${name} at ${place}`;
}

/** The name of its session in the keychain. */
export const sessionName = ({ host, server }: DesktopProfile): string =>
  host === firstProfile.host ? `session ${server ?? ''}` : `session ${server ?? ''} ${host}`;
