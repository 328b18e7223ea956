// What the agenda and the dialog of calendars share: the way to the server, and times in words.
import type { Program } from '../app/program.ts';
import type { CalendarsPort } from './port.ts';

export const SIGN_IN = 'Sign in first. The server reads calendars for you.';

/** The port; null: it can't be had now. */
export async function portOf({ platform }: Program): Promise<CalendarsPort | null> {
  return await platform.account.live().then(
    (live) => live.calendars(),
    () => null,
  );
}

/** "Nov 30, 9:41 AM". */
export function moment({ platform }: Program, at: number): string {
  const format = new Intl.DateTimeFormat(platform.locale(), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: platform.zone(),
  });
  return format.format(at);
}

/** Minutes of a day as a clock shows them. */
export function clock({ platform }: Program, minute: number): string {
  const format = new Intl.DateTimeFormat(platform.locale(), { timeStyle: 'short', timeZone: 'UTC' });
  return format.format(minute * 60_000);
}
