// Opening a list of a sealed scope because a person shares it, keeping it sealed after all, and taking a list back: what one device says for
// it. The rest is the walk's (list-walk.ts), on whichever device with the key is there.
import type { Id } from '#core/ids.ts';
import { failed, type Result } from '#core/result.ts';
import type { Sealing } from '#wire/sealing.ts';
import type { DeviceKeys } from './device-keys.ts';
import { stepLists } from './list-walk.ts';
import type { SealingServer } from './ports.ts';
import type { ListWay } from './scope-state.ts';
import type { TurnProblem } from './turning.ts';

/** Tries where other devices write directories at the same time. */
const TRIES = 3;

const UNDER_WAY = 'Your lists are being encrypted or decrypted right now. Try again when that is finished.';

/** Says where a list of the sealed scope is to go. Null: the scope isn't sealed, so there is nothing to say. */
export async function sendList(
  { keys, server }: { readonly keys: DeviceKeys; readonly server: SealingServer },
  list: Id,
  way: ListWay,
): Promise<Result<Sealing, TurnProblem> | null> {
  await keys.load();
  let last: Result<Sealing, TurnProblem> = failed({ type: 'locked' });
  for (let tries = 0; tries < TRIES; tries += 1) {
    const read = await keys.refresh();
    if (!read.ok) return read;
    if (read.value.state.phase === 'plain') return null;
    if (read.value.state.phase !== 'sealed') return failed({ type: 'refused', message: UNDER_WAY });
    if (keys.key === null || keys.directory === null) return failed({ type: 'locked' });
    const { lists = {} } = keys.directory.state;
    if (lists[list] === way) return read;
    // What is on no way has nothing to be closed.
    if (way === 'close' && lists[list] === undefined) return read;
    last = await stepLists({ keys, server }, { ...lists, [list]: way });
    if (last.ok || last.problem.type !== 'moved') return last;
  }
  return last;
}
