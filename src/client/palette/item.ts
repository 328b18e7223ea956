// What the palette lists, however it was found; and what finds one kind of thing.
import type { Row } from '#sync/row.ts';
import type { Command } from '../commands/define.ts';
import type { ArgumentValues } from '../commands/command.ts';
import type { PickedItem, PickerQuestion } from '../pickers/question.ts';
import type { Program } from '../program.ts';
import type { FoldedQuery } from '../ranking.ts';
import type { OwnNames } from './names.ts';
import type { TaskSource } from './task-source.ts';

/** What a key besides Enter does with an item. */
export interface Act {
  /** "focus on it" */
  readonly verb: string;
  readonly run: () => void;
}

export interface Item extends PickedItem {
  readonly second?: Act;
  readonly refine?: Act;
}

export interface Ranked {
  readonly item: Item;
  readonly score: number;
}

/** What the palette shows under chips: the answers to a command, or what is within something. */
export interface Step {
  readonly labels: readonly string[];
  readonly prompt: string;
  /** The step that Backspace leads to; null: everything. */
  readonly before: Step | null;
  /** What answers, where words are read. */
  readonly question: PickerQuestion | null;
  items(query: string): readonly Item[];
  /** What was found of the same words meanwhile; absent: nothing comes later. */
  collect?(): readonly Item[];
}

/** One kind of thing that the palette finds. */
export interface Source {
  /** The prefixes that it is listed under; without one it always is. */
  readonly scopes: string;
  /** The palette opens: what was kept of the last time may be out of date. */
  refresh(): void;
  find(query: FoldedQuery): readonly Ranked[];
}

/** What sources may do with the palette. */
export interface Reach {
  readonly program: Program;
  readonly commands: ReadonlyMap<string, Command>;
  readonly names: OwnNames;
  readonly tasks: TaskSource;
  /** Every binding of a command, as keycaps. */
  readonly keysOf: (command: string) => readonly (readonly string[])[];
  /** What takes the active item, as keycaps. */
  readonly acceptKeys: () => readonly string[];
  /** Closes the palette and runs a command; its key is shown then. */
  readonly choose: (command: Command) => void;
  /** Asks for what a command needs, as if it had been chosen. */
  readonly ask: (command: Command) => void;
  /** Closes the palette and runs a command that was asked for here with what was answered. */
  readonly finish: (command: Command, values: ArgumentValues) => void;
  readonly run: (id: string, args?: ArgumentValues) => void;
  readonly close: () => void;
  readonly enter: (step: Step) => void;
  /** Shows what is within a list, a folder, a label or a task. */
  readonly look: (row: Row) => void;
  /** Lists anew for the same words, while that step is still shown; `active` stays the active item. */
  readonly again: (step: Step, active: string | null) => void;
  /** Everything that fits, without what is offered where nothing does. */
  readonly find: (query: string) => readonly Item[];
  /** What an item is called now. */
  readonly titleOf: (item: string) => string;
  /** Points for what was chosen before, of late or for these very words. */
  readonly habit: (id: string) => number;
}

/** Closes the palette, then does it. */
export function closing(reach: Pick<Reach, 'close'>, work: () => void): () => void {
  return () => {
    reach.close();
    work();
  };
}

/** An item that answers a question, and does nothing else. */
export function answering({ second: _second, refine: _refine, ...item }: Item, choose: () => void): Item {
  return { ...item, unavailable: null, choose };
}

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

/** Says something where there is nothing to choose: there is no reason beside it. */
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

/** What is usual of an item need not be said. */
export function itemOf(said: Pick<Item, 'id' | 'title' | 'hint' | 'choose'> & Partial<Item>): Item {
  return { matches: [], keys: [], unavailable: null, heading: null, ...said };
}
