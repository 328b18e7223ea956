// The door to the pickers of dates, repeats and durations. They and the grammar they read with are no part of the first
// load; they are brought when the app is idle, so that the first key finds them there.
import type { Argument, CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazy } from '../lazy.ts';
import type { Program } from '../program.ts';
import type { PickerKind } from './picker.ts';

export const pickers = lazy(async () => {
  const [applying, question, showing, words] = await Promise.all([
    import('./applying.ts'),
    import('./question.ts'),
    import('./showing.ts'),
    import('#core/dates/words.ts'),
  ]);
  return { ...applying, ...question, ...showing, ...words };
});

const KINDS: readonly PickerKind[] = ['due', 'start', 'snooze', 'repeat', 'once', 'duration', 'remind'];

/** The picker that asks for an argument of this kind; null where the palette itself does. */
export function pickerKind(kind: Argument['kind']): PickerKind | null {
  return KINDS.find((known) => known === kind) ?? null;
}

type Pickers = Awaited<ReturnType<typeof pickers.load>>;

export const FAILED = 'Dates could not be loaded. Check the connection and try again.';

/** Does something with the pickers: now where they are here, else as soon as they are. */
export function withPickers(program: Program, work: (part: Pickers) => CommandResult): CommandResult {
  const { now } = pickers;
  if (now) return work(now);
  program.opening(pickers.load()).then(
    (part) =>
      program.act(() => {
        const result = work(part);
        if (result.type === 'refused') program.say(result.reason, { error: true });
        else if (result.type === 'done' && result.announce) program.say(result.announce, { undo: true });
      }),
    () => program.act(() => program.say(FAILED, { error: true })),
  );
  return done;
}
