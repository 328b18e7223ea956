// What the editor of a macro shows: its list, and the chosen entry with its fields.
import type { Program } from '../../app/program.ts';
import { counted } from '#core/counted.ts';
import type { MacroContent } from '../macro.ts';
import type { Draft, Spot } from './draft.ts';
import type { MacroChosenView, MacroEntryView, MacroField, ScriptCheckView } from './editor-view.ts';
import { answerViews, stepEntry, stepProblem, stepTitle, usesOf } from './step-words.ts';

/** The macro, its steps, its variables. */
export function entriesOf(program: Program, macro: MacroContent): readonly MacroEntryView[] {
  const { name, icon = 'macro', steps, variables } = macro;
  const detail = steps.length === 0 ? 'No steps yet' : counted(steps.length, 'step');
  return [
    { kind: 'macro', icon, title: name, detail, problem: null, number: null },
    ...steps.map((step, index) => stepEntry(program, macro, step, index + 1)),
    ...variables.map((variable): MacroEntryView => {
      const value = variable.isAsked ? 'asks each time' : variable.value;
      return {
        kind: 'variable',
        icon: 'code',
        title: variable.name,
        detail: value,
        problem: null,
        number: null,
      };
    }),
  ];
}

interface Around {
  readonly keys: readonly string[] | null;
  readonly address: string;
  readonly check: ScriptCheckView | null;
  readonly draft: Draft | null;
}

/** The chosen entry. What is being typed stands in its field. */
export function chosenView(
  program: Program,
  macro: MacroContent,
  { kind, index }: Spot,
  { keys, address, check, draft }: Around,
): MacroChosenView {
  const shown = (field: MacroField, stored: string) => (draft?.field === field ? draft.text : stored);
  const variable = kind === 'variable' ? macro.variables[index] : undefined;
  if (variable !== undefined)
    return {
      kind: 'variable',
      name: shown('variable', variable.name),
      value: shown('value', variable.value),
      isAsked: variable.isAsked,
      uses: usesOf(macro, variable),
    };
  const step = kind === 'step' ? macro.steps[index] : undefined;
  if (step === undefined) {
    const { name, icon = 'macro', takesLinks } = macro;
    return { kind: 'macro', name: shown('name', name), icon, keys, takesLinks, address };
  }
  const note = shown('note', step.note);
  const number = index + 1;
  if (step.type === 'script')
    return { kind: 'script', number, source: shown('source', step.source), note, check };
  const command = program.commands.get(step.command);
  return {
    kind: 'step',
    number,
    title: command === undefined ? step.command : stepTitle(command),
    problem: stepProblem(program, macro, step),
    answers: answerViews(command, step).map((each) => ({ ...each, text: shown(each.field, each.text) })),
    asksLater: command !== undefined && command.args.length === 0 && command.title.endsWith('…'),
    note,
  };
}
