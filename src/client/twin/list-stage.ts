// What files say about lists: new files are new lists, renamed files are renamed lists, files in another directory are lists in another
// folder, and a renamed directory is a renamed folder.
import type { Id } from '#core/ids.ts';
import type { TwinList } from './model.ts';
import { dirOfFolder, fileName, inPath } from './paths.ts';
import type { TwinMemory, TwinServer } from './ports.ts';
import type { ListFile } from './scan.ts';

interface Stage {
  readonly server: TwinServer;
  readonly memory: TwinMemory;
  readonly newId: () => Id;
  readonly files: ReadonlyMap<Id, ListFile>;
  readonly frozen: ReadonlySet<Id>;
}

const { dirOf, stemOf } = inPath;

/** Carries out what files say about lists, before their tasks. */
export class ListStage {
  readonly #at: Stage;
  readonly said: string[] = [];
  #count = 0;

  constructor(at: Stage) {
    this.#at = at;
  }

  /** The number of lists that were made or changed. */
  async run(): Promise<number> {
    const { files, frozen } = this.#at;
    const own = [...files.values()].filter(({ list }) => !frozen.has(list));
    for (const each of own) await this.#renamedFolder(each); // oxlint-disable-line no-await-in-loop
    for (const each of own) await (each.isNew ? this.#make(each) : this.#change(each)); // oxlint-disable-line no-await-in-loop
    return this.#count;
  }

  #folderAt(dir: string): TwinList | undefined {
    const lists = this.#at.server.lists();
    return [...lists.values()].find(({ id, isFolder }) => isFolder && dirOfFolder(id, lists) === dir);
  }

  async #folderFor(dir: string): Promise<Id | null> {
    if (dir === '') return null;
    const known = this.#folderAt(dir);
    if (known) return known.id;
    const { server, memory, newId } = this.#at;
    const parent = await this.#folderFor(dirOf(dir));
    const id = newId();
    await memory.give([id]);
    await server.makeList({ id, name: dir.slice(dir.lastIndexOf('/') + 1), isFolder: true, parent });
    this.#count += 1;
    return id;
  }

  async #make({ list, path }: ListFile): Promise<void> {
    const parent = await this.#folderFor(dirOf(path));
    await this.#at.server.makeList({ id: list, name: stemOf(path), isFolder: false, parent });
    this.#count += 1;
  }

  /** All files of a directory are in another one, of a name that no folder has. */
  async #renamedFolder({ list, path }: ListFile): Promise<void> {
    const { memory, files, server } = this.#at;
    const was = memory.lists.get(list);
    if (was === undefined || dirOf(was.path) === dirOf(path)) return;
    const [from, to] = [dirOf(was.path).split('/'), dirOf(path).split('/')];
    const changed = from.flatMap((name, at) => (name === to[at] ? [] : [at]));
    const [at] = changed;
    if (from.length !== to.length || changed.length !== 1 || at === undefined) return;
    const [old, now] = [from.slice(0, at + 1).join('/'), to.slice(0, at + 1).join('/')];
    const folder = this.#folderAt(old);
    const isLeft = [...files.values()].some((each) => each.path.startsWith(`${old}/`));
    if (folder === undefined || now === '' || this.#folderAt(now) || isLeft) return;
    const reason = await server.changeList(folder.id, { name: to[at] ?? '' });
    this.#count += 1;
    if (reason !== null) this.said.push(`The folder ${old} couldn't be renamed: ${reason}`);
  }

  async #change({ list, path }: ListFile): Promise<void> {
    const { memory, server } = this.#at;
    const was = memory.lists.get(list);
    const now = server.lists().get(list);
    if (was === undefined || now === undefined || was.path === path) return;
    const stem = stemOf(path);
    const isNamed = [stem, stem.replace(/ \(\d+\)$/, '')].includes(fileName(now.name));
    const isRenamed = stem !== stemOf(was.path) && now.name === was.name && !isNamed;
    const isMoved = dirOf(path) !== dirOf(was.path) && now.parent === was.folder;
    const folder = isMoved ? await this.#folderFor(dirOf(path)) : now.parent;
    const change = {
      ...(isRenamed ? { name: stem } : {}),
      ...(folder === now.parent ? {} : { folder }),
    };
    if (Object.keys(change).length === 0) return;
    this.#count += 1;
    const reason = await server.changeList(list, change);
    if (reason !== null) this.said.push(`${path} couldn't be ${isRenamed ? 'renamed' : 'moved'}: ${reason}`);
  }
}
