// One round of a twin: files and server are read, what was done in the files is done on the server, the files are written from it, and
// what is in step now is remembered. It can be cut off at any step: the next round finds in the states themselves what is done.
import type { Id } from '#core/ids.ts';
import { readFile, type Block, type TwinFile } from './file.ts';
import { layOut } from './layout.ts';
import { ListStage } from './list-stage.ts';
import type { Reading } from './line.ts';
import {
  isSameContent,
  linesOf,
  treeOf,
  type Content,
  type Tree,
  type TwinList,
  type TwinTask,
} from './model.ts';
import { movedIn } from './order.ts';
import { pathFor } from './paths.ts';
import { planTwin, type Plan } from './plan.ts';
import type {
  BaseList,
  BaseTask,
  Found,
  Move,
  Refused,
  TwinFolder,
  TwinMemory,
  TwinServer,
} from './ports.ts';
import { rememberedWith } from './remembering.ts';
import { Marks, scanFiles, tasksIn, type ListFile, type Scan } from './scan.ts';

/** What a round works with. The server has been read already. */
export interface RoundPorts {
  readonly folder: TwinFolder;
  readonly server: TwinServer;
  readonly memory: TwinMemory;
  readonly reading: Omit<Reading, 'labels'>;
  readonly newId: () => Id;
  /** What is missing in files may be deleted. */
  readonly mayDelete: boolean;
}

/** What came of a round. */
export interface RoundReport {
  /** Sentences about what needs attention. */
  readonly said: readonly string[];
  /** Tasks created, changed, moved, brought back or deleted on the server. */
  readonly sent: number;
  /** Files written, renamed or set aside. */
  readonly written: number;
  /** Lists that were left alone. */
  readonly held: number;
}

const EMPTY: TwinFile = {
  list: null,
  hasMark: false,
  head: [{ text: '', end: '\n' }],
  blocks: [],
  eol: '\n',
};

const isShown = (list: TwinList | undefined) => list !== undefined && !list.isFolder;

class Round {
  readonly #ports: RoundPorts;
  readonly #found: readonly Found[];
  readonly #marks: Marks;
  readonly #said: string[] = [];
  readonly #frozen = new Set<Id>();
  #files = new Map<Id, ListFile>();
  #known: ReadonlyMap<Id, BaseTask> | null = null;
  #sent = 0;
  #written = 0;
  /** Lists whose files were changed by somebody else meanwhile. */
  readonly #partial = new Set<Id>();

  constructor(ports: RoundPorts, found: readonly Found[]) {
    this.#found = found;
    this.#ports = { ...ports, memory: rememberedWith(ports.memory, found) };
    this.#marks = new Marks(this.#ports);
  }

