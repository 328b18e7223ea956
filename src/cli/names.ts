// Lists and labels by name. Fetching them costs one of the few list requests per minute, so they are cached for a while and
// fetched again when a name is not among them.
import * as z from 'zod/mini';
import type { Label, List } from '#wire/api/client.ts';
import { Failure } from './failure.ts';
import type { PrivateFolder } from './private-folder.ts';
import type { Session } from './session.ts';
import type { World } from './world.ts';

const FILE = 'names.json';
const GOOD_FOR_MS = 10 * 60_000;

const labelSchema = z.object({ id: z.string(), name: z.string() });
const listSchema = z.object({
  id: z.string(),
  name: z.string(),
  list_type: z.enum(['list', 'folder', 'inbox', 'smart']),
  parent_id: z.nullable(z.string()),
  archived_at: z.nullable(z.string()),
});
const keptSchema = z.object({
  url: z.string(),
  account: z.string(),
  at: z.number(),
  lists: z.array(listSchema),
  labels: z.array(labelSchema),
});
type Kept = z.infer<typeof keptSchema>;

/** A list, folder or smart list as it is cached, in the field names of the API. */
export type KnownList = z.infer<typeof listSchema>;
export type KnownLabel = z.infer<typeof labelSchema>;

export interface KnownNames {
  readonly lists: readonly KnownList[];
  readonly labels: readonly KnownLabel[];
}

/** The name people see: the Inbox has an empty one in the API. */
export const listName = ({ name, list_type: type }: Pick<KnownList, 'name' | 'list_type'>) =>
  name === '' && type === 'inbox' ? 'Inbox' : name;

/** The names from the top folder down: ["Home", "Garden"]. */
export function pathOf(list: KnownList, lists: readonly KnownList[]): readonly string[] {
  const parent = lists.find(({ id }) => id === list.parent_id);
  return [...(parent ? pathOf(parent, lists) : []), listName(list)];
}

/** By id, by path, or by a unique name; exact matches win over case-insensitive ones, living lists over archived ones. */
export function findList(text: string, lists: readonly KnownList[]): KnownList | 'several' | null {
  const exact = lists.find((list) => list.id === text.toLowerCase());
  if (exact) return exact;
  const isPath = (list: KnownList, fold: (text: string) => string) =>
    fold(pathOf(list, lists).join('/')) === fold(text.replaceAll(/\s*\/\s*/g, '/'));
  const fold = (each: string) => each.toLowerCase();
  const tests: ((list: KnownList) => boolean)[] = [
    (list) => isPath(list, (each) => each),
    (list) => listName(list) === text,
    (list) => isPath(list, fold),
    (list) => fold(listName(list)) === fold(text),
  ];
  for (const test of tests) {
    const found = lists.filter(test);
    const living = found.filter(({ archived_at: archived }) => archived === null);
    const [one, ...more] = living.length > 0 ? living : found;
    if (one) return more.length === 0 ? one : 'several';
  }
  return null;
}

export class Names {
  readonly #world: World;
  readonly #folder: PrivateFolder;
  readonly #session: Session;
  #hasAsked = false;

  constructor(world: World, folder: PrivateFolder, session: Session) {
    this.#world = world;
    this.#folder = folder;
    this.#session = session;
  }

  #kept(): Kept | null {
    const kept = this.#folder.read(FILE, keptSchema);
    const { url, account } = this.#session;
    return kept?.url === url && kept.account === account ? kept : null;
  }

  /** Caches the names that came with an answer. */
  keep(answer: { readonly lists: readonly List[]; readonly labels: readonly Label[] }): KnownNames {
    const { url, account } = this.#session;
    const kept = keptSchema.parse({ url, account, at: this.#world.now(), ...answer });
    this.#folder.write(FILE, kept);
    return kept;
  }

  /** Deletes the cache: names of an encrypted account don't stay without its key. */
  forget(): void {
    this.#folder.remove(FILE);
  }

  /** From the cache while it is fresh. */
  async all(): Promise<KnownNames> {
    const kept = this.#kept();
    return kept && this.#world.now() - kept.at < GOOD_FOR_MS ? kept : this.#ask();
  }

  /** As `all`, but no older than `youngerMs` or fetched in this run. Offline or above the server's limits: the cache. */
  async anew(youngerMs = 0): Promise<KnownNames> {
    const kept = this.#kept();
    if (kept && (this.#hasAsked || this.#world.now() - kept.at < youngerMs)) return kept;
    try {
      return await this.#ask();
    } catch (error) {
      const isAway = error instanceof Failure && (error.kind === 'offline' || error.kind === 'limit');
      if (kept && isAway) return kept;
      throw error;
    }
  }

  /** As the server has them: a cache cannot prove that something does not exist. */
  async #certain(): Promise<KnownNames> {
    return (this.#hasAsked ? this.#kept() : null) ?? this.#ask();
  }

  async #ask(): Promise<KnownNames> {
    const names = this.keep(await this.#session.ask((client) => client.listTasks({ limit: '1' })));
    this.#hasAsked = true;
    return names;
  }

  async list(text: string): Promise<KnownList> {
    const known = findList(text, (await this.all()).lists);
    const found = known === null ? findList(text, (await this.#certain()).lists) : known;
    if (found === 'several')
      throw new Failure('missing', `Several lists are called “${text}”. Use its path, like Home/Garden.`);
    if (found === null) throw new Failure('missing', `There's no list “${text}”.`);
    return found;
  }

  /** Matches exactly, spaces and capitals included. */
  async label(name: string): Promise<KnownLabel> {
    const named = ({ labels }: KnownNames) =>
      labels.find((label) => label.name === name || label.id === name);
    const found = named(await this.all()) ?? named(await this.#certain());
    if (!found) throw new Failure('missing', `There's no label “${name}”. Create it in the app first.`);
    return found;
  }
}
