// What was removed for good is removed in the groups, too. It is asked for in the transaction that removes it at home, is not shown
// from then on, and is gone from the group as soon as that can be reached.
import type { Id } from '#core/ids.ts';
import { DAY_MS } from '#core/time.ts';
import { eraseFromHistory } from '../postgres/postgres-history.ts';
import type { Session, Statement } from '../postgres/postgres-connection.ts';
import type { GroupPorts } from './copying.ts';
import { entriesAfter, removeEntries, stopHolding } from './group-history.ts';
import { groupsOf, lockPlace, type Place, readPlace, removePlace } from './place.ts';

/** A group that is put back is put back to a state of the last week. */
const AGAIN_MS = 8 * DAY_MS;
const PAGE = 100;
const STEP = 500;

const SQL = {
  waiting: {
    name: 'erasures-waiting',
    text:
      'SELECT scope, entity, upto, asked FROM history_erasure WHERE done_at IS NULL AND (scope, entity) > ($1, $2) ' +
      'ORDER BY scope, entity LIMIT $3',
  },
  again: {
    name: 'erasures-again',
    text:
      'SELECT scope, entity, upto, asked FROM history_erasure WHERE done_at < $4 AND (scope, entity) > ($1, $2) ' +
      'ORDER BY scope, entity LIMIT $3',
  },
  isAsked: {
    name: 'erasure-asked',
    text: 'SELECT 1 FROM history_erasure WHERE scope = $1 AND entity = $2',
  },
  // Asked for once more meanwhile: it is done once more.
  done: {
    name: 'erasure-done',
    text: 'UPDATE history_erasure SET done_at = $4 WHERE scope = $1 AND entity = $2 AND asked = $3',
  },
  over: {
    name: 'erasure-over',
    text: 'DELETE FROM history_erasure WHERE scope = $1 AND entity = $2 AND asked = $3 AND done_at < $4',
  },
  allDone: { name: 'erasures-done', text: 'DELETE FROM history_erasure WHERE scope = $1' },
} as const satisfies Record<string, Statement>;

/**
 * Removes all of a scope in one group, step by step, each while the scope's place is locked and only if it still is to be removed:
 * by then somebody else may have done it, and the scope may be back.
 */
export async function removeAll(
  { home, groups, rest }: GroupPorts,
  { scope, name, upTo }: { readonly scope: Id; readonly name: string; readonly upTo?: number },
  isWanted: (place: Place | null, session: Session) => boolean | Promise<boolean>,
): Promise<void> {
  const step = () =>
    home.write(async (session) => {
      if (!(await isWanted(await lockPlace(session, scope), session))) return false;
      const group = await groups.open(name);
      return await group.write(async (there) => {
        const found = await entriesAfter(there, scope, {
          after: 0,
          limit: STEP,
          ...(upTo === undefined ? {} : { to: upTo }),
        });
        const to = found.at(-1)?.[1];
        if (to !== undefined) await removeEntries(there, scope, { after: 0, to });
        return to !== undefined;
      });
    });
  do await rest();
  while (await step());
}

/** The groups in which anything of a scope lies. */
export async function groupsHolding({ home }: GroupPorts, scope: Id): Promise<readonly string[]> {
  const place = await home.read((session) => readPlace(session, scope));
  return place === null ? [] : groupsOf(place);
}

type Asked = readonly [scope: Id, entity: Id | '', upTo: number, asked: number];

async function eraseOne(
  ports: GroupPorts,
  [scope, entity, upTo, asked]: Asked,
  ending: readonly [statement: Statement, at: number],
): Promise<boolean> {
  const { home, groups, away } = ports;
  const holding = await groupsHolding(ports, scope);
  if (holding.some((name) => away.has(name))) return false;
  // All of a scope: what it has from before comes there no more while this is asked for.
  const isAsked = async (_: Place | null, session: Session) =>
    (await session.get(SQL.isAsked, scope, entity)) !== undefined;
  if (entity === '')
    for (const name of await groupsHolding(ports, scope))
      await removeAll(ports, { scope, name, upTo }, isAsked);
  await home.write(async (session) => {
    const place = await lockPlace(session, scope);
    const names = place === null || entity === '' ? [] : groupsOf(place);
    for (const name of names)
      await (await groups.open(name)).write((there) => eraseFromHistory(there, [[scope], [entity]], upTo));
    await session.run(ending[0], scope, entity, asked, ending[1]);
  });
  return true;
}

/**
 * Does all that is asked for, and once more what was done a while ago; resolves with how much there was. One group that is away keeps
 * nothing of another one waiting.
 */
export async function eraseAsked(
  ports: GroupPorts,
  now: number,
  onError: (error: unknown) => void,
): Promise<number> {
  const passes = [
    { find: SQL.waiting, values: [], ending: [SQL.done, now] },
    { find: SQL.again, values: [now - AGAIN_MS], ending: [SQL.over, now - AGAIN_MS] },
  ] as const;
  let count = 0;
  for (const { find, values, ending } of passes) {
    for (let after: readonly [string, string] | undefined = ['', '']; after !== undefined;) {
      await ports.rest();
      const found = (await ports.home.all(find, ...after, PAGE, ...values)) as unknown as Asked[];
      for (const each of found) {
        await ports.rest();
        try {
          if (await eraseOne(ports, each, ending)) count += 1;
        } catch (error) {
          onError(error);
        }
      }
      const last = found.at(-1);
      after = last && [last[0], last[1]];
    }
  }
  return count;
}

/** Removes a scope that goes with its account from every group. Rejects while one of them is away. */
export async function eraseScope(ports: GroupPorts, scope: Id): Promise<void> {
  for (const name of await groupsHolding(ports, scope)) {
    await removeAll(ports, { scope, name }, (place) => place !== null);
    await (await ports.groups.open(name)).write((there) => stopHolding(there, scope));
  }
  await ports.home.write(async (session) => {
    await removePlace(session, scope);
    await session.run(SQL.allDone, scope);
  });
}
