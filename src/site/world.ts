// What the pages are made from and what becomes of them. The build gathers the one and writes down the other; the pages
// themselves read no file.
import type { ReactNode } from 'react';

/** Keycaps of one way to press a command: one entry for each stroke. */
export type Caps = readonly string[];

/** A command's title and the ways to press it, on Apple keyboards and on all others. */
export interface CommandKeys {
  readonly title: string;
  readonly apple: readonly Caps[];
  readonly other: readonly Caps[];
}

/** Cells are texts in which `code` and [[command]] mean what they mean in a guide. */
export interface GeneratedTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** An image to be shown: its address, and its size in pixels. */
export interface Picture {
  readonly src: string;
  /** The same in the dark. */
  readonly dark: string | null;
  readonly width: number;
  readonly height: number;
}

export interface KeyGroupText {
  readonly title: string;
  readonly commands: readonly string[];
}

/** The overview recording: addresses of its forms, and what it says. */
export interface Film {
  readonly mp4: string;
  readonly webm: string;
  readonly poster: string;
  readonly captions: string;
  readonly transcript: readonly string[];
}

/** All that the pages draw from. The build reads it from files and from the app's own tables. */
export interface SiteWorld {
  /** By guide id or name of an information page. */
  readonly texts: Readonly<Record<string, string>>;
  /** The days on which these were last changed, as YYYY-MM-DD, where that is known. */
  readonly changedOn: Readonly<Record<string, string>>;
  /** By command id. */
  readonly commands: Readonly<Record<string, CommandKeys>>;
  readonly keyGroups: readonly KeyGroupText[];
  /** By name: `operators`, `dates Weekdays`. */
  readonly tables: Readonly<Record<string, GeneratedTable>>;
  /** By the address that a text uses. */
  readonly pictures: Readonly<Record<string, Picture>>;
  /** CHANGELOG.md. */
  readonly changes: string;
  readonly version: string;
  /** Addresses of films and their posters and captions, by file name. */
  readonly media: Readonly<Record<string, string>>;
  /** The sentences of the overview's captions. */
  readonly transcript: readonly string[];
  /** The day on which the overview was last changed, where that is known. */
  readonly filmedOn: string | null;
}

/** A page before it is drawn. `path` has no trailing slash except for `/`; `structured` is JSON-LD. */
export interface Page {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly body: ReactNode;
  /** False: search engines are asked to leave it out. */
  readonly isIndexed?: boolean;
  /** Its address holds a secret that must not travel in a Referer. */
  readonly isSecret?: boolean;
  /** React takes over in the browser. */
  readonly isAlive?: boolean;
  /** The same page after a form was sent without scripts, by outcome. */
  readonly outcomes?: Readonly<Record<string, ReactNode>>;
  readonly structured?: readonly Readonly<Record<string, unknown>>[];
  /** Read aloud as text: false for pages that are no text. */
  readonly hasTwin?: boolean;
}

export interface SearchSection {
  readonly id: string;
  readonly guide: string;
  readonly heading: string;
  readonly text: string;
  /** Other words for what the guide is about; only where the guide begins. */
  readonly names: string;
  readonly status: 'built' | 'planned';
}
