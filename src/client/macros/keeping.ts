// Keeps what was recorded: as steps of the macro that asked for it, or as a macro of its own.
import { counted } from '#core/counted.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { quoted } from '../text/editor.ts';
import type { MacroEditorStart } from './editor/editor-view.ts';
import { most } from './macro.ts';
import { freeName } from './naming.ts';
import type { MacroShelf } from './shelf.ts';

/** Of what was not recorded, so much is named. */
const TOLD = 3;

interface Kept {
  /** Where the editor shows it. */
  readonly start: MacroEditorStart;
  readonly isNew: boolean;
  readonly said: string;
}

/** Null: nothing was recorded. The problem is a sentence; what was recorded stays until it is kept. */
export function keepRecording(shelf: MacroShelf): Result<Kept, string> | null {
  shelf.recording?.finish();
  const recorded = shelf.recording?.steps ?? [];
  const missed = sayMissed(shelf.recording?.missed ?? []);
  if (recorded.length === 0) {
    shelf.endRecording();
    return null;
  }
  const into = shelf.recordedInto;
  const before = into?.macro ?? { steps: [], variables: [], takesLinks: false };
  const name = into?.macro.name ?? freeName(shelf, 'Recorded macro');
  const steps = recorded.slice(0, most.steps - before.steps.length);
  const at = into?.at ?? 0;
  const id = into?.id ?? shelf.program.replica.newId();
  const macro = { ...before, name, steps: before.steps.toSpliced(at, 0, ...steps) };
  const label = into === null ? `recorded ${quoted(name)}` : `recorded more steps of ${quoted(name)}`;
  if (!shelf.save(id, macro, label)) return failed('This macro is too large to be kept: it can have 64 KB.');
  shelf.endRecording();
  const left = recorded.length - steps.length;
  const fits = left === 0 ? '' : ` The other ${left} didn’t fit.`;
  const said = `Recorded ${counted(steps.length, 'step')}.${fits}${missed}`;
  return ok({ start: { id, at: into === null ? 0 : at + 1 }, isNew: into === null, said });
}

/** What was done and is no step, in a sentence with a space before it; empty: nothing. */
export function sayMissed(missed: readonly string[]): string {
  if (missed.length === 0) return '';
  const told = missed.slice(0, TOLD).join(', ');
  const rest = missed.length > TOLD ? ` and ${missed.length - TOLD} more` : '';
  return ` Not recorded: ${told}${rest}.`;
}
