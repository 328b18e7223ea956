// Sharing lists of an encrypted account: before the server is asked, this device says that a list is opened or comes back, and afterwards that
// it stays sealed where nothing came of it. What opens and seals goes on beside everything else (sync/sealing/leaving/list-walk.ts).
import type { Id } from '#core/ids.ts';
import { failed } from '#core/result.ts';
import type { ListWay } from '#sync/sealing/scope-state.ts';
import type { Program } from '../app/program.ts';
import { turnWords, UNLOADED } from '../sealing/words.ts';
import { quoted } from '../text/editor.ts';
import type { SharingAnswer, SharingFailure, SharedState } from './port.ts';

/** Tasks that are opened in a few seconds. */
const FEW_TASKS = 500;

/** How long it takes to decrypt a list, in words; null: the person's lists aren't encrypted. */
export function decryptingTime({ engine }: Program, tasks: number): string | null {
  if (!engine.facts().isApart) return null;
  return tasks <= FEW_TASKS ? 'a few seconds' : 'about a minute';
}

/** How far a list is on its way, 0 to 1; null: not known. Decrypting it is all of the way: then it moves in one piece. */
export function progressOf({
  moved,
  total,
  sealed,
}: Partial<Pick<SharedState, 'moved' | 'total' | 'sealed'>>): number | null {
  if (moved === undefined || total === undefined || total === 0) return null;
  const done = sealed === undefined ? moved : total - sealed;
  return Math.max(0, Math.min(1, done / total));
}

/** Said of a list whose sharing was stopped. */
export const staysEncrypted = (name: string): string => `${quoted(name)} stays encrypted, and isn’t shared.`;

async function say(program: Program, list: Id, way: ListWay): Promise<SharingFailure | null> {
  const desk = await program.platform.account.sealing().catch(() => null);
  if (desk === null) return { type: 'offline', message: UNLOADED };
  const sent = await desk.sendList(list, way);
  if (sent === null || sent.ok) return null;
  const { problem } = sent;
  const type = problem.type === 'offline' ? 'offline' : 'refused';
  return { type, message: turnWords(problem) };
}

/** Asks the server what moves a list out of the encrypted ones, or back among them. */
export async function movingEncrypted<T>(
  program: Program,
  { list, way }: { readonly list: Id; readonly way: 'open' | 'await' },
  ask: () => Promise<SharingAnswer<T>>,
): Promise<SharingAnswer<T>> {
  if (!program.engine.facts().isApart) return await ask();
  const failure = await say(program, list, way);
  if (failure !== null) return failed(failure);
  const answer = await ask();
  if (!answer.ok) await say(program, list, 'close');
  program.engine.nudge();
  return answer;
}

/** The list stays encrypted after all, unless it has left already. The answer is how it stands then. */
export async function stayEncrypted<T>(
  program: Program,
  list: Id,
  ask: () => Promise<SharingAnswer<T>>,
): Promise<SharingAnswer<T>> {
  const failure = await say(program, list, 'close');
  program.engine.nudge();
  return failure === null ? await ask() : failed(failure);
}
