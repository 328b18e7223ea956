// Views and actions of the agenda and of the dialog of calendars.
import type { EventLink } from '#core/calendar/event-words.ts';
import type { Id } from '#core/ids.ts';

/** A calendar in its dialog. */
export interface CalendarView {
  readonly id: Id;
  readonly name: string;
  readonly host: string;
  /** `#rrggbb`. */
  readonly color: string;
  readonly isHidden: boolean;
  /** How it stands, in words. */
  readonly state: string;
  readonly isWrong: boolean;
  /** It is a file on this device. */
  readonly isHere: boolean;
  /** It is read with a password. */
  readonly hasPassword: boolean;
}

/** The dialog of calendars. */
export interface CalendarsView {
  readonly step: 'list' | 'add' | 'rename';
  /** Null: not read yet. */
  readonly calendars: readonly CalendarView[] | null;
  /** The one that a step is about, or where the list goes on; null: at its first. */
  readonly calendar: CalendarView | null;
  /** The name of the one that was removed last and can be brought back; null: there is none. */
  readonly removed: string | null;
  /** There is no account: files alone can be added. */
  readonly isSignedOut: boolean;
  /** Null: nothing is under way. */
  readonly busy: string | null;
  readonly said: { readonly text: string; readonly isError: boolean } | null;
}

/** An action in the dialog of calendars. */
export type CalendarsAction =
  | {
      readonly action:
        | 'add'
        | 'file'
        | 'server'
        | 'agenda'
        | 'feed'
        | 'google'
        | 'back'
        | 'restore'
        | 'signIn';
    }
  | { readonly action: 'send' | 'save'; readonly text: string }
  /** Without a calendar: the one with the focus. */
  | {
      readonly action: 'hide' | 'rename' | 'remove' | 'color' | 'again' | 'password';
      readonly calendar: Id | null;
    };

/** An event or a block in the agenda, on one of its days. */
export interface AgendaThingView {
  /** Names it among those that are shown. */
  readonly key: string;
  readonly title: string;
  /** "09:00–09:15", "All day". */
  readonly time: string;
  readonly place: string;
  readonly calendar: string;
  /** Of its calendar, `#rrggbb`; null: it is a block. */
  readonly color: string | null;
  /** A block of a task that is done. */
  readonly isDone: boolean;
}

/** The agenda. */
export interface AgendaView {
  readonly days: readonly {
    readonly day: string;
    /** "Monday, November 30". */
    readonly name: string;
    readonly isToday: boolean;
    /** "2 h planned of 5 h free"; empty: nothing is planned. */
    readonly planned: string;
    /** More than fits. */
    readonly isFull: boolean;
    readonly things: readonly AgendaThingView[];
  }[];
  /** Null: all days are shown. Else an event; a block goes to its task. */
  readonly open:
    | (AgendaThingView & {
        readonly day: string;
        readonly description: string;
        /** What can be opened, a call first. */
        readonly links: readonly EventLink[];
      })
    | null;
  /** When the calendars were read, or why not. */
  readonly state: string;
  readonly hasCalendars: boolean;
  readonly isBusy: boolean;
}

/** An action in the agenda. */
export type AgendaAction =
  | { readonly action: 'earlier' | 'later' | 'today' | 'back' | 'calendars' }
  | { readonly action: 'link'; readonly address: string }
  | { readonly action: 'open'; readonly key: string };

declare module '../dialogs/dialog-view.ts' {
  interface Dialogs {
    readonly calendars: {
      readonly view: { readonly calendars: CalendarsView };
      readonly action: CalendarsAction;
    };
    readonly agenda: { readonly view: { readonly agenda: AgendaView }; readonly action: AgendaAction };
  }
}
