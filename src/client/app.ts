// The headless app: everything a person can do, without a screen. web/ forwards keys and typed text to it and draws
// its view; tests drive it the same way. `createApp` is in create-app.ts.
import type { Id } from '#core/ids.ts';
import type { TrashItem } from '#sync/emptying.ts';
import type { HistoryPage } from '#wire/history.ts';
import type { MailAddress } from '#wire/mail.ts';
import type { EmptiedTrash } from '#wire/trash.ts';
import type { Engine } from '#sync/replica-types.ts';
import type { ArgumentValues, CommandInfo, CommandResult } from './commands/command.ts';
import type { DevicePort } from './device.ts';
import type { KeyGroup } from './keys/key-sheet.ts';
import type { KeyInput } from './keys/stroke.ts';
import type { FileContent, FilesPort } from './files/port.ts';
import type { InstallPort } from './install-port.ts';
import type { ProgramInfo } from './program-info.ts';
import type { MessageHold } from './messages.ts';
import type { SafetyPort } from './safety/port.ts';
import type { NotificationPort } from './reminders/port.ts';
import type { Setting, SettingValue } from './settings/setting.ts';
import type { Signal } from './signal.ts';
import type { Replacer } from './replacing/replacer.ts';
import type { TextField } from './text-field.ts';
import type { TitlePaste } from './title-paste.ts';
import type { DragOver, FocusView, StatusView, View } from './view.ts';

/** What only the platform can do. Results come back as values; failures are shown by the app. */
export interface Platform {
  /** Apple platforms show ⌘ and take Mod as Meta. */
  readonly apple: boolean;
  readonly info: ProgramInfo;
  /** A finger is the first thing that points here, and no key was pressed yet that only a keyboard of its own has. */
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
  /** Asks for a text file; null when the person cancelled. */
  pickFile(accept: string): Promise<{ readonly name: string; readonly text: string } | null>;
  openLink(url: string): void;
  /** Small, device-only preferences (theme, sidebar width, last place). Strings, synchronous. */
  readonly preferences: { get(key: string): string | null; set(key: string, value: string): void };
  /** Resolves once what closed pages could not write is made; rejects where it could not be made. */
  taken(): Promise<void>;
  readonly account: AccountPort;
  readonly device: DevicePort;
  /** The person asked to start without a look of their own. */
  readonly isSafe: boolean;
  /** Where expressions of find and replace are run. */
  openReplacer(): Replacer;
  /** Content of attached files, loaded with the first of them. */
  files(): Promise<FilesPort>;
  /** Brings what draws the parts that the first screen does not have. */
  loadViews(): Promise<void>;
  /** Resolves once this is drawn and has the focus; where that cannot be, after a while. */
  drawn(focus: FocusView): Promise<void>;
  /** Presses a key that was held, as if it were pressed now, where the focus is. */
  press(input: KeyInput): void;
  /** Text that was pasted, where the focus is. */
  insertText(text: string): void;
  /** Null: nothing that has the focus is one; notes do such things themselves. */
  textField(): TextField | null;
  /** Why a part of the app could not be loaded: no server, or one that has another version of the app. */
  whyMissing(): Promise<'offline' | 'renewed'>;
  readonly notifications: NotificationPort;
  readonly install: InstallPort;
  printPage(): void;
  reload(): void;
}

export type AccountFailure =
  | {
      readonly type: 'offline' | 'invalid' | 'taken' | 'wrong' | 'code' | 'busy' | 'failed' | 'unconfirmed';
      readonly message: string;
    }
  /** Signed in, but as somebody else than the one whose tasks are here: answer with `useOther` or `refuseOther`. */
  | { readonly type: 'other'; readonly message: string; readonly email: string };

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
  /** `api`: a program, which holds no copy. */
  readonly kind?: 'web' | 'device' | 'api' | undefined;
  /** It spoke under the session of this browser: another tab, or what this copy was known as before. */
  readonly current: boolean;
  readonly signedIn: boolean;
  readonly lastHeardAt: number | null;
  /** Number of its newest change that the server has; 0: none. */
  readonly lastChange: number;
  /** It had been told everything when it was last heard. False: not known. */
  readonly upToDate: boolean;
}

