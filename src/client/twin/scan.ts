// Finds out which list each file is and which task each line, and which lists have to be left alone for now.
import type { Id } from '#core/ids.ts';
import { isId } from '#core/ids.ts';
import { damageIn, readFile, type Block, type TwinFile } from './file.ts';
import { longMarkOf, markOf, type Reading } from './line.ts';
import type { TwinTask } from './model.ts';
import { inPath } from './paths.ts';
import type { BaseList, BaseTask, Found, TwinMemory, TwinServer } from './ports.ts';

/** A file that is a list. */
export interface ListFile {
  readonly list: Id;
  readonly path: string;
  readonly text: string;
  readonly file: TwinFile;
  readonly isNew: boolean;
  readonly ids: ReadonlyMap<Block, Id>;
}

export interface Scan {
  readonly files: ReadonlyMap<Id, ListFile>;
  /** Lists of which nothing is done. */
  readonly frozen: ReadonlySet<Id>;
  /** Lists whose file is gone, which may be deleted. */
  readonly deleted: ReadonlySet<Id>;
  /** Ids that were made for new tasks and lists. */
  readonly made: readonly Id[];
  readonly said: readonly string[];
}

export interface Scanning {
  readonly found: readonly Found[];
  readonly memory: TwinMemory;
  readonly server: TwinServer;
  readonly reading: Omit<Reading, 'labels'>;
  readonly newId: () => Id;
  readonly mayDelete: boolean;
}

/** So few lines may be deleted at once without asking. */
const FEW = 3;

interface Open {
  readonly found: Found;
  readonly text: string;
  readonly file: TwinFile;
}

/** Marks of all tasks that are known. Of two tasks with one short mark, both have long ones. */
export class Marks {
  readonly #ids = new Map<string, Id>();
  readonly #shared = new Set<string>();

  constructor({ memory, server }: Pick<Scanning, 'memory' | 'server'>) {
    for (const { tasks } of memory.lists.values()) for (const { id } of tasks) this.add(id);
    for (const id of server.tree().tasks.keys()) this.add(id);
    for (const id of memory.given.values()) this.add(id);
    for (const id of memory.gone.values()) this.add(id);
  }

  add(id: Id): void {
    const mark = markOf(id);
    const known = this.#ids.get(mark);
    if (known !== undefined && known !== id) this.#shared.add(mark);
    else this.#ids.set(mark, id);
    this.#ids.set(longMarkOf(id), id);
  }

  idOf = (mark: string): Id | undefined => this.#ids.get(mark);
  of = (id: Id): string => (this.#shared.has(markOf(id)) ? longMarkOf(id) : markOf(id));
}

class Scanner {
  readonly #at: Scanning;
  readonly #marks: Marks;
  readonly #base = new Map<Id, BaseTask & { readonly list: Id }>();
  readonly #frozen = new Set<Id>();
  readonly #deleted = new Set<Id>();
  readonly #said: string[] = [];
  readonly #made: Id[] = [];

  constructor(at: Scanning, marks: Marks) {
    this.#at = at;
    this.#marks = marks;
    for (const [list, { tasks }] of at.memory.lists)
      for (const task of tasks) this.#base.set(task.id, { ...task, list });
  }

  scan(): Scan {
    const open = this.#byList();
    const claims = this.#claims(open);
    const files = new Map<Id, ListFile>();
    for (const [list, { file, found, text, isNew }] of open) {
      const ids = this.#idsOf(list, file, claims);
      files.set(list, { list, path: found.path, text, file, isNew, ids });
    }
    this.#hold(files);
    this.#spread(files);
    return {
      files,
      frozen: this.#frozen,
      deleted: this.#deleted,
      made: this.#made,
      said: this.#said,
    };
  }

