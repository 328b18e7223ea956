// The operator's commands for the databases of older history. Words in, lines out.
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import type { OlderHistory } from './older-history.ts';

/** Help for them, a part of the usage of `npm run admin`. */
export const groupsUsage = `  history groups                 the databases of the older history: how large, and how many people and lists
  history move <email> <group>   move the older history of an account there; servers may be running
  history drain <group>          move everything out of a group, so that HISTORY_GROUPS need not name it any more`;

/** What the commands work with. */
export interface GroupsAdmin {
  /** Null: HISTORY_GROUPS names none. */
  readonly older: OlderHistory | null;
  /** The scope of the account with this address. Rejects: there is none. */
  readonly scopeOf: (email: string) => Promise<Id>;
  readonly print: (line: string) => void;
}

const rest = () => Promise.resolve();
const GB = 1e9;

async function list(older: OlderHistory, print: GroupsAdmin['print']): Promise<null> {
  for (const { name, scopes, bytes } of await older.states()) {
    const size = bytes === null ? 'can’t be reached' : `${(bytes / GB).toFixed(1)} GB`;
    print(`${name.padEnd(20)}  ${size.padStart(16)}  ${counted(scopes, 'scope')}`);
  }
  return null;
}

async function move(
  { scopeOf, print }: GroupsAdmin,
  older: OlderHistory,
  [email = '', group = '']: readonly string[],
): Promise<string | null> {
  const scope = await scopeOf(email);
  const moved = await older.move(scope, group, rest);
  print(
    moved
      ? `The older history of ${email} lies in ${group}.`
      : `There was nothing to move: the older history of ${email} lies in ${group}, in no group yet, or is on its way to another one.`,
  );
  return null;
}

async function drain(
  { print }: GroupsAdmin,
  older: OlderHistory,
  [group = '']: readonly string[],
): Promise<string | null> {
  if (older.names.length < 2) return `There is no other group that could take what lies in ${group}.`;
  const { moved, isEmpty } = await older.drain(group, rest);
  print(`Moved the older history of ${counted(moved, 'scope')} out of ${group}.`);
  if (!isEmpty) return 'Some of it was on its way elsewhere. Run this again.';
  print(`Nothing lies in ${group}. Take it out of HISTORY_GROUPS of every server now, and restart them.`);
  return null;
}

/** Runs a command of these words; null: it is done. A text: what is wrong. Undefined: the words are none of them. */
export async function groupsCommand(
  words: readonly string[],
  admin: GroupsAdmin,
): Promise<string | null | undefined> {
  const [, verb = '', ...rest] = words;
  const wanted = { groups: 0, move: 2, drain: 1 }[verb];
  if (wanted === undefined || rest.length !== wanted) return undefined;
  const { older, print } = admin;
  if (older === null)
    return 'HISTORY_GROUPS names no databases: all history lies in the one of DATABASE_URL.';
  if (verb === 'groups') return await list(older, print);
  const group = rest.at(-1) ?? '';
  if (!older.names.includes(group)) return `HISTORY_GROUPS names no group ${group}.`;
  return verb === 'move' ? await move(admin, older, rest) : await drain(admin, older, rest);
}