/** The list whose e-mail address is asked for. */
export interface MailQuery {
  readonly scope: Id;
  readonly list: Id;
}

export interface HistoryQuery {
  readonly scope: Id;
  /** One entity. */
  readonly id?: Id;
  /** One entity with everything beneath it. */
  readonly under?: Id;
  /** The `next` of the page before; null for the first. */
  readonly before: number | null;
}

/** Accounts and sessions as the server offers them. Signing up or in keeps what the profile holds and adds it to the account. */
export interface AccountPort {
  readonly email: string | null;
  signUp(email: string, password: string): Promise<AccountFailure | null>;
  /** `code`: the one-time code, where one was asked for by a failure of type `code`. */
  signIn(email: string, password: string, code?: string): Promise<AccountFailure | null>;
  signInByPasskey(): Promise<AccountFailure | null>;
  /** What the dialog of the account's own safety works with. */
  safety(): Promise<SafetyPort | AccountFailure>;
  /** Opens the other account's copy instead; this one's stays on the device. */
  useOther(): void;
  /** Ends the other account's session again. */
  refuseOther(): Promise<void>;
  signOut(): Promise<AccountFailure | null>;
  sessions(): Promise<readonly SessionInfo[] | AccountFailure>;
  revoke(id: string): Promise<AccountFailure | null>;
  /** The account's own, the one heard last first. */
  devices(): Promise<readonly DeviceInfo[] | AccountFailure>;
  /** Removes for good, of the person's own scope, what still lies in the trash as named. At most as many as `trashLimits` says. */
  emptyTrash(items: readonly TrashItem[]): Promise<Pick<EmptiedTrash, 'removed' | 'left'> | AccountFailure>;
  /** The e-mail address of a list, or a new one in its place, with how much mail arrived. */
  mailAddress(of: MailQuery, isNew: boolean): Promise<Pick<MailAddress, 'address' | 'use'> | AccountFailure>;
  /** One page of what happened in a scope, newest first. */
  history(of: HistoryQuery): Promise<Pick<HistoryPage, 'entries' | 'next'> | AccountFailure>;
}

/** What must not be lost when signing up or in exchanges the app under the person's hands. */
export interface Handover {
  readonly cursor: Id | null;
  readonly message: StatusView['message'];
}

/** A row that was pressed: keys held, and which line of it where a task has several. */
export interface Press {
  readonly shift: boolean;
  readonly mod: boolean;
  readonly at?: number;
}

export type NotesAct = 'checkbox' | 'bold' | 'italic' | 'strike' | 'code' | 'link' | 'indent' | 'outdent';

/** The field notes are written in, as far as commands act on it. */
export interface NotesField {
  /** False: it means nothing where the caret stands, and nothing was changed. */
  act(what: NotesAct): boolean;
  /** The address of the link at the caret; null where none may be opened. */
  linkAtCaret(): string | null;
}

/** Dragging by a pointer, step by step. What it comes to is drawn from `view.drag`; Escape ends it without a change. */
export interface DragPort {
  /** Takes up a list of the sidebar (`at` −1), or the task of line `at`, and all that are selected where it is one of them. False: it cannot be moved. */
  begin(id: Id, at: number): boolean;
  /** Null: over nothing that could take them. */
  over(target: DragOver | null): void;
  /** Puts them where they were last over, as one undo. */
  drop(): void;
  cancel(): void;
}

