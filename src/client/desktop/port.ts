// What the desktop client gives the app beside what every platform does: the program around the page. In browsers there is none.

/** What the app tells the program. */
export type DesktopSaid =
  /** A profile more, in a window of its own that asks for the server. */
  | { readonly type: 'add' }
  /** The window of another profile. */
  | { readonly type: 'switch'; readonly host: string }
  /** The profile of this window is taken away, with everything that it stored on this machine. */
  | { readonly type: 'remove' }
  /** The file with custom JavaScript is made, if there is none, and opened. */
  | { readonly type: 'custom' }
  /** Something of the program is turned on or off. */
  | { readonly type: 'keep'; readonly what: DesktopSwitch; readonly isOn: boolean }
  /** Languages in which spelling is checked, as "en-US"; null: those of the system. */
  | { readonly type: 'spelling'; readonly languages: readonly string[] | null };

/** What of the program can be turned on and off. */
export type DesktopSwitch = 'menuBar' | 'tray' | 'autostart';

/** What is on; null: this system has no such thing. `spelling`: languages in which it is checked now. */
export type DesktopSystem = Readonly<Record<DesktopSwitch, boolean | null>> & {
  readonly spelling: readonly string[];
  /** Where the file with custom JavaScript is. */
  readonly customFile: string;
};

/** One account at one server. `title`: what a person knows it by. */
export interface DesktopAccount {
  readonly host: string;
  readonly title: string;
}

/** All accounts of this machine. `here`: the host of this window's. */
export interface DesktopAccounts {
  readonly here: string;
  readonly profiles: readonly DesktopAccount[];
}

/** The program around the page. */
export interface DesktopPort {
  say(message: DesktopSaid): void;
  /** Called now if they are known, and whenever they change. The returned function ends it. */
  onProfiles(listener: (accounts: DesktopAccounts) => void): () => void;
  /** Parts of the app (app/part.ts) that the client brings: called with those that there are, once they are loaded. */
  onParts(add: (parts: readonly object[]) => void): void;
  /** As `onProfiles`, of what the program does. */
  onSystem(listener: (system: DesktopSystem) => void): () => void;
}
