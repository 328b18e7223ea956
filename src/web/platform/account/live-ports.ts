// What the server tells besides rows, for the parts of the app that want it.
import type { LivePorts } from '#client/app/app.ts';
import { createCalendarsPort } from './calendars-port.ts';
import { createFeedPort } from '../calendars/feed-port.ts';
import { createGooglePort } from '../calendars/google-port.ts';
import { createMacroRunsPort } from './macro-runs-port.ts';
import { createPlanPort } from '../plan/plan-port.ts';
import { createPresencePort } from './presence-port.ts';

/** `account`: number of the account. */
export function createLivePorts(account: number): LivePorts {
  return {
    presence: () => createPresencePort(account),
    macroRuns: createMacroRunsPort,
    calendars: () => createCalendarsPort(account),
    calendarFeed: createFeedPort,
    google: createGooglePort,
    plan: createPlanPort,
  };
}
