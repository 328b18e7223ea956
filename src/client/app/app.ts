// The headless app: everything a person can do, without a screen. web/ forwards keys and typed text to it and draws its
// view; tests drive it the same way. `createApp` is in create-app.ts.
import type { FeedPort } from '../calendar/feed-view.ts';
import type { GooglePort } from '../calendar/google-view.ts';
import type { PlanPort } from '../plan/port.ts';
import type { CalendarsPort } from '../calendar/port.ts';
import type { Id } from '#core/ids.ts';
import type { TrashItem } from '#sync/replica/replica-types.ts';
import type { HistoryPage } from '#wire/history.ts';
import type { MailAddress } from '#wire/mail.ts';
import type { EmptiedTrash } from '#wire/trash.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import type { SealingDesk } from '#sync/sealing/sealing-desk.ts';
import type { ArgumentValues, CommandInfo, CommandResult } from '../commands/command.ts';
import type { DevicePort } from './device.ts';
import type { KeyGroup } from '../keys/editor-view.ts';
import type { KeyInput } from '../keys/stroke.ts';
import type { FileContent, FilesPort } from '../files/port.ts';
import type { Importer, ImportSource } from '../importing/port.ts';
import type { PaperPort } from '../printing/port.ts';
import type { GivenFile } from '../transfer/given-file.ts';
import type { InstallPort } from '../install/install-port.ts';
import type { ProgramInfo } from './program-info.ts';
import type { MessageHold } from './messages.ts';
import type { SafetyPort } from '../safety/port.ts';
import type { MacroRunsPort } from '../macro-runs/port.ts';
import type { PresencePort } from '../presence/port.ts';
import type { SharingPort } from '../sharing/port.ts';
import type { NotificationPort } from '../reminders/port.ts';
import type { DesktopPort } from '../desktop/port.ts';
import type { Setting, SettingValue } from '../settings/setting.ts';
import type { Signal } from './signal.ts';
import type { ScriptPort } from '../macros/script/port.ts';
import type { Replacer } from '../replacing/replacer.ts';
import type { TextField } from '../text/text-field.ts';
import type { DragOver, FocusView, StatusView, View } from './view.ts';
import type { DialogAction, DialogFrame, DialogType } from '../dialogs/dialog-view.ts';
import type { ListMove } from '../dialogs/list-cursor.ts';

/** The capabilities that only the platform has. Results come back as values; the app shows failures. */
export interface Platform {
  /** Apple platforms show ⌘ and take Mod as Meta. */
  readonly apple: boolean;
  readonly info: ProgramInfo;
  /** The main pointer is a finger, and no key that only a hardware keyboard has was pressed yet. */
  readonly touch: boolean;
  /** IANA zone the person is in. */
  zone(): string;
  locale(): string;
  /** Runs `work` after `delayMs`; returns the cancellation. */
  after(delayMs: number, work: () => void): () => void;
  copyText(text: string): Promise<boolean>;
  readClipboard(): Promise<string | null>;
  /** Offers a file for saving. */
  saveFile(name: string, type: string, text: string): void;
  /** Asks for a text file; null when the person canceled. */
  pickFile(accept: string): Promise<GivenFile | null>;
  /** Asks for files to import, with any ending; empty when the person canceled. */
  pickSources(): Promise<readonly ImportSource[]>;
  /** What reads them, for one import. Rejects when the code for it could not be had. */
  openImporter(): Promise<Importer>;
  openLink(url: string): void;
  /** Small, device-only preferences (theme, sidebar width, last place). Strings, synchronous. */
  readonly preferences: { get(key: string): string | null; set(key: string, value: string): void };
  /** Resolves once changes that closed pages left unwritten are issued here; rejects if that fails. */
  taken(): Promise<void>;
  readonly account: AccountPort;
  readonly device: DevicePort;
  /** The person asked to start without custom styling. */
  readonly isSafe: boolean;
  /** Runs the expressions of find and replace. */
  openReplacer(): Replacer;
  /** Runs the scripts of macros. Rejects when the code for it could not be had. */
  scripts(): Promise<ScriptPort>;
  /** Contents of attached files; loaded on first use. */
  files(): Promise<FilesPort>;
  /** Loads the components that the first screen does not need. */
  loadViews(): Promise<void>;
  /** Resolves once this focus is drawn and set, or after a timeout. */
  drawn(focus: FocusView): Promise<void>;
  /** Replays a queued key as if it were pressed now, where the focus is. */
  press(input: KeyInput): void;
  /** Inserts pasted text where the focus is. */
  insertText(text: string): void;
  /** The focused text field. Null: none has the focus; notes handle these edits themselves. */
  textField(): TextField | null;
  /** Options of a dialog that are focused one by one. */
  readonly options: {
    /** Moves the focus to another option. False: there is none. */
    move(to: ListMove): boolean;
    /** Presses the focused option. False: it cannot be pressed. */
    choose(): boolean;
    /** Name of the focused option; null: none is focused. */
    current(): string | null;
  };
  /** Why a part of the app could not be loaded: no server, or a server with another version of the app. */
  whyMissing(): Promise<'offline' | 'renewed'>;
  readonly notifications: NotificationPort;
  readonly install: InstallPort;
  /** Absent until the views are here. */
  readonly paper?: PaperPort | undefined;
  reload(): void;
  /** The program around the page, in the desktop client. */
  readonly desktop?: DesktopPort | undefined;
}

