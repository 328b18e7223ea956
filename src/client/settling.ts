// What becomes of recovered changes when somebody decides: made again or let go. Not here: how they are shown.
import type { RecoveredItem } from '#sync/ports.ts';
import { contentOf } from './describing.ts';
import type { Program } from './program.ts';
import { reapplyAction } from './reapply.ts';

const DAY_MS = 86_400_000;
/** How long what was recovered waits for a decision. */
export const RECOVERED_MS = 30 * DAY_MS;

/** Lets go of what nobody decided about in its time, and says so. */
export function expireRecovered(program: Program): void {
  const { engine, replica } = program;
  const old = engine.recovered.get().filter(({ at }) => at < replica.now() - RECOVERED_MS);
  if (old.length === 0) return;
  engine.dropRecovered(old.map(({ operation }) => operation.q));
  const what = old.length === 1 ? 'A recovered change was' : `${old.length} recovered changes were`;
  program.say(`${what} let go after 30 days.`);
}

/** Makes refused changes again (`again`) or lets them go; all of them when no number is given. */
export function settleRecovered(program: Program, values: Readonly<Record<string, string>>): void {
  const { engine, replica } = program;
  const chosen = engine.recovered
    .get()
    .filter(({ operation }) => values.seq === undefined || String(operation.q) === values.seq);
  if (values.action === 'copy') {
    copyTexts(program, chosen);
    return;
  }
  if (values.action !== 'again') {
    engine.dropRecovered(chosen.map(({ operation }) => operation.q));
    return;
  }
  const again = chosen.flatMap((item) => {
    const action = reapplyAction(replica, item, replica.newId());
    return action ? [{ item, action }] : [];
  });
  const { verdicts } = program.change(
    again.map(({ action }) => action),
    'applied a recovered change',
  );
  const made = again.filter((_, index) => verdicts[index] === 'ok');
  engine.dropRecovered(made.map(({ item }) => item.operation.q));
  const count = made.length === 1 ? 'Made the change again.' : `Made ${made.length} changes again.`;
  if (made.length > 0) program.say(count, { undo: true });
  else program.say('That change cannot be made here any more.', { error: true });
}

function copyTexts(program: Program, chosen: readonly RecoveredItem[]): void {
  const text = chosen.map(({ operation }) => contentOf(operation)).join('\n');
  void program.platform.copyText(text).then((isCopied) =>
    program.act(() => {
      if (isCopied) program.say('Copied.');
      else program.say('This browser does not let the app copy.', { error: true });
    }),
  );
}
