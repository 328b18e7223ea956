// What was removed for good is removed in the groups, too. It is asked for in the transaction that removes it at home, is not shown
// from then on, and is gone from the group as soon as that can be reached.
import type { Id } from '#core/ids.ts';
import { eraseFromHistory } from '../postgres/postgres-history.ts';
import type { Session, Statement } from '../postgres/postgres-connection.ts';
import type { GroupPorts } from './copying.ts';
import { entriesAfter, removeEntries, stopHolding } from './group-history.ts';
import { groupsOf, lockPlace, type Place, readPlace, removePlace } from './place.ts';

const PAGE = 100;
const STEP = 500;

const SQL = {
  asked: {
    name: 'erasures-asked',
    text: 'SELECT scope, entity, asked FROM history_erasure WHERE (scope, entity) > ($1, $2) ORDER BY scope, entity LIMIT $3',
  },
  isAsked: {
    name: 'erasure-asked',
    text: 'SELECT 1 FROM history_erasure WHERE scope = $1 AND entity = $2',
  },
  done: {
    name: 'erasure-done',
    // Asked for once more meanwhile: it is done once more.
    text: 'DELETE FROM history_erasure WHERE scope = $1 AND entity = $2 AND asked = $3',
  },
  allDone: { name: 'erasures-done', text: 'DELETE FROM history_erasure WHERE scope = $1' },
} as const satisfies Record<string, Statement>;

/**
 * Removes all of a scope in one group, step by step, each while the scope's place is locked and only if it still is to be removed:
 * by then somebody else may have done it, and the scope may be back.
 */
export async function removeAll(
  { home, groups, rest }: GroupPorts,
  { scope, name }: { readonly scope: Id; readonly name: string },
  isWanted: (place: Place | null, session: Session) => boolean | Promise<boolean>,
): Promise<void> {
  const step = () =>
    home.write(async (session) => {
      if (!(await isWanted(await lockPlace(session, scope), session))) return false;
      const group = await groups.open(name);
      return await group.write(async (there) => {
        const found = await entriesAfter(there, scope, { after: 0, limit: STEP });
        const to = found.at(-1)?.[1];
        if (to !== undefined) await removeEntries(there, scope, { after: 0, to });
        return to !== undefined;
      });
    });
  do await rest();
  while (await step());
}

async function groupsHolding({ home }: GroupPorts, scope: Id): Promise<readonly string[]> {
  const place = await home.read((session) => readPlace(session, scope));
  return place === null ? [] : groupsOf(place);
}

async function eraseOne(
  ports: GroupPorts,
  [scope, entity, asked]: readonly [Id, Id | '', number],
): Promise<void> {
  const { home, groups } = ports;
  // All of a scope: nothing is copied there while this is asked for.
  const isAsked = async (_: Place | null, session: Session) =>
    (await session.get(SQL.isAsked, scope, entity)) !== undefined;
  if (entity === '')
    for (const name of await groupsHolding(ports, scope)) await removeAll(ports, { scope, name }, isAsked);
  await home.write(async (session) => {
    const place = await lockPlace(session, scope);
    const names = place === null || entity === '' ? [] : groupsOf(place);
    for (const name of names)
      await (await groups.open(name)).write((there) => eraseFromHistory(there, [[scope], [entity]]));
    await session.run(SQL.done, scope, entity, asked);
  });
}

/** Does all that is asked for; resolves with how much that was. One group that is away keeps nothing of another one waiting. */
export async function eraseAsked(ports: GroupPorts, onError: (error: unknown) => void): Promise<number> {
  let count = 0;
  let [afterScope, afterEntity] = ['', ''];
  for (;;) {
    await ports.rest();
    const asked = (await ports.home.all(SQL.asked, afterScope, afterEntity, PAGE)) as [Id, Id | '', number][];
    for (const each of asked) {
      await ports.rest();
      try {
        await eraseOne(ports, each);
        count += 1;
      } catch (error) {
        onError(error);
      }
    }
    const last = asked.at(-1);
    if (last === undefined) return count;
    [afterScope, afterEntity] = last;
  }
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