export interface App {
  readonly view: View;
  readonly engine: Engine;
  readonly platform: Platform;
  /** Every command; while most are still being loaded, those of the first keys. */
  readonly commands: ReadonlyMap<string, CommandInfo>;
  /** The value of a setting, now and later. */
  setting<T extends SettingValue>(setting: Setting<T>): Signal<T>;
  /** Every binding of a command, the usual one first; each is one keycap per stroke: [["⌘K"]], [["g", "i"]]. */
  keysOf(command: string): readonly (readonly string[])[];
  /** Every key with what it does, grouped by where it counts; none while that was not loaded. */
  keySheet(): readonly KeyGroup[];
  /** Told of every command as it begins, nested ones included; for measuring. */
  onRun: ((id: string) => void) | null;
  /** Runs a command now, or as soon as it is loaded. Asks for missing arguments in the palette. Never throws, never waits. */
  run(id: string, args?: ArgumentValues): CommandResult;
  /** True when the key was taken: the caller must then prevent the browser's default. */
  key(input: KeyInput): boolean;
  /** A line of the panel of what may follow was pressed instead of its key. */
  pressHint(stroke: string): void;
  /** What was said stays meanwhile: it is looked at, or cannot be. */
  holdMessage(why: MessageHold, isHeld: boolean): void;
  /** All modifiers count as released (the window lost focus). */
  releaseKeys(): void;
  /** The title input of the task being edited changed. Kept as a draft until committed by any way of leaving. */
  draftTitle(id: Id, text: string, caret: number, isComposing?: boolean): void;
  /** The name input of the list being renamed changed. */
  draftName(id: Id, text: string): void;
  /** The notes text changed from `shown`, what the field held before; saved when typing pauses or the pane is left. */
  draftNotes(id: Id, text: string, shown?: string): void;
  /** Writes the notes as a whole, at once: something in them was pressed. */
  putNotes(id: Id, text: string): void;
  /** The notes that are open as they stand, what was typed last included; null: not those. */
  readNotes(id: Id): string | null;
  /** A field that can do more than hold the notes came, or went. */
  notesField(field: NotesField | null): void;
  /** `caret` in UTF-16 units; absent: at the end. */
  searchInput(query: string, caret?: number): void;
  /** Takes what the search line offers. */
  pressSearchOption(index: number): void;
  paletteInput(query: string): void;
  /** Pointer twins of keys. */
  pressRow(id: Id, modifiers: Press): void;
  pressSidebarRow(id: Id): void;
  readonly drag: DragPort;
  pressPaletteItem(index: number): void;
  /** The mouse was pressed while it does nothing. */
  pressedInVain(): void;
  /** A day of the month beside a date: 2026-11-27. */
  pressDay(day: string): void;
  /** The browser moved focus by itself (Tab, click, assistive technology). */
  focusArrived(pane: 'outline' | 'sidebar' | 'notes' | 'search', by: 'tab' | 'other', id: Id | null): void;
  /** Text pasted while a row (not a text field) has focus. */
  pasted(text: string): void;
  /** Several lines pasted into the title being edited, in place of [from, to) of it. False: the field takes them as text. */
  pastedInTitle(id: Id, paste: TitlePaste): boolean;
  /** Files pasted or dropped: onto that task, or onto the one at the cursor. */
  gaveFiles(files: readonly FileContent[], on: Id | null): void;
  /**
   * Does what a link into the app asks for, once everything is loaded: `/app/open/…` or an address of our protocol.
   * `hasOpened`: the link opened this window.
   */
  follow(address: string, hasOpened?: boolean): void;
  /** The system opened these with the app: their content is imported once the person has said yes. */
  openFiles(files: readonly { readonly name: string; readonly text: string }[]): void;
  /** Submitted by the dialog on screen: field values by name. */
  submitDialog(values: Readonly<Record<string, string>>): void;
  /** The window became too narrow for the lists to stand beside the outline, or wide enough again. */
  layoutChanged(isNarrow: boolean): void;
  closeDialog(): void;
  /** Loads what the first screen did without; for idle moments. Rejects when it cannot be loaded. */
  loadRest(): Promise<void>;
  /** What the app that replaces this one takes up. */
  handOver(): Handover;
  takeOver(from: Handover): void;
  /** Clock tick from the platform, at most once a minute: dates shown move on. */
  tick(): void;
  /** Commits what is being typed: the page may be gone in a moment. */
  commitText(): void;
  close(): Promise<void>;
}
