// Settles recovered changes: replays or drops them. Showing them is elsewhere.
import { DAY_MS } from '#core/time.ts';
import type { RecoveredItem } from '#sync/replica/ports.ts';
import { contentOf } from './operation-text.ts';
import type { Program } from '../app/program.ts';
import { followedFiles } from '../files/part.ts';
import { reapplyTogether } from './recovered-replay.ts';
import type { RecoveredAction } from './status-view.ts';

/** How long a recovered change waits for a decision. */
export const RECOVERED_MS = 30 * DAY_MS;

/** Drops recovered changes that expired, and says so. */
export function expireRecovered(program: Program): void {
  const { engine, replica } = program;
  const old = engine.recovered.get().filter(({ at }) => at < replica.now() - RECOVERED_MS);
  if (old.length === 0) return;
  engine.dropRecovered(old.map(({ operation }) => operation.q));
  const what = old.length === 1 ? 'A recovered change was' : `${old.length} recovered changes were`;
  program.say(`${what} discarded after 30 days.`);
}

/** Replays refused changes (`again`) or drops them; all of them without a number. */
export function settleRecovered(program: Program, { action, seq }: RecoveredAction): void {
  const { engine, replica } = program;
  const chosen = engine.recovered.get().filter(({ operation }) => seq === undefined || operation.q === seq);
  if (action === 'copy') {
    copyTexts(program, chosen);
    return;
  }
  if (action === 'drop') {
    engine.dropRecovered(chosen.map(({ operation }) => operation.q));
    return;
  }
  const replayed = reapplyTogether(replica, chosen, () => replica.newId());
  const again = chosen.flatMap((item, index) => {
    const made = replayed[index] ?? null;
    return made === null ? [] : [{ item, made }];
  });
  const { verdicts } = program.change(
    again.map(({ made }) => made),
    'applied a recovered change',
    { rescues: true },
  );
  const done = again.filter((_, index) => verdicts[index] === 'ok');
  engine.dropRecovered(done.map(({ item }) => item.operation.q));
  program.part(followedFiles).madeAgain(done.map(({ made }) => made.id));
  const count = done.length === 1 ? 'Applied the change again.' : `Applied ${done.length} changes again.`;
  if (done.length > 0) program.say(count, { undo: true });
  else program.say('That change can’t be applied here anymore.', { error: true });
}

function copyTexts(program: Program, chosen: readonly RecoveredItem[]): void {
  const text = chosen.map(({ operation }) => contentOf(operation)).join('\n');
  void program.platform.copyText(text).then((isCopied) =>
    program.act(() => {
      if (isCopied) program.say('Copied.');
      else program.say('Your browser blocked the copy.', { error: true });
    }),
  );
}
