// What the app asks about the calendar of one's own plan, and the view and actions of its dialog.
import type { FeedChoice } from '#core/calendar/feed.ts';
import type { Result } from '#core/result.ts';
import type { CalendarFeed } from '#wire/calendar-links.ts';

/** The feed after a call, or why there was none, in words. */
export type FeedAnswer = Result<CalendarFeed, string>;

/** The calendar of one's own plan, at the server. */
export interface FeedPort {
  addressOf(token: string): string;
  read(): Promise<FeedAnswer>;
  /** Makes the address, or changes what is in it. */
  choose(choice: FeedChoice): Promise<FeedAnswer>;
  renew(): Promise<FeedAnswer>;
  end(): Promise<FeedAnswer>;
}

/** The dialog of one's own plan in other calendars. */
export interface FeedView {
  readonly step: 'plan' | 'renew' | 'remove';
  /** `none`: nothing is known of it yet, or there can't be one. `signedOut`: there is no account. */
  readonly state: 'none' | 'signedOut' | 'unmade' | 'made' | 'encrypted';
  /** Null: there is none, or this server can't read it anymore. */
  readonly address: string | null;
  readonly choice: FeedChoice;
  /** When it was last read, in words; empty: there is no address. */
  readonly read: string;
  /** Null: nothing is under way. */
  readonly busy: string | null;
  readonly said: { readonly text: string; readonly isError: boolean } | null;
}

/** An action in that dialog. */
export type FeedAction =
  | { readonly action: 'make' | 'copy' | 'renew' | 'remove' | 'back' | 'yes' | 'save' | 'signIn' }
  | { readonly action: 'choose'; readonly what: keyof FeedChoice };

declare module '../dialogs/dialog-view.ts' {
  interface Dialogs {
    readonly calendarFeed: { readonly view: { readonly feed: FeedView }; readonly action: FeedAction };
  }
}
