// A scope on its way from one group to another, while it is in use: copied in steps, then its place changes, then what is left behind is
// removed. Who reads it reads where its place is. A process that is killed leaves a step to be done again, by whoever comes next.
import type { Id } from '#core/ids.ts';
import type { Statement } from '../postgres/postgres-connection.ts';
import { type GroupPorts, inSteps, lockedToCopy, type Step } from './copying.ts';
import { groupsHolding, removeAll } from './erasing.ts';
import { addEntries, beginHolding, entriesAfter, heldUpTo, setHeld, stopHolding } from './group-history.ts';
import { lockPlace, savePlace } from './place.ts';

const STEP = 500;
const PAGE = 200;

const SQL = {
  moving: {
    name: 'places-moving',
    text:
      'SELECT scope FROM history_place WHERE (target IS NOT NULL OR leaving IS NOT NULL) AND scope > $1 ' +
      'ORDER BY scope LIMIT $2',
  },
  inGroup: {
    name: 'places-in-group',
    text: 'SELECT scope FROM history_place WHERE (place = $1 OR target = $1) AND scope > $2 ORDER BY scope LIMIT $3',
  },
} as const satisfies Record<string, Statement>;

/** Copies the next entries to where the scope goes; when there are none, it lies there. */
async function moveStep({ home, groups }: GroupPorts, scope: Id): Promise<Step> {
  return await home.write(async (session) => {
    const place = await lockedToCopy(session, scope);
    const target = place?.target ?? null;
    if (place === null || target === null || place.leaving !== null) return { count: 0, more: false };
    const from = await groups.open(place.place);
    const upTo = (await heldUpTo(from, scope)) ?? 0;
    const to = await groups.open(target);
    const copied = await to.write(async (there) => {
      const held = await heldUpTo(there, scope);
      if (held === null) await beginHolding(there, scope);
      const after = held ?? 0;
      const entries = await from.read((here) => entriesAfter(here, scope, { after, to: upTo, limit: STEP }));
      await addEntries(there, scope, entries);
      const reached = entries.length < STEP ? upTo : (entries.at(-1)?.[1] ?? upTo);
      await setHeld(there, scope, reached);
      return { count: entries.length, more: reached < upTo };
    });
    if (!copied.more)
      await savePlace(session, { ...place, place: target, target: null, leaving: place.place });
    return copied;
  });
}

/** Removes what lies in the group that a scope has left, or that it shall not go to any more. */
async function leave(ports: GroupPorts, scope: Id): Promise<void> {
  const { home, groups } = ports;
  const name = await home.write(async (session) => {
    const { leaving = null } = (await lockPlace(session, scope)) ?? {};
    // First: who reads there finds that the scope has moved, and never a part of it.
    if (leaving !== null) await (await groups.open(leaving)).write((there) => stopHolding(there, scope));
    return leaving;
  });
  if (name === null) return;
  await removeAll(ports, { scope, name }, (place) => place?.leaving === name);
  await home.write(async (session) => {
    const place = await lockPlace(session, scope);
    if (place?.leaving === name) await savePlace(session, { ...place, leaving: null });
  });
}

/** Says where a scope shall lie; false: it lies there, nothing of it lies in a group, or it is on its way to another one. */
async function aim({ home }: GroupPorts, scope: Id, target: string): Promise<boolean> {
  return await home.write(async (session) => {
    const place = await lockPlace(session, scope);
    if (place === null || place.leaving === target) return false;
    if (place.place === target) {
      // Back: what was copied elsewhere is removed there.
      if (place.target === null) return false;
      await savePlace(session, { ...place, target: null, leaving: place.target });
      return true;
    }
    if (place.target !== null || place.leaving !== null) return place.target === target;
    await savePlace(session, { ...place, target });
    return true;
  });
}

/** Goes on with the move of a scope; resolves with the entries that were copied. */
export async function goOnMoving(ports: GroupPorts, scope: Id): Promise<number> {
  await leave(ports, scope);
  const count = await inSteps(ports.rest, () => moveStep(ports, scope));
  await leave(ports, scope);
  return count;
}

/** Moves a scope to a group; false: there is nothing of it to move. */
export async function moveScope(ports: GroupPorts, scope: Id, target: string): Promise<boolean> {
  await ports.groups.open(target);
  await leave(ports, scope);
  if (!(await aim(ports, scope, target))) return false;
  await goOnMoving(ports, scope);
  return true;
}

/** Goes on with the moves that others began; resolves with how many there were. */
export async function finishMoves(ports: GroupPorts, onError: (error: unknown) => void): Promise<number> {
  return await eachPage(ports, SQL.moving, [], async (scope) => {
    try {
      if ((await groupsHolding(ports, scope)).some((name) => ports.away.has(name))) return;
      await goOnMoving(ports, scope);
    } catch (error) {
      onError(error);
    }
  });
}

/** Does something with every scope that lies in a group. */
export const eachInGroup = (ports: GroupPorts, name: string, work: (scope: Id) => Promise<unknown>) =>
  eachPage(ports, SQL.inGroup, [name], work);

async function eachPage(
  { home, rest }: GroupPorts,
  statement: Statement,
  values: readonly unknown[],
  work: (scope: Id) => Promise<unknown>,
): Promise<number> {
  let count = 0;
  for (let after = '' as Id; ;) {
    await rest();
    const scopes = (await home.all(statement, ...values, after, PAGE)).map(([scope]) => scope as Id);
    for (const scope of scopes) await work(scope);
    count += scopes.length;
    const last = scopes.at(-1);
    if (last === undefined) return count;
    after = last;
  }
}
