// Ids of what was deleted for good are taken for ever. When an import makes such a thing again, the server refuses its id, and it is made
// under one that is derived from it (anew-ids.ts).
import { inboxId, mineId, parseId, settingId, type Id } from '#core/ids.ts';
import type { RecoveredItem } from '#sync/replica/ports.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { fieldOf, registersOf } from '#sync/rows/row.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import type { Program } from '../app/program.ts';
import { actionOf } from '../sync-status/unsent-actions.ts';
import { digestOf, entityMarkKey, IMPORT_META, readMark } from './digest.ts';
import { ANEW_KEY, anewId, LABEL, renamed } from './anew-ids.ts';

/** Of whom a person's own registers are, before they are made. */
const ofIn = ({ of }: Readonly<Record<string, unknown>>): Id =>
  (typeof of === 'string' ? parseId(of) : null) ?? NOBODY;
const NOBODY = '' as Id;

/** The part of the program that is needed. */
export interface MakingAnew extends Pick<Program, 'replica'> {
  readonly engine: Pick<Engine, 'dropRecovered'>;
  change(actions: readonly Action[], label: string, options: Parameters<Program['change']>[2]): unknown;
}

/** What an import made, or what is about it. */
function isOfImport(
  { replica }: MakingAnew,
  { operation, verdict }: RecoveredItem,
  isMade: (id: Id) => boolean,
): boolean {
  if (isMade(operation.id)) return true;
  if (operation.a !== 'create') return false;
  if (operation.type === 'mine') return isMade(ofIn(operation.fields));
  if (verdict !== 'gone') return false;
  if (operation.type === 'task' && readMark(operation.fields[IMPORT_META]) !== null) return true;
  const key = settingId(replica.scope, entityMarkKey(operation.id));
  // Notes that go on in subtasks.
  return replica.row(key) !== undefined || (operation.place !== undefined && isMade(operation.place.parent));
}

/** Makes what an import could not make under the ids it derived. It is undone with the import. Returns the other changes. */
export function makeAnew(program: MakingAnew, news: readonly RecoveredItem[]): readonly RecoveredItem[] {
  const { replica, engine } = program;
  const made = new Map<Id, Id>();
  // Refusals come in several answers: what was made anew for an earlier one is here.
  const nowOf = (id: Id) => {
    const next = made.get(id) ?? anewId(id);
    return made.has(id) || (replica.row(id) === undefined && replica.row(next) !== undefined) ? next : id;
  };
  const taken: RecoveredItem[] = [];
  const actions: Action[] = [];
  for (const item of news.toSorted((a, b) => (a.operation.n ?? 0) - (b.operation.n ?? 0))) {
    if (!isOfImport(program, item, (id) => nowOf(id) !== id)) continue;
    taken.push(item);
    const action = actionOf(item.operation);
    if (action.a !== 'create') {
      actions.push({ ...action, id: nowOf(action.id) });
      continue;
    }
    if (action.type === 'mine') {
      const of = nowOf(ofIn(action.fields));
      actions.push({ ...action, id: mineId(replica.scope, of), fields: { ...action.fields, of } });
      continue;
    }
    const id = anewId(action.id);
    made.set(action.id, id);
    const fields = renamed(action.fields, nowOf);
    const parent = action.place && nowOf(action.place.parent);
    actions.push({ ...action, id, fields, ...(parent === undefined ? {} : { place: { parent } }) });
    actions.push(...markOf(program, action.id, id));
  }
  if (taken.length === 0) return news;
  const key = settingId(replica.scope, ANEW_KEY);
  actions.push({ a: 'create', id: key, type: 'setting', fields: { key: ANEW_KEY, value: true } });
  actions.push(...follow(program, made));
  const [first] = taken;
  const group = first?.operation.g;
  program.change(actions, 'imported', {
    rescues: true,
    ...(group === undefined ? {} : { group, renames: false }),
  });
  engine.dropRecovered(taken.map(({ operation }) => operation.q));
  return news.filter((item) => !taken.includes(item));
}

function markOf({ replica }: MakingAnew, from: Id, to: Id): readonly Action[] {
  const value = fieldOf(replica.row(settingId(replica.scope, entityMarkKey(from))), 'value');
  if (value === undefined) return [];
  const key = entityMarkKey(to);
  return [{ a: 'create', id: settingId(replica.scope, key), type: 'setting', fields: { key, value } }];
}

/** What was made beside it carries its labels by their new ids, and goes where it belongs: its parent was not there. */
function follow({ replica }: MakingAnew, made: ReadonlyMap<Id, Id>): readonly Action[] {
  const places = new Map([...made].map(([from, to]) => [digestOf(from), to]));
  const inbox = inboxId(replica.scope);
  const actions: Action[] = [];
  for (const row of replica.all()) {
    if (row.type !== 'task') continue;
    const fields = registersOf(row);
    for (const [name, value] of Object.entries(fields)) {
      const label =
        name.startsWith(LABEL) && value === true ? made.get(name.slice(LABEL.length) as Id) : undefined;
      if (label === undefined) continue;
      actions.push({ a: 'set', id: row.id, field: name, value: null });
      actions.push({ a: 'set', id: row.id, field: `${LABEL}${label}`, value: true });
    }
    const wanted = places.get(readMark(fields[IMPORT_META])?.digests.place ?? '');
    if (wanted !== undefined && placeOf(row)?.parent === inbox && wanted !== inbox)
      actions.push({ a: 'place', id: row.id, place: { parent: wanted } });
  }
  return actions;
}
