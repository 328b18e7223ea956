// Items of the palette, and the sources that find them.
import type { Row } from '#sync/rows/row.ts';
import type { Command } from '../commands/define.ts';
import type { ArgumentValues } from '../commands/command.ts';
import type { PickedItem, PickerQuestion } from '../pickers/question.ts';
import type { Program } from '../app/program.ts';
import type { FoldedQuery } from '../search/ranking.ts';
import type { OwnNames } from './names.ts';
import type { TaskSource } from './task-source.ts';

/** The action of a key other than Enter on an item. */
export interface Act {
  /** "focus on it" */
  readonly verb: string;
  readonly run: () => void;
}

/** An item of the palette, with what choosing it does. */
export interface Item extends PickedItem {
  readonly second?: Act;
  readonly refine?: Act;
}

export interface Ranked {
  readonly item: Item;
  readonly score: number;
}

/** A step of the palette under chips: the answers for a command, or the contents of something. */
export interface Step {
  readonly labels: readonly string[];
  readonly prompt: string;
  /** The step that Backspace returns to; null: the top. */
  readonly before: Step | null;
  /** The picker that reads the answer, if it is in words. */
  readonly question: PickerQuestion | null;
  /** Its items are there before anything is typed, which only narrows them. */
  readonly isChosen?: boolean;
  items(query: string): readonly Item[];
  /** The results so far for the last query; absent: all come at once. */
  collect?(): readonly Item[];
}

/** Finds one kind of item for the palette. */
export interface Source {
  /** The prefixes under which it is searched; without a prefix it always is. */
  readonly scopes: string;
  /** The palette opens: caches of the last time may be out of date. */
  refresh(): void;
  find(query: FoldedQuery): readonly Ranked[];
}

/** What sources may do with the palette. */
export interface Reach {
  readonly program: Program;
  readonly commands: ReadonlyMap<string, Command>;
  readonly names: OwnNames;
  readonly tasks: TaskSource;
  /** Whether commands on tasks have one that the person can see to be meant. */
  readonly hasTask: () => boolean;
  /** Every binding of a command, as keycaps. */
  readonly keysOf: (command: string) => readonly (readonly string[])[];
  /** The key that accepts the active item, as keycaps. */
  readonly acceptKeys: () => readonly string[];
  /** Closes the palette and runs a command; shows its key. */
  readonly choose: (command: Command) => void;
  /** Asks for the arguments of a command, as if it had been chosen. */
  readonly ask: (command: Command) => void;
  /** Closes the palette and runs a command with the answers given here. */
  readonly finish: (command: Command, values: ArgumentValues, words: ArgumentValues) => void;
  readonly run: (id: string, args?: ArgumentValues) => void;
  readonly close: () => void;
  /** `query`: what stands in the field then. */
  readonly enter: (step: Step, query?: string) => void;
  /** Shows the contents of a list, a folder, a label or a task. */
  readonly look: (row: Row) => void;
  /** Lists the items again for the same query, if that step is still shown; `active` stays active. */
  readonly again: (step: Step, active: string | null) => void;
  /** Everything that matches, without suggestions. */
  readonly find: (query: string) => readonly Item[];
  /** The current title of an item. */
  readonly titleOf: (item: string) => string;
  /** Score of earlier choices, recent or for this very query. */
  readonly habit: (id: string) => number;
}

/** Closes the palette before it does the work. */
export function closing(reach: Pick<Reach, 'close'>, work: () => void): () => void {
  return () => {
    reach.close();
    work();
  };
}

/** An item that only answers a question. */
export function answering({ second: _second, refine: _refine, ...item }: Item, choose: () => void): Item {
  return { ...item, unavailable: null, choose };
}

/** The items, best first; among equals the shortest title. */
export function byScore(ranked: readonly Ranked[]): readonly Item[] {
  return ranked
    .toSorted(
      (a, b) =>
        b.score - a.score ||
        a.item.title.length - b.item.title.length ||
        (a.item.title < b.item.title ? -1 : 1),
    )
    .map(({ item }) => item);
}

/** A line with a message instead of an item: it cannot be chosen. */
export function hint(title: string): Item {
  return {
    id: 'hint',
    title,
    hint: '',
    matches: [],
    keys: [],
    heading: null,
    unavailable: '',
    choose: () => undefined,
  };
}

/** Fills in the defaults of an item. */
export function itemOf(said: Pick<Item, 'id' | 'title' | 'hint' | 'choose'> & Partial<Item>): Item {
  return { matches: [], keys: [], unavailable: null, heading: null, ...said };
}