  #read({ path, text }: Found): Open | null {
    const known = [...this.#at.memory.lists].find(([, list]) => list.path === path);
    const damage = text === null ? "isn't text in UTF-8" : damageIn(text);
    if (text === null || damage !== null) {
      const named = /^posthaste:[ \t]*([0-9a-f-]{36})/m.exec(text ?? '')?.[1];
      for (const list of [known?.[0], named]) if (isId(list)) this.#frozen.add(list);
      this.#said.push(`${path} ${damage ?? ''}.`);
      return null;
    }
    const remembered = (mark: string) => this.#base.get(this.#marks.idOf(mark) ?? ('' as Id)) ?? null;
    const labels = this.#at.server.labels();
    return { found: { path, text }, text, file: readFile(text, { ...this.#at.reading, labels }, remembered) };
  }

  /** One file for each list. */
  #byList(): ReadonlyMap<Id, Open & { readonly isNew: boolean }> {
    const { found, memory, server } = this.#at;
    const open = found.flatMap((each) => this.#read(each) ?? []);
    const lists = server.lists();
    const atPath = new Map([...memory.lists].map(([id, { path }]) => [path, id]));
    const files = new Map<Id, Open & { readonly isNew: boolean }>();
    const unnamed: Open[] = [];
    // Where a list was last comes first: the other one is a copy.
    const isAtHome = ({ file, found: { path } }: Open) => Number(atPath.get(path) === file.list);
    for (const each of open.toSorted((a, b) => isAtHome(b) - isAtHome(a))) {
      const { list } = each.file;
      const { path } = each.found;
      if (list === null) unnamed.push(each);
      else if (!isId(list)) this.#said.push(`${path} has a list id that isn't one.`);
      else if (files.has(list))
        this.#said.push(
          `${path} is a copy of ${files.get(list)?.found.path}. Remove its “posthaste” line to make it a list of its own.`,
        );
      else if (lists.has(list) || memory.lists.has(list)) files.set(list, { ...each, isNew: false });
      else if ([...memory.given.values()].includes(list)) files.set(list, { ...each, isNew: true });
      else
        this.#said.push(
          `${path} belongs to a list that isn't in this account. Remove its “posthaste” line to make it a new one.`,
        );
    }
    for (const each of unnamed) {
      const list = atPath.get(each.found.path);
      if (list !== undefined && !files.has(list)) files.set(list, { ...each, isNew: false });
      else if (each.file.blocks.length > 0) files.set(this.#newId(), { ...each, isNew: true });
    }
    return files;
  }

  #newId(): Id {
    const id = this.#at.newId();
    this.#made.push(id);
    this.#marks.add(id);
    return id;
  }

  /** The one line of each task: of several the one in its own list, or the first. */
  #claims(open: ReadonlyMap<Id, Pick<Open, 'file'>>): ReadonlyMap<Id, Block> {
    const claims = new Map<Id, Block>();
    for (const isHome of [true, false])
      for (const [list, { file }] of open)
        for (const block of file.blocks) {
          const id = block.mark === null ? undefined : this.#marks.idOf(block.mark);
          if (id === undefined || claims.has(id)) continue;
          if (!isHome || this.#base.get(id)?.list === list) claims.set(id, block);
        }
    return claims;
  }

  #idsOf(list: Id, file: TwinFile, claims: ReadonlyMap<Id, Block>): ReadonlyMap<Block, Id> {
    const ids = new Map<Block, Id>();
    // An editor that wrote an older text over the marks: the lines are still the tasks of before.
    const lost = (this.#at.memory.lists.get(list)?.tasks ?? []).filter(({ id }) => !claims.has(id));
    const unmarked = Map.groupBy(lost, ({ title }) => title);
    for (const block of file.blocks) {
      const id = block.mark === null ? undefined : this.#marks.idOf(block.mark);
      if (id !== undefined && claims.get(id) === block) ids.set(block, id);
      else {
        const known = block.mark === null ? unmarked.get(block.content.title)?.shift() : undefined;
        ids.set(block, known?.id ?? this.#newId());
      }
    }
    return ids;
  }

  /** Leaves lists alone from which too much is missing. */
  #hold(files: ReadonlyMap<Id, ListFile>): void {
    const { memory, server, mayDelete } = this.#at;
    const present = new Set([...files.values()].flatMap(({ ids }) => [...ids.values()]));
    const tree = server.tree();
    for (const [list, base] of memory.lists) {
      const own = files.get(list);
      if (!server.lists().has(list) || this.#frozen.has(list)) continue;
      if (own === undefined) {
        (mayDelete ? this.#deleted : this.#frozen).add(list);
        if (!mayDelete)
          this.#said.push(
            `${base.path} is gone. Nothing of its list is deleted. Put it back, or allow it with --allow-deletions.`,
          );
        continue;
      }
      const missing = base.tasks.filter(({ id }) => !present.has(id) && tree.tasks.has(id));
      if (mayDelete || missing.length === 0) continue;
      if (isCut(own.text, base, present)) {
        this.#frozen.add(list);
        this.#said.push(
          `${own.path} ends in the middle, as if it was half saved. It waits for the rest, or for --allow-deletions.`,
        );
      } else if (missing.length > FEW && missing.length * 3 > base.tasks.length) {
        this.#frozen.add(list);
        this.#said.push(
          `${missing.length} of ${base.tasks.length} tasks are missing in ${own.path}. Nothing of it is done until you put them back or allow it with --allow-deletions.`,
        );
      }
    }
  }

  /** A list stays alone as long as one with which it shares tasks does. */
  #spread(files: ReadonlyMap<Id, ListFile>): void {
    const tree = this.#at.server.tree();
    for (let size = -1; size !== this.#frozen.size;) {
      ({ size } = this.#frozen);
      const isFrozen = (id: Id) => this.#frozen.has(this.#base.get(id)?.list ?? ('' as Id));
      for (const [list, { ids }] of files)
        if ([...ids.values()].some((id) => isFrozen(id))) this.#frozen.add(list);
      for (const { id, list } of tree.tasks.values()) if (isFrozen(id)) this.#frozen.add(list);
    }
  }
}

/** The last lines are missing, and the line end with them. */
function isCut(text: string, { tasks, isClosed }: BaseList, present: ReadonlySet<Id>): boolean {
  if (!isClosed || text.endsWith('\n')) return false;
  const last = tasks.findLastIndex(({ id }) => present.has(id));
  return last < tasks.length - 1 && tasks.slice(0, last + 1).every(({ id }) => present.has(id));
}

/** Reads all files. */
export function scanFiles(at: Scanning, marks: Marks): Scan {
  return new Scanner(at, marks).scan();
}

/** The tasks of a file, in the order of its lines. */
export function tasksIn({ list, file, ids }: ListFile): readonly TwinTask[] {
  return file.blocks.map((block) => ({
    ...block.content,
    id: ids.get(block) as Id,
    list,
    parent: block.parent === null ? null : (ids.get(block.parent) ?? null),
  }));
}

/** The name that a file gives its list. */
export const nameIn = (path: string) => inPath.stemOf(path);