/** Why a request about the account failed, with a sentence for the person. */
export type AccountFailure =
  | {
      readonly type:
        | 'offline'
        | 'invalid'
        | 'taken'
        | 'wrong'
        | 'code'
        | 'busy'
        | 'failed'
        | 'unconfirmed'
        | 'gone';
      readonly message: string;
    }
  /** Signed in to another account than the one whose tasks are here: answer with `useOther` or `refuseOther`. */
  | { readonly type: 'other'; readonly message: string; readonly email: string };

/** A session of the account: one signed-in browser. Times are milliseconds since the epoch. */
export interface SessionInfo {
  readonly id: string;
  readonly name: string;
  readonly current: boolean;
  readonly createdAt: number;
  readonly lastUsedAt: number;
}

/** A copy of the account's tasks, as the server knows it. */
export interface DeviceInfo {
  readonly number: number;
  /** Browser and system; null when not known any more. */
  readonly name: string | null;
  /** `api`: an API client; it holds no copy. Without a name it is the server. */
  readonly kind?: 'web' | 'device' | 'api' | undefined;
  /** It used the session of this browser: another tab, or an earlier identity of this copy. */
  readonly current: boolean;
  readonly signedIn: boolean;
  readonly lastHeardAt: number | null;
  /** Number of its newest change that the server has; 0: none. */
  readonly lastChange: number;
  /** It had received everything when it was last heard from. False: not known. */
  readonly upToDate: boolean;
}

/** Identifies the list whose e-mail address is requested. */
export interface MailQuery {
  readonly scope: Id;
  readonly list: Id;
}

/** Which page of which history to read; without `id` and `under`, that of the whole scope. */
export interface HistoryQuery {
  readonly scope: Id;
  /** One entity. */
  readonly id?: Id;
  /** One entity with all its descendants. */
  readonly under?: Id;
  /** The `next` of the page before; null for the first. */
  readonly before: number | null;
  /** Entries of the page, about; at most as many as the server gives. */
  readonly limit?: number;
}

/** Opens ports of the live connection. */
export interface LivePorts {
  /** Live selection. */
  presence(): PresencePort;
  /** Macros that programs run. */
  macroRuns(): MacroRunsPort;
  /** Calendars of other programs. */
  calendars(): CalendarsPort;
  /** One's own plan in other calendars. */
  calendarFeed(): FeedPort;
  /** Calendars of Google's. */
  google(): GooglePort;
  /** The plan of the account, where the server has plans. */
  plan(): PlanPort;
}

/**
 * Accounts and sessions as the server offers them. Signing up or in keeps the tasks of this profile and adds them to
 * the account.
 */
