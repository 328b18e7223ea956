// What imports from this machine leave in its private folder: the records by which they are taken back, and what is remembered of lists and
// labels. Beside it what is said while an import is sent.
import * as z from 'zod/mini';
import { markedId } from '#client/importing/digest.ts';
import { figure } from '#client/importing/report.ts';
import type { ImportAction } from '#client/importing/standing.ts';
import type { Call } from '../command.ts';
import { Failure } from '../failure.ts';
import type { Marks } from './here.ts';
import type { Made, Unsent } from './sending.ts';

/** The folder of the records. */
export const RECORDS = 'imports';
const PROGRESS_STEP = 2_500;

/** One import, as it can be taken back. */
export const recordSchema = z.object({
  account: z.string(),
  name: z.string(),
  at: z.number(),
  lists: z.array(z.string()),
  labels: z.array(z.string()),
  tasks: z.array(z.string()),
  changed: z.array(z.object({ todo_item_id: z.string(), update_body: z.record(z.string(), z.unknown()) })),
  entities: z._default(
    z.array(z.object({ id: z.string(), isLabel: z.boolean(), fields: z.record(z.string(), z.string()) })),
    [],
  ),
  /** What was remembered before. */
  marks: z._default(z.record(z.string(), z.string()), {}),
});

/** What imports from this machine remember of lists and labels: the API has no place for it. */
const MARKS = 'import-marks.json';
const marksSchema = z.record(z.string(), z.record(z.string(), z.string()));

/** What is remembered of lists and labels of the account. */
export const marksOf = ({ folder, session }: Call): Marks =>
  folder.read(MARKS, marksSchema)?.[session.account] ?? {};

/** Remembers what an import says of lists and labels. */
export function remember(call: Call, actions: readonly ImportAction[]): void {
  const { folder, session } = call;
  const made = actions.flatMap((action) => {
    if (action.a !== 'create' || action.type !== 'setting') return [];
    const { key, value } = action.fields;
    const id = typeof key === 'string' ? markedId(key) : null;
    return id !== null && typeof value === 'string' ? [[id, value] as const] : [];
  });
  if (made.length === 0) return;
  const all = folder.read(MARKS, marksSchema) ?? {};
  const known = all[session.account] ?? {};
  folder.write(MARKS, { ...all, [session.account]: { ...known, ...Object.fromEntries(made) } });
}

/** Remembers of these lists and labels what was remembered before. */
export function rememberAgain(call: Call, ids: readonly string[], before: Marks): void {
  if (ids.length === 0) return;
  const { folder, session } = call;
  const all = folder.read(MARKS, marksSchema) ?? {};
  const own = { ...all[session.account] };
  for (const id of ids) {
    const was = before[id];
    if (was === undefined) delete own[id];
    else own[id] = was;
  }
  folder.write(MARKS, { ...all, [session.account]: own });
}

/** Says how far it is, every few thousand tasks. */
export function progressOf(world: Call['world'], what: string): (done: number, all: number) => void {
  let said = 0;
  return (done, all) => {
    if (done - said < PROGRESS_STEP || done >= all) return;
    said = done;
    world.warn(`${what} ${figure(done)} of ${figure(all)} tasks.`);
  };
}

/** What the API can't hold, in sentences. */
export function unsentLines(unsent: Unsent): readonly string[] {
  return [...unsent].map(
    ([what, count]) => `The API can't hold ${what}: ${count} left out. Import in the app to keep them.`,
  );
}

/** The failure of an import that was cut short: how to take back what came. */
export function stopped(error: unknown, record: string, made: Made): unknown {
  const hasMade =
    made.lists.length + made.labels.length + made.tasks.length + made.changed.length + made.entities.length >
    0;
  if (!(error instanceof Failure) || !hasMade) return error;
  return new Failure(
    error.kind,
    `${error.message}\nPart of it was imported. Undo that with: posthaste import --undo ${record}`,
  );
}
