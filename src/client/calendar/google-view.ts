// What the app asks about Google Calendar, and the view and actions of its dialog.
import type { Result } from '#core/result.ts';
import type { GoogleCalendars } from '#wire/calendar-links.ts';

/** How things stand after a call, or why there was no answer, in words. */
export type GoogleReply = Result<GoogleCalendars, string>;

/** Google Calendar, by the server. */
export interface GooglePort {
  read(): Promise<GoogleReply>;
  /** Where the person says yes. */
  connect(): Promise<Result<string, string>>;
  add(calendar: string): Promise<GoogleReply>;
  disconnect(): Promise<GoogleReply>;
}

/** The dialog of Google's calendars. */
export interface GoogleView {
  readonly step: 'show' | 'disconnect';
  /** `none`: nothing is known yet. `signedOut`: there is no account. `missing`: the server isn't set up for it. `leaving`: the person is to say yes at Google. */
  readonly state: 'none' | 'signedOut' | 'missing' | 'unconnected' | 'leaving' | 'connected';
  readonly calendars: GoogleCalendars['calendars'];
  /** Why they can't be listed; null: they are. */
  readonly problem: string | null;
  /** Null: nothing is under way. */
  readonly busy: string | null;
  readonly said: { readonly text: string; readonly isError: boolean } | null;
}

/** An action in that dialog. */
export type GoogleAction =
  | { readonly action: 'connect' | 'open' | 'read' | 'disconnect' | 'back' | 'yes' | 'calendars' | 'signIn' }
  | { readonly action: 'add'; readonly calendar: string };

declare module '../dialogs/dialog-view.ts' {
  interface Dialogs {
    readonly google: { readonly view: { readonly google: GoogleView }; readonly action: GoogleAction };
  }
}
