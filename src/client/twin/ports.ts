// What a twin needs from outside: files, the server, and a memory of what was last in step.
import type { Id } from '#core/ids.ts';
import type { Content, Tree, TwinList, TwinTask } from './model.ts';
import type { Update } from './plan.ts';

/** A Markdown file below the folder. */
export interface Found {
  /** From the folder, with `/`. */
  readonly path: string;
  /** Null: it cannot be read as UTF-8. */
  readonly text: string | null;
}

/** The folder. */
export interface TwinFolder {
  /** Its Markdown files; those of editors and of systems are left out. */
  read(): Promise<readonly Found[]>;
  /**
   * Writes a whole file, or none of it. False: it is no longer what it was (`before`; null: there was none), and nothing is
   * written.
   */
  write(path: string, before: string | null, text: string): Promise<boolean>;
  /** False: it has changed, or another file has the name. */
  rename(path: string, before: string, to: string): Promise<boolean>;
  /** Moves a file out of sight, where it is kept. False: it has changed. */
  setAside(path: string, before: string): Promise<boolean>;
}

/** A task as it was when it was last in step. */
export interface BaseTask extends Content {
  readonly id: Id;
  readonly parent: Id | null;
  readonly raw: string;
}

/** A list as it was when it was last in step. */
export interface BaseList {
  readonly path: string;
  readonly name: string;
  readonly folder: Id | null;
  /** The file ended in a line end. */
  readonly isClosed: boolean;
  /** Parents before children. */
  readonly tasks: readonly BaseTask[];
  /** What its file is about to be: written down before the file is. */
  readonly next?: { readonly text: string; readonly list: BaseList };
}

/** The memory. What was saved is on disk when the promise resolves. */
export interface TwinMemory {
  readonly lists: ReadonlyMap<Id, BaseList>;
  /** Ids of new tasks and lists, from before they were written anywhere; and of those that left. By mark. */
  readonly given: ReadonlyMap<string, Id>;
  readonly gone: ReadonlyMap<string, Id>;
  /**
   * What the last round was about to make of tasks on the server; null: to delete them. Somebody may have taken it back in a file since
   * then, and the round may have been cut off before it was remembered.
   */
  readonly sent: ReadonlyMap<Id, Content | null>;
  send(tasks: ReadonlyMap<Id, Content | null>): Promise<void>;
  saveList(id: Id, list: BaseList | null): Promise<void>;
  give(ids: readonly Id[]): Promise<void>;
  leave(ids: readonly Id[]): Promise<void>;
}

/** A place for a task: directly after another one, or first. */
export interface Move {
  readonly id: Id;
  readonly list: Id;
  readonly parent: Id | null;
  readonly after: Id | null;
}

/** What the server would not do, by task, with its reason. */
export type Refused = ReadonlyMap<Id, string>;

/** The server as it was read last, with what was written since. Calls reject when it cannot be reached. */
export interface TwinServer {
  /** Lists with files, and all folders. */
  lists(): ReadonlyMap<Id, TwinList>;
  /** Their tasks. */
  tree(): Tree;
  labels(): ReadonlySet<string>;
  /** Creates tasks at the ends of their places. One that is there already is left as it is; one in the trash is brought back. */
  create(tasks: readonly TwinTask[]): Promise<Refused>;
  update(updates: readonly Update[]): Promise<Refused>;
  /** In this order. */
  move(moves: readonly Move[]): Promise<Refused>;
  remove(ids: readonly Id[]): Promise<Refused>;
  /** Brings tasks back with this content, from wherever they are. Those gone for good get new ids; they are returned. */
  revive(tasks: readonly TwinTask[]): Promise<Refused>;
  makeList(list: TwinList): Promise<void>;
  /** Null: done; else the reason why not. */
  changeList(id: Id, change: { readonly name?: string; readonly folder?: Id | null }): Promise<string | null>;
  removeList(id: Id): Promise<string | null>;
}
