// What processes say to each other about data, as text: which scopes, sessions, accounts and links are others than before, and
// never what is in them. Waiting news is kept once, the newest. A process of another version says more or less: what is not
// understood is passed over.
import * as z from 'zod';
import { isRecord } from '#core/json.ts';
import type { Id } from '#core/ids.ts';
import { idSchema } from '#wire/values.ts';
import type { BusMessage } from './bus.ts';

/** PostgreSQL takes less than 8,000 bytes in one notification. Everything here is ASCII. */
export const MOST_BYTES = 7_500;

const accounts = z.int();
/** What each field of a text holds. The first two are always there: earlier programs demand them. */
const fields = {
  scopes: z.tuple([idSchema, z.int().min(0)]),
  sessions: idSchema,
  accounts,
  links: idSchema,
  runs: accounts,
  calendars: accounts,
  plans: accounts,
} as const;
type Field = keyof typeof fields;

/** Nobody should go on doing meanwhile what has ended. */
const URGENT: ReadonlySet<Field> = new Set(['sessions', 'accounts', 'links']);
const NAMES = Object.keys(fields) as readonly Field[];

type Entry = Id | number | readonly [Id, number];

/** What a message is, field by field; nothing: it stays in its process. */
function entriesOf(message: BusMessage): readonly (readonly [Field, Entry])[] {
  switch (message.type) {
    case 'changed':
      return [['scopes', [message.scope, message.to]]];
    case 'ended':
      return message.sessions.map((id) => ['sessions', id]);
    case 'roles':
      return message.accounts.map((account) => ['accounts', account]);
    case 'link':
      return message.links.map((id) => ['links', id]);
    case 'runs':
      return [['runs', message.account]];
    case 'calendars':
      return [['calendars', message.account]];
    case 'plan':
      return [['plans', message.account]];
    case 'presence':
    case 'missed':
      return [];
  }
}

/** News that wait to be sent: of a scope the newest version, everything else once. */
export class WaitingNews {
  readonly #scopes = new Map<Id, number>();
  readonly #others = new Map<Field, Set<Entry>>();

  get isEmpty(): boolean {
    return this.#scopes.size === 0 && [...this.#others.values()].every(({ size }) => size === 0);
  }

  /** Returns whether it should be sent at once. */
  add(message: BusMessage): boolean {
    let isUrgent = false;
    for (const [field, entry] of entriesOf(message)) {
      this.#put(field, entry);
      isUrgent ||= URGENT.has(field);
    }
    return isUrgent;
  }

  /** Takes as much as one text holds. */
  take(node: string): string {
    const taken: Record<string, unknown> = { node, scopes: [], sessions: [] };
    let bytes = JSON.stringify(taken).length;
    for (const field of NAMES) {
      const list: Entry[] = [];
      bytes += field.length + 6;
      for (const entry of this.#of(field)) {
        bytes += JSON.stringify(entry).length + 1;
        if (bytes > MOST_BYTES) break;
        list.push(entry);
      }
      if (list.length > 0) taken[field] = list;
      for (const entry of list) this.#drop(field, entry);
    }
    return JSON.stringify(taken);
  }

  /** What could not be sent waits again. */
  putBack(text: string): void {
    for (const message of readNews(text)?.messages ?? []) this.add(message);
  }

  #of(field: Field): readonly Entry[] {
    return field === 'scopes' ? [...this.#scopes] : [...(this.#others.get(field) ?? [])];
  }

  #put(field: Field, entry: Entry): void {
    if (typeof entry === 'object')
      this.#scopes.set(entry[0], Math.max(entry[1], this.#scopes.get(entry[0]) ?? 0));
    else this.#others.set(field, (this.#others.get(field) ?? new Set()).add(entry));
  }

  #drop(field: Field, entry: Entry): void {
    if (typeof entry === 'object') this.#scopes.delete(entry[0]);
    else this.#others.get(field)?.delete(entry);
  }
}

/** What another process said, as far as it is understood. */
export interface HeardNews {
  readonly node: string;
  readonly messages: readonly BusMessage[];
  /** There was more, which a process of another version means. */
  readonly hasMore: boolean;
}

/** Null: it is somebody else's text. */
export function readNews(text: string): HeardNews | null {
  const json = parsed(text);
  if (!isRecord(json) || typeof json['node'] !== 'string') return null;
  let hasMore = Object.keys(json).some((key) => key !== 'node' && !Object.hasOwn(fields, key));
  const list = <F extends Field>(field: F): z.infer<(typeof fields)[F]>[] => {
    const value = json[field];
    if (value === undefined) return [];
    const entries = Array.isArray(value) ? value : [null];
    return entries.flatMap((entry: unknown) => {
      const { success, data } = fields[field].safeParse(entry);
      hasMore ||= !success;
      return success ? [data as z.infer<(typeof fields)[F]>] : [];
    });
  };
  const [roles, links, sessions] = [list('accounts'), list('links'), list('sessions')];
  const messages: BusMessage[] = [
    ...(roles.length > 0 ? [{ type: 'roles', accounts: roles } as const] : []),
    ...(links.length > 0 ? [{ type: 'link', links } as const] : []),
    ...list('scopes').map(([scope, to]) => ({ type: 'changed', scope, to }) as const),
    ...(sessions.length > 0 ? [{ type: 'ended', sessions } as const] : []),
    // After the rows that they are about.
    ...list('runs').map((account) => ({ type: 'runs', account }) as const),
    ...list('calendars').map((account) => ({ type: 'calendars', account }) as const),
    ...list('plans').map((account) => ({ type: 'plan', account }) as const),
  ];
  return { node: json['node'], messages, hasMore };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Another program's notification on our channel.
    return null;
  }
}
