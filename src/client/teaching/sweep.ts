// What is left of a lesson in the trash goes for good when the app is opened again: until then undo brings it back. Only
// where nothing in it is the person's own. A lazy chunk.
import type { Id } from '#core/ids.ts';
import type { TrashItem } from '#sync/emptying.ts';
import type { Program } from '../program.ts';

const GONE = 'gone:';

export const goneMark = (list: Id): string => `${GONE}${list}`;

/** When the list was put into the trash; undefined: it is not there. */
function trashedAt({ replica }: Program, list: Id): number | undefined {
  return (replica.row(list)?.fields.del as { readonly at: number } | null | undefined)?.at;
}

/** `over`: what the preference says once nothing is left. */
export function sweep(program: Program, key: string, over: string): void {
  const { platform, engine } = program;
  const kept = platform.preferences.get(key) ?? '';
  if (!kept.startsWith(GONE)) return;
  const list = kept.slice(GONE.length) as Id;
  const isSwept = () => platform.preferences.set(key, over);
  const remove = (items: readonly TrashItem[]) =>
    platform.account.email === null ? engine.emptyTrash(items) : throughServer(program, items);
  // What does not succeed is tried at the next start. A page may have been closed before the disk had its end of the lesson.
  platform
    .taken()
    .then(() => agreed(program))
    .then(() => {
      const at = trashedAt(program, list);
      // Brought back, or gone already.
      return at === undefined ? undefined : remove([{ id: list, at }]);
    })
    .then(isSwept, () => undefined);
}

/** With an account the server's word counts on when it was put into the trash, which a device only reckons until it has heard it. */
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

/** With an account only the server removes for good, and only what lies there as it was named. */
async function throughServer({ engine, platform }: Program, items: readonly TrashItem[]): Promise<void> {
  const answer = await platform.account.emptyTrash(items);
  if ('message' in answer) throw new Error(answer.message);
  engine.nudge();
  if (answer.removed < items.length) throw new Error('It does not lie there as it did.');
}
