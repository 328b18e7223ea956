// What a desk has of a server where there is none: ports that answer so, for tests to replace one by one.
import type { AccountPort, LivePorts } from '#client/app/app.ts';
import { createMemoryCalendars, createMemoryFeed, createMemoryGoogle } from './memory-calendars.ts';
import { createMemoryPlan } from './memory-plan.ts';

/** A live connection that carries nothing. */
export const noLive: LivePorts = {
  presence: () => ({ listen: () => () => undefined, say: () => undefined }),
  macroRuns: () => ({
    listen: () => () => undefined,
    take: () => Promise.resolve(null),
    tell: () => Promise.resolve(true),
  }),
  calendars: () => createMemoryCalendars(),
  calendarFeed: () => createMemoryFeed(),
  google: () => createMemoryGoogle(),
  plan: () => createMemoryPlan(),
};

export const noAccount: AccountPort = {
  email: null,
  signUp: () => Promise.resolve(null),
  signIn: () => Promise.resolve(null),
  signInByPasskey: () => Promise.resolve(null),
  safety: () => Promise.resolve({ type: 'offline', message: 'There is no server.' }),
  sharing: () => Promise.reject(new Error('There is no server.')),
  sealing: () => Promise.reject(new Error('There is no server.')),
  live: () => Promise.reject(new Error('There is no server.')),
  useOther: () => undefined,
  refuseOther: () => Promise.resolve(),
  signOut: () => Promise.resolve(null),
  stayHere: () => undefined,
  isKept: false,
  sessions: () => Promise.resolve([]),
  revoke: () => Promise.resolve(null),
  devices: () => Promise.resolve([]),
  mailAddress: () => Promise.resolve({ type: 'offline', message: 'There is no server.' }),
  emptyTrash: () => Promise.resolve({ removed: 0, left: 0 }),
  history: () => Promise.resolve({ entries: [], next: null }),
};
