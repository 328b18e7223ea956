// What is left of a lesson in the trash goes for good when the app is opened again: until then undo brings it back. Only
// where nothing in it is the person's own. A lazy chunk.
import type { Id } from '#core/ids.ts';
import type { TrashItem } from '#sync/emptying.ts';
import type { Program } from '../program.ts';

const GONE = 'gone:';

export const goneMark = (list: Id): string => `${GONE}${list}`;

/** `over`: what the preference says once nothing is left. */
export function sweep(program: Program, key: string, over: string): void {
  const { platform, replica, engine } = program;
  const kept = platform.preferences.get(key) ?? '';
  if (!kept.startsWith(GONE)) return;
  const id = kept.slice(GONE.length) as Id;
  const deletion = replica.row(id)?.fields.del as { readonly at: number } | null | undefined;
  const isSwept = () => platform.preferences.set(key, over);
  // Brought back, or gone already.
  if (!deletion) isSwept();
  else {
    const items = [{ id, at: deletion.at }];
    // What does not succeed is tried at the next start.
    const work = platform.account.email === null ? engine.emptyTrash(items) : throughServer(program, items);
    work.then(isSwept, () => undefined);
  }
}

/** With an account only the server removes for good, once it has heard of everything. */
async function throughServer({ engine, platform }: Program, items: readonly TrashItem[]): Promise<void> {
  const isHeard = () => engine.state.get().type === 'synced' && engine.facts().pending.length === 0;
  if (!isHeard())
    await new Promise<void>((resolve) => {
      const stop = engine.state.subscribe(() => {
        if (!isHeard()) return;
        stop();
        resolve();
      });
    });
  const answer = await platform.account.emptyTrash(items);
  if ('message' in answer) throw new Error(answer.message);
  engine.nudge();
}
