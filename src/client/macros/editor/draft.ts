// What is typed into a field of the editor and not stored yet. It finds its step again where another device has changed the macro
// meanwhile; where that step is gone, what was typed becomes a step of its own.
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { quoted } from '../../text/editor.ts';
import { type MacroContent, most, type Step } from '../macro.ts';
import { variableProblem, withInserted, withRenamed, withStep, withVariable } from './edits.ts';
import type { MacroField } from './editor-view.ts';

/** The macro itself, or a step or variable by its index. */
export interface Spot {
  readonly kind: 'macro' | 'step' | 'variable';
  readonly index: number;
}

interface Written {
  readonly macro: MacroContent;
  readonly label: string;
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The text of a field as it is stored. */
export function storedText(macro: MacroContent, { kind, index }: Spot, field: MacroField): string {
  if (kind === 'macro') return macro.name;
  if (kind === 'variable') {
    const variable = macro.variables[index];
    return (field === 'value' ? variable?.value : variable?.name) ?? '';
  }
  const step = macro.steps[index];
  if (field === 'note') return step?.note ?? '';
  if (step?.type === 'script') return step.source;
  return step?.answers[field.slice('answer.'.length)]?.words ?? '';
}

function stepWith(step: Step, field: MacroField, text: string, id: Id | null): Step {
  if (field === 'note') return { ...step, note: text.trim().slice(0, most.note) };
  if (step.type === 'script') return { ...step, source: text };
  const answer = id === null ? { words: text } : { words: text, id };
  return { ...step, answers: { ...step.answers, [field.slice('answer.'.length)]: answer } };
}

/** A text as typed, with where it belongs. */
export class Draft {
  readonly spot: Spot;
  readonly field: MacroField;
  readonly text: string;
  readonly #macro: MacroContent;
  /** The step or variable as it was when typing began. */
  readonly #before: unknown;
  /** The row that was chosen for the answer. */
  readonly #id: Id | null;

  constructor(
    macro: MacroContent,
    spot: Spot,
    field: MacroField,
    typed: { readonly text: string; readonly id: Id | null; readonly before: unknown } | null = null,
  ) {
    this.spot = spot;
    this.field = field;
    this.text = typed?.text ?? storedText(macro, spot, field);
    this.#id = typed?.id ?? null;
    this.#before =
      typed?.before ?? (spot.kind === 'step' ? macro.steps[spot.index] : macro.variables[spot.index]);
    this.#macro = macro;
  }

  /** With this text. `id`: the row that it names. */
  typed(text: string, id: Id | null = null): Draft {
    return new Draft(this.#macro, this.spot, this.field, { text, id, before: this.#before });
  }

  /** Where its step or variable is now. */
  at(index: number): Draft {
    const { field, text } = this;
    const typed = { text, id: this.#id, before: this.#before };
    return new Draft(this.#macro, { ...this.spot, index }, field, typed);
  }

  /** The macro with what was typed. `free`: a name that no other macro has. The problem is a sentence. */
  into(macro: MacroContent, free: (name: string) => string): Result<Written, string> {
    const { kind } = this.spot;
    if (kind === 'macro') return this.#name(macro, free);
    return kind === 'step' ? this.#step(macro) : this.#variable(macro);
  }

  #name(macro: MacroContent, free: (name: string) => string): Result<Written, string> {
    const wanted = this.text.trim().slice(0, most.name);
    if (wanted === '') return failed('A macro needs a name.');
    if (wanted === macro.name) return ok({ macro, label: '' });
    const name = free(wanted);
    return ok({
      macro: { ...macro, name },
      label: `renamed the macro ${quoted(macro.name)} to ${quoted(name)}`,
    });
  }

  #step(macro: MacroContent): Result<Written, string> {
    const { index } = this.spot;
    // Set where the spot is a step.
    const before = this.#before as Step | undefined;
    if (before === undefined) return ok({ macro, label: '' });
    const written = stepWith(before, this.field, this.text, this.#id);
    if (isSame(written, before)) return ok({ macro, label: '' });
    if (this.field !== 'source' && this.text.length > most.value)
      return failed(`An answer can have ${most.value.toLocaleString('en-US')} characters.`);
    const label = `changed a step of ${quoted(macro.name)}`;
    const at = isSame(macro.steps[index], before)
      ? index
      : macro.steps.findIndex((step) => isSame(step, before));
    return ok({
      macro:
        at < 0
          ? withInserted(macro, Math.min(index, macro.steps.length), written)
          : withStep(macro, at, written),
      label,
    });
  }

  #variable(macro: MacroContent): Result<Written, string> {
    const { index } = this.spot;
    const variable = macro.variables[index];
    if (variable === undefined) return ok({ macro, label: '' });
    const label = `changed a variable of ${quoted(macro.name)}`;
    if (this.field === 'value') {
      if (this.text === variable.value) return ok({ macro, label });
      if (this.text.length > most.value)
        return failed(`A value can have ${most.value.toLocaleString('en-US')} characters.`);
      return ok({ macro: withVariable(macro, index, { value: this.text }), label });
    }
    const name = this.text.trim();
    if (name === variable.name) return ok({ macro, label });
    const problem = variableProblem(macro, name, index);
    return problem === null ? ok({ macro: withRenamed(macro, variable.name, name), label }) : failed(problem);
  }
}
