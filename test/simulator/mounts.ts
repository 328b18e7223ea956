// Shared lists in the sidebars of simulated people: they are placed, their folders are made, trashed and brought back, and whatever
// happens each one that a device holds is shown exactly once, and no mount and no member ever.
import assert from 'node:assert/strict';
import { listsRoot, mountId, type Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { isTrashed, placeOf } from '#sync/rows/row-reading.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { SimulatedDevice } from './device.ts';
import type { Hits } from './hits.ts';
import type { SeededRandom } from './random.ts';

/** What is wrong with the lists that a device shows; null: nothing. */
export function wrongLists(replica: Replica, isOnItsWay: (id: Id) => boolean = () => false): string | null {
  const shown = new Map<Id, number>();
  const waiting = [listsRoot(replica.scope)];
  for (const parent of waiting)
    for (const row of replica.children(parent)) {
      if (row.type === 'mount' || row.type === 'member') return `a ${row.type} is a child`;
      if (row.type !== 'list') continue;
      shown.set(row.id, (shown.get(row.id) ?? 0) + 1);
      if (placeOf(row)?.parent !== parent) return `${row.id} is shown where it does not hang`;
      if (shown.get(row.id) === 1 && !isTrashed(row)) waiting.push(row.id);
    }
  for (const row of replica.all()) {
    if (row.type === 'mount' || row.type === 'member') return `a ${row.type} is listed`;
    if (row.type !== 'list' || row.scope === replica.scope) continue;
    if (replica.row(row.id) !== row) return `${row.id} is listed otherwise than it is read`;
    if (shown.get(row.id) !== 1 && !isOnItsWay(row.id))
      return `${row.id} is shown ${shown.get(row.id) ?? 0} times`;
  }
  return null;
}

/** One thing that a person does to the lists of their sidebar. */
export function arrangeLists({ engine, isReady }: SimulatedDevice, random: SeededRandom, hits: Hits): void {
  if (engine === null || !isReady) return;
  const { replica } = engine;
  const lists = [...replica.all()]
    .filter(({ type }) => type === 'list')
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const folders = lists.filter((row) => fieldOf(row, 'listType') === 'folder');
  const shared = lists.filter(({ scope }) => scope !== replica.scope);
  const top = { id: listsRoot(replica.scope) };
  const issue = (...actions: Action[]): void => {
    const { verdicts } = replica.issue(actions);
    if (verdicts.at(-1) !== 'ok') return;
    if (shared.some(({ id }) => id === actions[0]?.id)) hits.hit('shared list placed');
    if (actions[0]?.a === 'delete') hits.hit('folder trashed');
  };
  if (folders.length < 3 && random.chance(0.3)) {
    const place = { parent: random.pick([top, ...folders]).id };
    issue({ a: 'create', id: replica.newId(), type: 'list', fields: { listType: 'folder' }, place });
  } else if (folders.length > 0 && random.chance(0.3)) {
    const folder = random.pick(folders);
    issue({ a: isTrashed(folder) ? 'restore' : 'delete', id: folder.id });
  } else if (shared.length > 0) {
    const { id } = random.pick(shared);
    const parent = random.pick([top, ...folders]).id;
    const beside = replica.children(parent).filter((row) => row.id !== id);
    const after = beside.length > 0 && random.chance(0.5) ? { after: random.pick(beside).id } : {};
    issue({ a: 'place', id, place: { parent, ...after } });
  }
}

/** Where a shared list has to stand according to these rows: said once more, in another way. */
function parentOf(list: Row, personal: Id, rows: ReadonlyMap<Id, Row>): Id {
  const path: Row[] = [];
  for (let at = placeOf(rows.get(mountId(personal, list.id)))?.parent; at !== undefined;) {
    const row = rows.get(at);
    if (row === undefined) break;
    path.unshift(row);
    at = placeOf(row)?.parent;
  }
  let parent = listsRoot(personal);
  for (const row of path) {
    if (isTrashed(row)) break;
    parent = row.id;
  }
  return parent;
}

/** Every shared list stands where the server’s mounts say, on every device of its person. */
export function checkMounts(device: SimulatedDevice, rows: ReadonlyMap<Id, Row>, hits: Hits): void {
  const { engine, actor, name } = device;
  assert.ok(engine, `${name} is running`);
  const { replica } = engine;
  const personal = actor.personalScope;
  assert.equal(wrongLists(replica), null, name);
  for (const row of rows.values()) {
    if (row.type === 'mount') {
      const isHeld = rows.has(row.fields.of);
      hits.hit(isHeld ? 'mount with its list' : 'mount without its list');
      if (!isHeld)
        assert.equal(replica.row(row.fields.of), undefined, `${name} shows a list that is not held`);
    }
    if (row.type !== 'list' || row.scope === personal) continue;
    const shown = replica.row(row.id);
    assert.equal(
      placeOf(shown)?.parent,
      parentOf(row, personal, rows),
      `${name} shows ${row.id} in its place`,
    );
    const mount = placeOf(rows.get(mountId(personal, row.id)));
    if (mount?.parent === placeOf(shown)?.parent) assert.equal(placeOf(shown)?.key, mount?.key);
    else hits.hit('list without the place of a mount');
  }
}
