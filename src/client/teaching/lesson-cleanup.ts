// Removes the rest of a lesson from the trash for good at the next start: until then undo brings it back. Only if
// nothing in it is the person's own. A lazy part.
import type { Id } from '#core/ids.ts';
import type { TrashItem } from '#sync/replica/replica-types.ts';
import type { Program } from '../app/program.ts';
import { fieldOf } from '#sync/rows/row.ts';

const GONE = 'gone:';

export const goneMark = (list: Id): string => `${GONE}${list}`;

/** When the list was moved to the trash; undefined: it is not there. */
function trashedAt({ replica }: Program, list: Id): number | undefined {
  return fieldOf(replica.row(list), 'del')?.at;
}

/** `over`: the value of the preference once nothing is left. */
export function sweep(program: Program, key: string, over: string): void {
  const { platform, engine } = program;
  const kept = platform.preferences.get(key) ?? '';
  if (!kept.startsWith(GONE)) return;
  const list = kept.slice(GONE.length) as Id;
  const isSwept = () => platform.preferences.set(key, over);
  const remove = (items: readonly TrashItem[]) =>
    platform.account.email === null ? engine.emptyTrash(items) : throughServer(program, items);
  // A failure is retried at the next start. An earlier page may have closed before its end of the lesson was on disk.
  platform
    .taken()
    .then(() => agreed(program))
    .then(() => {
      const at = trashedAt(program, list);
      // Restored, or removed already.
      return at === undefined ? undefined : remove([{ id: list, at }]);
    })
    .then(isSwept, () => undefined);
}

/** With an account, waits for the server's time of the deletion; the device only estimates it until then. */
async function agreed({ engine, platform }: Program): Promise<void> {
  const isHeard = () => engine.state.get().type === 'synced' && engine.facts().pending.length === 0;
  if (platform.account.email === null || isHeard()) return;
  await new Promise<void>((resolve) => {
    const stop = engine.state.subscribe(() => {
      if (!isHeard()) return;
      stop();
      resolve();
    });
  });
}

/** With an account only the server removes for good, and only if the item is still there as named. */
async function throughServer({ engine, platform }: Program, items: readonly TrashItem[]): Promise<void> {
  const answer = await platform.account.emptyTrash(items);
  if ('message' in answer) throw new Error(answer.message);
  engine.nudge();
  if (answer.removed < items.length) throw new Error('It’s no longer where it was.');
}
