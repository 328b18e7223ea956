// What a twin remembers, in `.posthaste` below its folder: a file for each list, so that only those are written that changed. Git is
// told to leave it alone.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { isId, type Id } from '#core/ids.ts';
import { longMarkOf, markOf } from '#client/twin/line.ts';
import type { Content } from '#client/twin/model.ts';
import type { BaseList, TwinMemory } from '#client/twin/ports.ts';
import { Failure } from '../failure.ts';
import { takeLock } from '../file-lock.ts';
import { writeWhole } from '../private-folder.ts';
import { OWN } from './folder.ts';

const MOST_GONE = 10_000;
const VERSION = 1;

const idSchema = z.custom<Id>((value) => isId(value));
const contentSchema = z.object({
  title: z.string(),
  isDone: z.boolean(),
  due: z.nullable(z.string()),
  start: z.nullable(z.string()),
  snooze: z.nullable(z.string()),
  repeat: z.nullable(z.string()),
  minutes: z.nullable(z.number()),
  labels: z.array(z.string()),
  notes: z.string(),
});
const listSchema = z.object({
  path: z.string(),
  name: z.string(),
  folder: z.nullable(idSchema),
  isClosed: z.boolean(),
  tasks: z.array(z.extend(contentSchema, { id: idSchema, parent: z.nullable(idSchema), raw: z.string() })),
});
const fileSchema = z.extend(listSchema, {
  next: z.optional(z.object({ text: z.string(), list: listSchema })),
});
const twinSchema = z.object({
  version: z.literal(VERSION),
  /** The Inbox, which stands for the account. */
  account: z.string(),
  /** The zone of times in files, which stays when the machine travels. */
  zone: z.string(),
});
const marksSchema = z.object({
  given: z.array(idSchema),
  gone: z.array(idSchema),
  sent: z.array(z.object({ id: idSchema, content: z.nullable(contentSchema) })),
});

/** Which account a folder is the twin of. */
export type TwinIdentity = z.infer<typeof twinSchema>;

function readJson<T>(path: string, schema: z.ZodMiniType<T>): T | null {
  if (!existsSync(path)) return null;
  const damaged = new Failure(
    'refused',
    `${path} is damaged. Delete the folder ${OWN} next to your files: the twin then compares everything anew.`,
  );
  try {
    const read = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    if (read.success) return read.data;
  } catch {
    // Not JSON.
    throw damaged;
  }
  throw damaged;
}

function marked(ids: readonly Id[]): Map<string, Id> {
  return new Map(ids.flatMap((id) => [[markOf(id), id] as const, [longMarkOf(id), id] as const]));
}

export class DiskMemory implements TwinMemory {
  readonly lists: Map<Id, BaseList>;
  readonly given: Map<string, Id>;
  readonly gone: Map<string, Id>;
  readonly sent: Map<Id, Content | null>;
  readonly #folder: string;

  /** Throws a Failure when something in it is damaged. */
  constructor(root: string) {
    this.#folder = join(root, OWN);
    const lists = join(this.#folder, 'lists');
    const names = existsSync(lists) ? readdirSync(lists).filter((name) => name.endsWith('.json')) : [];
    this.lists = new Map(
      names.flatMap((name) => {
        const id = name.slice(0, -'.json'.length);
        const list = isId(id) ? readJson(join(lists, name), fileSchema) : null;
        return list === null || !isId(id) ? [] : [[id, list as BaseList] as const];
      }),
    );
    const {
      given = [],
      gone = [],
      sent = [],
    } = readJson(join(this.#folder, 'marks.json'), marksSchema) ?? {};
    this.given = marked(given);
    this.gone = marked(gone);
    this.sent = new Map(sent.map(({ id, content }) => [id, content]));
  }

  get identity(): TwinIdentity | null {
    return readJson(join(this.#folder, 'twin.json'), twinSchema);
  }

  begin(account: string, zone: string): void {
    writeWhole(join(this.#folder, '.gitignore'), '*\n');
    this.#write('twin.json', { version: VERSION, account, zone } satisfies TwinIdentity);
  }

  #write(name: string, value: unknown): void {
    writeWhole(join(this.#folder, name), `${JSON.stringify(value)}\n`);
  }

  saveList(id: Id, list: BaseList | null): Promise<void> {
    const name = `lists/${id}.json`;
    if (list === null) {
      rmSync(join(this.#folder, name), { force: true });
      this.lists.delete(id);
    } else {
      this.#write(name, list);
      this.lists.set(id, list);
    }
    return Promise.resolve();
  }

  #saveMarks(): Promise<void> {
    const based = new Set([...this.lists.values()].flatMap(({ tasks }) => tasks.map(({ id }) => id)));
    const given = [...new Set(this.given.values())].filter((id) => !based.has(id) && !this.lists.has(id));
    const gone = [...new Set(this.gone.values())].slice(-MOST_GONE);
    const sent = [...this.sent].map(([id, content]) => ({ id, content }));
    this.#write('marks.json', { given, gone, sent });
    return Promise.resolve();
  }

  give(ids: readonly Id[]): Promise<void> {
    for (const [mark, id] of marked(ids)) this.given.set(mark, id);
    return this.#saveMarks();
  }

  leave(ids: readonly Id[]): Promise<void> {
    for (const [mark, id] of marked(ids)) this.gone.set(mark, id);
    return this.#saveMarks();
  }

  send(tasks: ReadonlyMap<Id, Content | null>): Promise<void> {
    const all = [...tasks];
    this.sent.clear();
    for (const [id, content] of all) this.sent.set(id, content);
    return this.#saveMarks();
  }
}

/** Lets one twin at a time into a folder. Returns what ends it; a lock of a program that is gone does not count. */
export function lockTwin(root: string, now: number): () => void {
  mkdirSync(join(root, OWN), { recursive: true, mode: 0o700 });
  return takeLock(join(root, OWN, 'lock'), 'Another “posthaste twin” keeps this folder in step', now);
}