export interface AccountPort {
  readonly email: string | null;
  signUp(email: string, password: string): Promise<AccountFailure | null>;
  /** `code`: the one-time code, where one was asked for by a failure of type `code`. */
  signIn(email: string, password: string, code?: string): Promise<AccountFailure | null>;
  signInByPasskey(): Promise<AccountFailure | null>;
  /** The port behind the account safety dialog. */
  safety(): Promise<SafetyPort | AccountFailure>;
  /** The port behind the dialogs of sharing. Rejects if it cannot be loaded. */
  sharing(): Promise<SharingPort>;
  /** What this device and its server have for encrypting the account’s own tasks. Rejects if it cannot be loaded. */
  sealing(): Promise<SealingDesk>;
  /** What the live connection carries besides rows. Rejects if it cannot be loaded. */
  live(): Promise<LivePorts>;
  /** Opens the other account's copy instead; this one's stays on the device. */
  useOther(): void;
  /** Ends the other account's session again. */
  refuseOther(): Promise<void>;
  signOut(): Promise<AccountFailure | null>;
  /**
   * The account will be erased at that time and all its sessions are over: its copy stays and becomes local to the
   * device.
   */
  stayHere(until: number): void;
  /** The last successful sign-in canceled a pending erasure of the account. */
  readonly isKept: boolean;
  sessions(): Promise<readonly SessionInfo[] | AccountFailure>;
  revoke(id: string): Promise<AccountFailure | null>;
  /** Devices of the account, most recently heard first. */
  devices(): Promise<readonly DeviceInfo[] | AccountFailure>;
  /**
   * Removes the named items that are still in the trash of the person's own scope, for good. At most as many as
   * `trashLimits` says.
   */
  emptyTrash(items: readonly TrashItem[]): Promise<Pick<EmptiedTrash, 'removed' | 'left'> | AccountFailure>;
  /** The e-mail address of a list, or a new one replacing it, with the mail usage so far. */
  mailAddress(of: MailQuery, isNew: boolean): Promise<Pick<MailAddress, 'address' | 'use'> | AccountFailure>;
  /** One page of the history of a scope, newest first. */
  history(of: HistoryQuery): Promise<Pick<HistoryPage, 'entries' | 'next'> | AccountFailure>;
}

/** State that must survive when signing up or in replaces the running app. */
export interface Handover {
  readonly cursor: Id | null;
  readonly message: StatusView['message'];
}

/** A pressed row: modifier keys, and the line if a task has several. */
export interface Press {
  readonly shift: boolean;
  readonly mod: boolean;
  readonly at?: number;
}

/** An edit that a key makes in notes at the caret. */
export type NotesAct = 'checkbox' | 'bold' | 'italic' | 'strike' | 'code' | 'link' | 'indent' | 'outdent';

/** The field in which notes are written, as far as commands act on it. */
export interface NotesField {
  /** False: the edit does not apply at the caret, and nothing was changed. */
  act(what: NotesAct): boolean;
  /** The address of the link at the caret; null where none may be opened. */
  linkAtCaret(): string | null;
}

/** Dragging by a pointer, step by step. `view.drag` holds the result to draw; Escape ends it without a change. */
export interface DragPort {
  /**
   * Picks up a list of the sidebar (`at` −1) or the task of line `at`, with the whole selection if the task is part of
   * it. False: it cannot be moved.
   */
  begin(id: Id, at: number): boolean;
  /** Null: over no drop target. */
  over(target: DragOver | null): void;
  /** Drops them at the last target, as one undo. */
  drop(): void;
  cancel(): void;
}

/** Where a link came from, as far as known. */
export interface LinkFrom {
  /** It opened this window. */
  readonly hasOpened: boolean;
  /** It came from another site. */
  readonly isForeign: boolean;
}

