// Finds the calendars of a person on a CalDAV server (RFC 6764, 4791): from the address that was given to who one is there, from there to where
// the calendars are.
import { failed, ok, type Result } from '#core/result.ts';
import type { FetchFailure } from '../fetching.ts';
import type { SourceProblem } from '../problems.ts';
import type { ReadResponse } from '../reading-worker.ts';
import { type DavClient, follow } from './client.ts';
import { askCalendars, askWhere } from './requests.ts';

const MOST_HOMES = 5;
const MOST_CALENDARS = 100;

/** A calendar that was found. */
export interface DavCalendar {
  /** With the name and the password. */
  readonly address: URL;
  /** Empty: it has none. */
  readonly name: string;
}

type Found = Result<readonly DavCalendar[], FetchFailure>;

/** With these the answer of another address would be no better, or asking again does harm. */
const FINAL: ReadonlySet<SourceProblem> = new Set([
  'password',
  'private',
  'not_https',
  'elsewhere',
  'too_slow',
  'busy',
]);

const failure = (problem: SourceProblem): Found => failed({ problem, afterMs: 0 });

const isCalendar = ({ properties: { types = [], components } }: ReadResponse) =>
  types.includes('calendar') && (components === undefined || components.includes('VEVENT'));

/** The calendars of these homes. */
async function calendarsIn(client: DavClient, hrefs: readonly string[], from: URL): Promise<Found> {
  const found = new Map<string, DavCalendar>();
  for (const href of hrefs.slice(0, MOST_HOMES)) {
    const home = follow(href, from);
    if (home === null) return failure('elsewhere');
    const asked = await client.ask(home, { method: 'PROPFIND', depth: 1, body: askCalendars });
    if (!asked.ok) return asked;
    const { at, answer } = asked.value;
    for (const response of answer.responses.filter(isCalendar)) {
      const address = follow(response.href, at);
      if (address !== null && found.size < MOST_CALENDARS)
        found.set(address.href, { address, name: response.properties.name ?? '' });
    }
  }
  return found.size === 0 ? failure('no_calendars') : ok([...found.values()]);
}

/** From one address on. `not_dav`: nothing there leads to calendars. */
async function from(client: DavClient, start: URL): Promise<Found> {
  const asked = await client.ask(start, { method: 'PROPFIND', depth: 0, body: askWhere });
  if (!asked.ok) return asked;
  const { at, answer } = asked.value;
  const [own] = answer.responses;
  if (own === undefined) return failure('not_dav');
  if (isCalendar(own)) return ok([{ address: at, name: own.properties.name ?? '' }]);
  const { homes, principal } = own.properties;
  if (homes !== undefined) return await calendarsIn(client, homes, at);
  if (principal === undefined) return failure('not_dav');
  const person = follow(principal, at);
  if (person === null) return failure('elsewhere');
  const there = await client.ask(person, { method: 'PROPFIND', depth: 0, body: askWhere });
  if (!there.ok) return there;
  const theirs = there.value.answer.responses[0]?.properties.homes;
  return theirs === undefined ? failure('not_dav') : await calendarsIn(client, theirs, there.value.at);
}

/** The calendars that an address leads to. It has the name and the password in it. */
export async function discover(client: DavClient, address: URL): Promise<Found> {
  const known = new URL('/.well-known/caldav', address);
  known.username = address.username;
  known.password = address.password;
  const first = await from(client, address);
  if (first.ok || FINAL.has(first.problem.problem)) return first;
  const second = await from(client, known);
  if (second.ok || FINAL.has(second.problem.problem)) return second;
  return (
    [first, second].find(({ problem }) => problem.problem === 'no_calendars') ??
    failure(first.problem.problem === 'unreachable' ? 'unreachable' : 'not_dav')
  );
}