  async run(): Promise<RoundReport> {
    const { memory, reading, newId, server, mayDelete } = this.#ports;
    const found = this.#found;
    const scan = scanFiles({ found, memory, server, reading, newId, mayDelete }, this.#marks);
    this.#said.push(...scan.said);
    for (const list of scan.frozen) this.#frozen.add(list);
    this.#files = new Map(scan.files);
    await this.#giveIds(scan);
    const stage = new ListStage({ server, memory, newId, files: this.#files, frozen: this.#frozen });
    this.#sent += await stage.run();
    this.#said.push(...stage.said);
    const before = this.#baseIds();
    const stuck = await this.#sendTasks();
    await this.#dropLists(scan);
    await this.#writeFiles(new Set(found.map(({ path }) => path.toLowerCase())), stuck);
    const after = this.#baseIds();
    const left = [...before].filter((id) => !after.has(id));
    if (left.length > 0) await memory.leave(left);
    if (memory.sent.size > 0) await this.#forgetSent(stuck);
    return { said: this.#said, sent: this.#sent, written: this.#written, held: this.#frozen.size };
  }

  /** What was sent counts until its list is in step. */
  async #forgetSent(stuck: ReadonlySet<Id>): Promise<void> {
    const { memory } = this.#ports;
    const kept = new Map<Id, Content | null>();
    for (const [list, { tasks }] of memory.lists) {
      if (!this.#frozen.has(list) && !this.#partial.has(list) && !stuck.has(list)) continue;
      for (const { id } of tasks) {
        const sent = memory.sent.get(id);
        if (sent !== undefined) kept.set(id, sent);
      }
    }
    if (kept.size < memory.sent.size) await memory.send(kept);
  }

  #baseIds(): ReadonlySet<Id> {
    return new Set([...this.#ports.memory.lists.values()].flatMap(({ tasks }) => tasks.map(({ id }) => id)));
  }

  #remembered = (mark: string): BaseTask | null => {
    this.#known ??= new Map(
      [...this.#ports.memory.lists.values()].flatMap(({ tasks }) => tasks.map((task) => [task.id, task])),
    );
    const id = this.#marks.idOf(mark);
    return (id === undefined ? undefined : this.#known.get(id)) ?? null;
  };

  #layout(list: Id, tasks: readonly TwinTask[], own: ListFile | undefined, others = false) {
    const blocks = new Map<Id, Block>();
    const files = others ? this.#files.values() : [];
    for (const each of [...files, ...(own ? [own] : [])])
      for (const [block, id] of each.ids) blocks.set(id, block);
    return {
      list,
      tasks,
      zone: this.#ports.reading.zone,
      blockOf: (id: Id) => blocks.get(id),
      markOf: this.#marks.of,
    };
  }

  /** Ids stand in the memory and in the file before anything is created with them. */
  async #giveIds({ made }: Scan): Promise<void> {
    const { memory, folder } = this.#ports;
    if (made.length > 0) await memory.give(made);
    for (const own of this.#files.values()) {
      const { list, path, text, file, ids } = own;
      if (this.#frozen.has(list) || !(own.isNew || isShown(this.#ports.server.lists().get(list)))) continue;
      const isMarked = file.list === list && [...ids].every(([{ mark }, id]) => mark === this.#marks.of(id));
      if (isMarked) continue;
      const marked = layOut(file, this.#layout(list, tasksIn(own), own));
      // oxlint-disable-next-line no-await-in-loop -- One file after the other.
      if (!(await folder.write(path, text, marked))) this.#frozen.add(list);
      else this.#files.set(list, this.#readAgain(own, marked));
    }
  }

  #readAgain(own: ListFile, text: string): ListFile {
    const { reading, server } = this.#ports;
    // Labels that a file created a line with are known by then.
    const file = readFile(text, { ...reading, labels: server.labels() }, this.#remembered);
    const ids = new Map(
      file.blocks.flatMap((block) => {
        const id = block.mark === null ? undefined : this.#marks.idOf(block.mark);
        return id === undefined ? [] : [[block, id] as const];
      }),
    );
    return { ...own, text, file, ids };
  }

  #base(): Tree {
    const { memory, server } = this.#ports;
    const { tasks: there } = server.tree();
    const own = [...memory.lists].flatMap(([list, { tasks }]) => tasks.map((task) => ({ ...task, list })));
    return treeOf(
      own.flatMap((task) => {
        const sent = memory.sent.get(task.id);
        const now = there.get(task.id);
        if (sent === null && now === undefined) return [];
        // The server has what was sent, and nobody else's change.
        return sent && now && isSameContent(sent, now) ? [{ ...task, ...sent }] : [task];
      }),
    );
  }

  async #sendTasks(): Promise<ReadonlySet<Id>> {
    const { server, memory } = this.#ports;
    const base = this.#base();
    const tree = server.tree();
    const files = [...this.#files.values()].filter(({ list }) => !this.#frozen.has(list));
    const isHere = ({ id, list }: TwinTask) => isShown(server.lists().get(list)) || tree.tasks.has(id);
    const file = treeOf(files.flatMap((own) => tasksIn(own).filter((task) => isHere(task))));
    const frozen = new Set<Id>();
    for (const { id, list } of base.tasks.values()) if (this.#frozen.has(list)) frozen.add(id);
    const gone = new Set(memory.gone.values());
    for (const [id, sent] of memory.sent) if (sent === null) gone.add(id);
    const plan = planTwin({ base, file, server: tree, frozen, gone });
    this.#said.push(...plan.said);
    const sent = new Map<Id, Content | null>(memory.sent);
    for (const { id, to } of plan.updates) {
      const own = file.tasks.get(id);
      // A merge is more than the file: only what the file itself says may be taken back in it.
      if (own && isSameContent(own, to)) sent.set(id, to);
      else sent.delete(id);
    }
    for (const id of plan.deletes) for (const each of withAllUnder(tree, id)) sent.set(each, null);
    if (plan.updates.length + plan.deletes.length > 0) await memory.send(sent);
    const refused = await this.#carryOut(plan, file);
    const stuck = new Set<Id>();
    for (const [id, reason] of refused) {
      const task = file.tasks.get(id) ?? base.tasks.get(id);
      if (!task) continue;
      stuck.add(task.list);
      this.#said.push(`‘${task.title}’ couldn't be saved: ${reason}`);
    }
    return stuck;
  }

  async #carryOut(plan: Plan, file: Tree): Promise<Refused> {
    const { server } = this.#ports;
    const refused = new Map<Id, string>();
    const done = async (count: number, work: () => Promise<Refused>) => {
      if (count === 0) return;
      this.#sent += count;
      for (const [id, reason] of await work()) refused.set(id, reason);
    };
    for (let at = 0; at < plan.news.length;) {
      const isBack = plan.news[at]?.isBack === true;
      const end = plan.news.findIndex((each, index) => index > at && each.isBack !== isBack);
      const some = plan.news.slice(at, end < 0 ? undefined : end).map(({ task }) => task);
      // oxlint-disable-next-line no-await-in-loop -- Parents before children.
      await done(some.length, () => (isBack ? server.revive(some) : server.create(some)));
      at += some.length;
    }
    await done(plan.updates.length, () => server.update(plan.updates));
    const moves = movesFor(plan, { file, tree: server.tree() });
    await done(moves.length, () => server.move(moves));
    const isKept = (id: Id) => !refused.has(id);
    const removed = plan.deletes.filter((id) => isKept(id));
    // What could not be moved out from under a task would be deleted with it.
    await done(removed.length, () =>
      refused.size > 0 ? Promise.resolve(new Map()) : server.remove(removed),
    );
    return refused;
  }

  /** Lists that are gone on one side. */
  async #dropLists({ deleted }: Scan): Promise<void> {
    const { server, memory } = this.#ports;
    for (const list of deleted) {
      if (linesOf(server.tree(), list).length > 0) continue;
      // oxlint-disable-next-line no-await-in-loop -- Rare.
      const reason = await server.removeList(list);
      if (reason !== null) this.#said.push(`A list couldn't be deleted: ${reason}`);
      // oxlint-disable-next-line no-await-in-loop -- Rare.
      await memory.saveList(list, null);
    }
    for (const [list, base] of memory.lists) {
      if (isShown(server.lists().get(list)) || this.#frozen.has(list)) continue;
      // oxlint-disable-next-line no-await-in-loop -- Rare.
      await this.#dropList(list, base);
    }
  }

  async #dropList(list: Id, base: BaseList): Promise<void> {
    const { folder, memory } = this.#ports;
    const own = this.#files.get(list);
    if (own !== undefined) {
      const known = new Map(base.tasks.map((task) => [task.id, task.raw]));
      const isUnchanged =
        own.ids.size <= known.size && [...own.ids].every(([{ raw }, id]) => known.get(id) === raw);
      if (isUnchanged) {
        if (!(await folder.setAside(own.path, own.text))) return;
        this.#said.push(`${own.path}: its list was deleted or archived. The file is in .posthaste/removed.`);
      } else {
        const plain = own.text
          .replace(/^posthaste:.*\r?\n/m, '')
          .replaceAll(/[ \t]+\^[0-9a-f]{12}(?:[0-9a-f]{20})?[ \t]*$/gm, '');
        if (!(await folder.write(own.path, own.text, plain))) return;
        this.#said.push(
          `${own.path}: its list was deleted or archived, but you changed the file. It becomes a new list.`,
        );
      }
      this.#written += 1;
    }
    await memory.saveList(list, null);
  }

  async #writeFiles(paths: Set<string>, stuck: ReadonlySet<Id>): Promise<void> {
    const { server } = this.#ports;
    const lists = server.lists();
    for (const list of lists.values()) {
      if (list.isFolder || this.#frozen.has(list.id) || stuck.has(list.id)) continue;
      const own = this.#files.get(list.id);
      const present = own?.path ?? null;
      const isTaken = (path: string) => paths.has(path.toLowerCase()) && path !== present;
      const path = pathFor(list, lists, { present, isTaken });
      paths.add(path.toLowerCase());
      // oxlint-disable-next-line no-await-in-loop -- One file after the other.
      await this.#writeFile(list, own, path);
    }
  }

  async #writeFile(list: TwinList, own: ListFile | undefined, path: string): Promise<void> {
    const { folder, server, memory } = this.#ports;
    const tasks = linesOf(server.tree(), list.id);
    const text = layOut(own?.file ?? EMPTY, this.#layout(list.id, tasks, own, true));
    const base = this.#baseOf(list, { path, text, tasks });
    const was = memory.lists.get(list.id);
    if (own !== undefined && own.path !== path) {
      if (!(await folder.rename(own.path, own.text, path))) {
        this.#partial.add(list.id);
        return;
      }
      this.#written += 1;
    }
    if (text !== own?.text) {
      if (was !== undefined) await memory.saveList(list.id, { ...plain(was), next: { text, list: base } });
      if (!(await folder.write(path, own?.text ?? null, text))) {
        this.#partial.add(list.id);
        if (was !== undefined) await memory.saveList(list.id, plain(was));
        return;
      }
      this.#written += 1;
    }
    if (!isSameBase(was, base) || text !== own?.text) await memory.saveList(list.id, base);
  }

  #baseOf(
    { name, parent }: TwinList,
    {
      path,
      text,
      tasks,
    }: { readonly path: string; readonly text: string; readonly tasks: readonly TwinTask[] },
  ): BaseList {
    const { reading } = this.#ports;
    const { blocks } = readFile(text, { ...reading, labels: new Set() }, () => null);
    return {
      path,
      name,
      folder: parent,
      isClosed: text.endsWith('\n'),
      tasks: tasks.map((task, at) => {
        const block = blocks[at];
        // Lines of nobody that came to stand below a task are its notes from now on: the next round reads them.
        const isRead = block?.content.notes === task.notes;
        return { ...task, raw: isRead ? block.raw : '' };
      }),
    };
  }
}

/** Without what its file is about to be. */
function plain(list: BaseList): BaseList {
  const { path, name, folder, isClosed, tasks } = list;
  return { path, name, folder, isClosed, tasks };
}

function isSameBase(a: BaseList | undefined, b: BaseList): boolean {
  if (
    a === undefined ||
    a.next !== undefined ||
    a.path !== b.path ||
    a.name !== b.name ||
    a.folder !== b.folder ||
    a.isClosed !== b.isClosed
  )
    return false;
  return (
    a.tasks.length === b.tasks.length &&
    a.tasks.every((task, at) => {
      const other = b.tasks[at];
      return (
        other !== undefined &&
        task.id === other.id &&
        task.parent === other.parent &&
        task.raw === other.raw &&
        isSameContent(task, other)
      );
    })
  );
}

function withAllUnder({ order }: Tree, top: Id): readonly Id[] {
  const all = [top];
  for (const id of all) all.push(...(order.get(id) ?? []));
  return all;
}

/** The moves by which the server comes to the orders of a plan. */
function movesFor(plan: Plan, { file, tree }: { readonly file: Tree; readonly tree: Tree }): readonly Move[] {
  const moves: Move[] = [];
  for (const [under, wanted] of plan.orders) {
    const parent = tree.tasks.get(under);
    const list = parent?.list ?? under;
    const there = tree.order.get(under) ?? [];
    const own = wanted.filter((id) => tree.tasks.has(id));
    const stays = new Set(there);
    const shifted = movedWithin(there, own);
    for (const [at, id] of own.entries()) {
      if (stays.has(id) && !shifted.has(id)) continue;
      const home = tree.tasks.get(id) ?? file.tasks.get(id);
      if (home) moves.push({ id, list, parent: parent ? under : null, after: own[at - 1] ?? null });
    }
  }
  return moves;
}

function movedWithin(there: readonly Id[], wanted: readonly Id[]): ReadonlySet<Id> {
  const present = new Set(there);
  return movedIn(
    there,
    wanted.filter((id) => present.has(id)),
  );
}

/** Runs one round. */
export async function runRound(ports: RoundPorts): Promise<RoundReport> {
  return new Round(ports, await ports.folder.read()).run();
}
