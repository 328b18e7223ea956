// What a native shell does for the desktop app. There are two: linux/ (GJS and WebKitGTK) and electron/. Everything else is in this folder once.

import type { Menu, MenuItem } from './menus.ts';
import type { DesktopPlatform } from '#wire/releases/release.ts';

/** `main`: with the lists. `quick`: the small one that the system-wide key opens. */
export type WindowKind = 'main' | 'quick';
/** A window by its kind and the host of its profile: `main@desktop`. */
export type WindowName = `${WindowKind}@${string}`;

/** The two of a name. */
export function readWindow(name: WindowName): { readonly kind: WindowKind; readonly host: string } {
  const at = name.indexOf('@');
  return { kind: name.slice(0, at) as WindowKind, host: name.slice(at + 1) };
}

/** Names of headers are in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** What goes to the server. `path` begins with a slash and has the query in it. */
export interface Outgoing {
  readonly method: string;
  readonly address: string;
  readonly headers: Headers;
  readonly body: Uint8Array | null;
}

/** What the server answers, with its body as it was before it was compressed. */
export interface Incoming {
  readonly status: number;
  readonly headers: Headers;
  /** Each `Set-Cookie` header. */
  readonly cookies: readonly string[];
  readonly body: Uint8Array;
}

/** Hears of a socket. Nothing comes after `closed`. */
export interface SocketListener {
  opened(): void;
  heard(text: string): void;
  closed(): void;
}

/** A WebSocket at the server. */
export interface ShellSocket {
  send(text: string): void;
  close(): void;
}

/** A note of the system. `task`: the id of the task that it is about. */
export interface Notice {
  readonly task: string;
  readonly title: string;
  readonly body: string;
}

/** Keeps a text where the system keeps passwords. */
export interface Keychain {
  /** Null: there is none, or the system has no keychain that opens. */
  read(name: string): Promise<string | null>;
  /** Null removes it. False: the system has no keychain that opens. */
  write(name: string, text: string | null): Promise<boolean>;
}

/** Starting with the session of the person. */
export interface Autostart {
  read(): Promise<boolean>;
  /** False: it could not be written. */
  write(isOn: boolean): Promise<boolean>;
}

/** An icon in the tray. */
export interface TrayLook {
  readonly title: string;
  readonly items: readonly MenuItem[];
  /** An item was chosen; empty: the icon itself. */
  readonly chosen: (id: string) => void;
}

/** One shell. Nothing of it throws; what fails is in the answer. */
export interface Shell {
  /** What this copy was packed for. */
  readonly platform: DesktopPlatform;
  readonly keychain: Keychain;
  /** A file of the built app by its path there; null: there is none. */
  readBuilt(path: string): Promise<Uint8Array | null>;
  /** A file that the program keeps for itself; null: there is none. */
  readOwn(name: string): Promise<string | null>;
  /** Replaces it whole, readable by its user alone (0600). False: it could not be written. */
  writeOwn(name: string, text: string): Promise<boolean>;
  /** The whole path of such a file, for people. */
  pathOf(name: string): string;
  /** Opens such a file with the program that the person has for text. */
  openOwn(name: string): void;
  /** SHA-256, hex. */
  sha256(content: Uint8Array): Promise<string>;
  /** Keeps the file of a newer version, readable by its user alone, in place of one before. Resolves with its path; null: there is no room. */
  keepUpdate(name: string, content: Uint8Array): Promise<string | null>;
  /** Opens that file with what installs it. False: nothing does. */
  openUpdate(path: string): Promise<boolean>;
  /** Asks the server; null: there was no answer. */
  ask(request: Outgoing): Promise<Incoming | null>;
  /** Opens a WebSocket, to `ws:` or `wss:`. */
  connect(address: string, headers: Headers, on: SocketListener): ShellSocket;
  /** Opens a window with this page, or brings it to the front as it is. */
  show(window: WindowName, page: string): void;
  /** Leads a window that is open to another page of ours. */
  go(window: WindowName, page: string): void;
  /** Ends a window and its page. */
  end(window: WindowName): void;
  /** As if the person closed the window. */
  close(window: WindowName): void;
  /** What stands above a window that is open. */
  entitle(window: WindowName, title: string): void;
  /** Hides a window, and gives the focus back to the program that had it. */
  hide(window: WindowName): void;
  /** Hands a text to the page of an open window. */
  tell(window: WindowName, text: string): void;
  /** The menus of a window; null: it shows none. `chosen` is told the id of an item. */
  menus(window: WindowName, menus: readonly Menu[] | null, chosen: (id: string) => void): void;
  /** Loads the page of a window anew. */
  reload(window: WindowName): void;
  /** How large pages are shown in all windows, also those that come; 1: as they are. */
  zoom(level: number): void;
  /** Languages in which spelling is checked; null: those of the system. Returns those that it has words for. */
  spell(languages: readonly string[] | null): readonly string[];
  /** Shows an icon in the tray, or what it says from now on; null: none. */
  tray(look: TrayLook | null): void;
  /** Whether a tray has the icon now. */
  readonly isInTray: boolean;
  /** Null: this system has no such thing. */
  readonly autostart: Autostart | null;
  /** Answers lines of other programs of the same person, over a socket that nobody else can open (0600). */
  answerLines(answer: (line: string) => Promise<string>): void;
  /** Ends the program. */
  quit(): void;
  /** Opens an address with another program. */
  openExternal(address: string): void;
  /** Takes the system-wide key of quick entry; null: none. False: another program has it, or it can't be had here. */
  takeKey(key: string | null, pressed: () => void): boolean;
  /** How many tasks are due, at the icon of the app where the system shows that. */
  badge(count: number): void;
  notify(notice: Notice, chosen: () => void): void;
  /** Takes a note away that is still shown. */
  withdraw(task: string): void;
}
