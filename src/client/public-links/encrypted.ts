// What the dialog of public links does about a list that stays encrypted, by the desk of encryption: the keys of a new link, and the secrets of those
// that there are. Nothing of it is needed for other lists.
import type { Id } from '#core/ids.ts';
import { failed, type Result } from '#core/result.ts';
import type { ListDesk, ListProblem } from '#sync/sealing/lists/list-desk.ts';
import type { Program } from '../app/program.ts';
import { UNLOADED } from '../sealing/words.ts';
import type { SharingAnswer } from '../sharing/port.ts';
import type { LinksState, PublicLinksPort } from './port.ts';

/** Between two tries while the list gets its key, and how many there are: some two minutes. */
const PAUSE_MS = 500;
const TRIES = 240;

const NO_KEY =
  'This list is end-to-end encrypted, and this device can’t open its key. Unlock this device first, or ask somebody in the list to let you in.';

function words(problem: ListProblem): string {
  if ('message' in problem) return problem.message;
  return NO_KEY;
}

async function byDesk<T>(
  program: Program,
  work: (lists: ListDesk) => Promise<Result<T, ListProblem>>,
): Promise<Result<T, ListProblem>> {
  const desk = await program.platform.account.sealing().catch(() => null);
  return desk === null ? failed({ type: 'offline', message: UNLOADED }) : await work(desk.lists);
}

const pause = (program: Program) =>
  new Promise<void>((resolve) => void program.platform.after(PAUSE_MS, resolve));

/** Makes a link whose address has the key. A list that is just being encrypted is waited for. */
export async function createEncrypted(
  program: Program,
  port: PublicLinksPort,
  { list, scope }: Pick<LinksState, 'list' | 'scope'>,
): Promise<SharingAnswer<LinksState>> {
  for (let tries = 0; ; tries += 1) {
    const made = await byDesk(program, (lists) => lists.publicLink(scope as Id));
    if (made.ok) return await port.create(list as Id, { keys: made.value.keys });
    const { problem } = made;
    if (problem.type !== 'moved' || tries === TRIES)
      return failed({ type: problem.type === 'offline' ? 'offline' : 'refused', message: words(problem) });
    program.engine.nudge();
    await pause(program);
  }
}

/** The secrets of links of an encrypted list, by link; those that can't be opened here are absent. */
export async function secretsOf(program: Program, state: LinksState): Promise<ReadonlyMap<Id, string>> {
  const sealed = state.links.flatMap(({ id, keys }) => (keys === undefined ? [] : [{ id, keys }]));
  if (sealed.length === 0) return new Map();
  const opened = await byDesk(program, (lists) =>
    lists.publicSecrets(
      state.scope as Id,
      sealed.map(({ keys }) => keys),
    ),
  );
  if (!opened.ok) return new Map();
  return new Map(
    sealed.flatMap(({ id }, at) => {
      const secret = opened.value[at] ?? null;
      return secret === null ? [] : [[id as Id, secret] as const];
    }),
  );
}
