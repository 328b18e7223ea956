// The door to the pickers of dates, repeats and durations. They and the grammar they read with are no part of the first
// load; they are brought when the app is idle, so that the first key finds them there.
import type { Argument, CommandResult } from '../commands/command.ts';
import { door } from '../door.ts';
import type { Program } from '../program.ts';
import type { PickerKind } from './picker.ts';

export const pickers = door('The calendar of dates', async () => {
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

/** Does something with the pickers: now where they are here, else as soon as they are. */
export function withPickers(program: Program, work: (part: Pickers) => CommandResult): CommandResult {
  return program.held.enter(pickers, work);
}