/** Several pasted lines, and the range of the title that they replace. */
export interface TitlePaste {
  readonly text: string;
  /** Start of the replaced range, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
}

/** The interface that web/ and tests drive; `createApp` makes it. Events of the screen go in, `view` comes out. */
export interface App {
  readonly view: View;
  readonly engine: Engine;
  readonly platform: Platform;
  /** Every command; until the rest is loaded, only those of the first keys. */
  readonly commands: ReadonlyMap<string, CommandInfo>;
  /** The current value of a setting, as a signal. */
  setting<T extends SettingValue>(setting: Setting<T>): Signal<T>;
  /** Every binding of a command, the usual one first; each is one keycap per stroke: [["⌘K"]], [["g", "i"]]. */
  keysOf(command: string): readonly (readonly string[])[];
  /** As `keysOf`, without keys that do something else in the outline. */
  keysInOutline(command: string): readonly (readonly string[])[];
  /** The frame of a dialog: title, width, keys. */
  dialogFrame(type: DialogType): DialogFrame;
  /** Every key with its command, grouped by context; empty until the rest is loaded. */
  keySheet(): readonly KeyGroup[];
  /** Called as each command begins, nested ones included; for measuring. */
  onRun: ((id: string) => void) | null;
  /** Runs a command now, or once it is loaded. Asks for missing arguments in the palette. Never throws, never waits. */
  run(id: string, args?: ArgumentValues): CommandResult;
  /**
   * The next key belongs to the app wherever the focus is: a chord was begun, or a title is about to be edited whose
   * field does not exist yet.
   */
  readonly wantsKey: boolean;
  /** True when the key was taken: the caller must then prevent the browser's default. */
  key(input: KeyInput): boolean;
  /** A line of the hint panel was pressed instead of its key. */
  pressHint(stroke: string): void;
  /** Holds the message on screen: it is being looked at, or nobody can see it. */
  holdMessage(why: MessageHold, isHeld: boolean): void;
  /** All modifiers count as released (the window lost focus). */
  releaseKeys(): void;
  /** The title input of the task being edited changed. Kept as a draft until committed by any way of leaving. */
  draftTitle(id: Id, text: string, caret: number, isComposing?: boolean): void;
  /** The text of the title being written, which may be newer than what is drawn; null when `id` is not being written. */
  titleDraft(id: Id): string | null;
  /** The name input of the list being renamed changed. */
  draftName(id: Id, text: string): void;
  /** The notes text changed; saved when typing pauses or the pane is left. `shown`: the previous text of the field. */
  draftNotes(id: Id, text: string, shown?: string): void;
  /** Replaces the notes at once: a checkbox in them was pressed. */
  putNotes(id: Id, text: string): void;
  /** The open notes with the latest typing; null: these notes are not open. */
  readNotes(id: Id): string | null;
  /** The rich notes field was mounted, or unmounted (null). */
  notesField(field: NotesField | null): void;
  /** `caret` in UTF-16 units; absent: at the end. */
  searchInput(query: string, caret?: number): void;
  /** Takes an option that the search line offers. */
  pressSearchOption(index: number): void;
  paletteInput(query: string): void;
  /** Pointer twins of keys. */
  pressRow(id: Id, modifiers: Press): void;
  pressSidebarRow(id: Id): void;
  readonly drag: DragPort;
  pressPaletteItem(index: number): void;
  /** The mouse was pressed while it is turned off. */
  pressedInVain(): void;
  /** Picks a day in the month beside a date picker: 2026-11-27. */
  pressDay(day: string): void;
  /** The browser moved focus by itself (Tab, click, assistive technology). */
  focusArrived(pane: 'outline' | 'sidebar' | 'notes' | 'search', by: 'tab' | 'other', id: Id | null): void;
  /** Text pasted while a row (not a text field) has focus. */
  pasted(text: string): void;
  /** Several lines pasted into the title being edited, replacing [from, to). False: the field inserts them as text. */
  pastedInTitle(id: Id, paste: TitlePaste): boolean;
  /** Files were pasted or dropped: onto that task, or onto the one at the cursor. */
  gaveFiles(files: readonly FileContent[], on: Id | null): void;
  /** Follows a link into the app once everything is loaded: `/app/open/…` or an address of our protocol. */
  follow(address: string, from?: LinkFrom): void;
  /**
   * The system opened these files with the app, or they were dropped beside the tasks: imports them once the person confirms.
   * What was dropped and cannot be imported is attached to the task at the cursor.
   */
  openFiles(files: readonly ImportSource[], how?: 'opened' | 'dropped'): void;
  /** Something was done in a dialog of that type. Ignored if another dialog has replaced it. */
  answer<T extends DialogType>(dialog: T, action: DialogAction<T>): void;
  /** The window became too narrow for lists beside the outline, or wide enough again. */
  layoutChanged(isNarrow: boolean): void;
  closeDialog(): void;
  /** Loads the rest; for idle moments. Rejects if it cannot be loaded. */
  loadRest(): Promise<void>;
  /** The state for the app that replaces this one. */
  handOver(): Handover;
  takeOver(from: Handover): void;
  /** Clock tick from the platform, at most once a minute: dates shown move on. */
  tick(): void;
  /** Commits the text being edited: the page may be gone in a moment. */
  commitText(): void;
  close(): Promise<void>;
}
