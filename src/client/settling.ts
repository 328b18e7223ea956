// What becomes of recovered changes when somebody decides: made again or let go. Not here: how they are shown.
import type { Program } from './program.ts';
import { reapplyAction } from './reapply.ts';

/** Makes refused changes again (`again`) or lets them go; all of them when no number is given. */
export function settleRecovered(program: Program, values: Readonly<Record<string, string>>): void {
  const { engine, replica } = program;
  const chosen = engine.recovered
    .get()
    .filter(({ operation }) => values.seq === undefined || String(operation.q) === values.seq);
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
