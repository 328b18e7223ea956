// View and actions of the dialog of CalDAV servers.
import type { FoundCalendars } from '#wire/calendars.ts';

/** The dialog of CalDAV servers. */
export interface CalendarServerView {
  /** Signing in at a server, choosing of its calendars, or a new password for one that is read already. */
  readonly step: 'login' | 'choose' | 'password';
  /** Of the calendar that gets a new password; else the host of the server. */
  readonly name: string;
  /** What was typed before, to go on from. */
  readonly address: string;
  readonly user: string;
  readonly found: FoundCalendars;
  /** Null: nothing is under way. */
  readonly busy: string | null;
  readonly said: { readonly text: string; readonly isError: boolean } | null;
}

/** An action in the dialog of CalDAV servers. */
export type CalendarServerAction =
  | { readonly action: 'look'; readonly address: string; readonly user: string; readonly password: string }
  | { readonly action: 'add'; readonly address: string }
  | { readonly action: 'save'; readonly password: string }
  | { readonly action: 'back' | 'done' };

declare module '../dialogs/dialog-view.ts' {
  interface Dialogs {
    readonly calendarServer: {
      readonly view: { readonly calendarServer: CalendarServerView };
      readonly action: CalendarServerAction;
    };
  }
}
