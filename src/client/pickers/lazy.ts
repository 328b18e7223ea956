// Lazy part of the pickers of dates, repeats and durations. They and their grammar are not in the first load; they are
// loaded when the app is idle, so that the first key finds them ready.
import type { Argument, CommandResult } from '../commands/command.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import type { Program } from '../app/program.ts';
import type { PickerKind } from './picker.ts';

/** The pickers, their questions in the palette, and applying their choices. Loaded with the rest. */
export const pickers = lazyPart('The calendar of dates', () => import('./picking.ts'));

const KINDS: readonly PickerKind[] = [
  'due',
  'start',
  'snooze',
  'repeat',
  'once',
  'duration',
  'remind',
  'block',
];

/** The picker for an argument of this kind; null if the palette itself asks. */
export function pickerKind(kind: Argument['kind']): PickerKind | null {
  return KINDS.find((known) => known === kind) ?? null;
}

type Pickers = Awaited<ReturnType<typeof pickers.load>>;

/** Runs `work` with the pickers, now or as soon as they are loaded. */
export function withPickers(program: Program, work: (part: Pickers) => CommandResult): CommandResult {
  return program.inputQueue.enter(pickers, work);
}
