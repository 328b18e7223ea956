// The editor of a macro: the macro itself, its steps and its variables in one list, and the fields of the chosen one. Every change is
// stored at once, as one undo. A lazy part. It is drawn by web/dialogs/macros/editor.tsx.
import type { Id } from '#core/ids.ts';
import { type ListMove, movedTo, moveOf } from '../../dialogs/list-cursor.ts';
import type { OpenDialog } from '../../dialogs/open-dialog.ts';
import type { Program } from '../../app/program.ts';
import { quoted } from '../../text/editor.ts';
import { macroCommand, type MacroContent, most, type Step } from '../macro.ts';
import { freeName, linkOf } from '../naming.ts';
import type { MacroShelf } from '../shelf.ts';
import { sharedText } from '../shared-text.ts';
import { addables } from './adding.ts';
import { type Completion, completionOf, questionOf } from './completing.ts';
import { Draft, type Spot } from './draft.ts';
import { byKey } from './by-key.ts';
import { followed } from './following.ts';
import { freeVariable, withInserted, withoutStep, withShifted, withVariable } from './edits.ts';
import type {
  MacroEditorAction,
  MacroEditorDeed,
  MacroEditorStart,
  MacroEditorView,
  MacroField,
} from './editor-view.ts';
import { deleteIt, giveItAKey, type LeftEditor, recordInto, runIt, tryIt } from './leaving.ts';
import { ScriptCheck } from './script-check.ts';
import { chosenView, entriesOf } from './showing.ts';

const TOO_LARGE = 'A macro can have 64 KB. This change doesn’t fit.';

type Wanted = MacroEditorView['wanted'];

/** The focus goes somewhere. */
const GOING: ReadonlySet<MacroEditorAction['action']> = new Set(['leave', 'atList', 'atAdding', 'atControl']);

const NAMES: ReadonlySet<MacroField> = new Set(['name', 'variable']);

/** The dialog of a macro. Every change is stored at once. */
export class MacroEditor implements OpenDialog {
  readonly type = 'macroEditor';
  readonly #program: Program;
  readonly #shelf: MacroShelf;
  readonly #id: Id;
  #macro: MacroContent;
  /** Whether it is stored: a new one is, from its first change on. */
  #isStored: boolean;
  #active: number;
  /** The field that has the focus; null: the list has it. */
  #field: MacroField | null = null;
  /** Something else beside the list has it: a switch, an icon, a button. */
  #isBeside = false;
  #draft: Draft | null = null;
  #completion: (Completion & { readonly field: MacroField; readonly active: number }) | null = null;
  #adding: { readonly query: string; readonly active: number; readonly hasFocus: boolean } | null = null;
  readonly #check: ScriptCheck;
  #wanted: Wanted = { place: 'entries', at: null, turn: 0 };
  #answer: MacroEditorView['answer'] = null;
  #revision = 0;

  /** `created`: what a new macro begins with; null: the stored one is edited. */
  constructor(shelf: MacroShelf, { id, at }: MacroEditorStart, created: MacroContent | null = null) {
    this.#program = shelf.program;
    this.#shelf = shelf;
    this.#id = id;
    const stored = shelf.get(id);
    this.#macro = stored ?? created ?? { name: 'New macro', steps: [], variables: [], takesLinks: false };
    this.#isStored = stored !== null;
    this.#active = at;
    this.#check = new ScriptCheck(shelf.program, () => this.#draw());
    this.#resume();
  }

  /** What could not be stored the last time stands in its field. */
  #resume(): void {
    const { unsaved } = this.#shelf;
    if (unsaved?.id !== this.#id) return;
    this.#shelf.unsaved = null;
    const { draft } = unsaved;
    const { kind, index } = draft.spot;
    this.#active = kind === 'macro' ? 0 : index + 1 + (kind === 'step' ? 0 : this.#macro.steps.length);
    this.#draft = draft;
    this.#field = draft.field;
    this.#want(draft.field);
  }

  /** The name is chosen, to be written over. */
  nameIt(): void {
    this.#want('name', 'all');
    this.#active = 0;
  }

  /** Says what led to it. */
  tell(text: string): void {
    this.#say(text);
  }

  get isTyping(): boolean {
    return this.#draft !== null || (this.#adding?.query ?? '') !== '';
  }

  submit(action: MacroEditorAction): void {
    if (action.action === 'draft') this.#type(action);
    else if (action.action === 'enter') this.#enter(action.field);
    else {
      // Where the focus goes by itself, what was said stays.
      if (!GOING.has(action.action)) this.#answer = null;
      this.#do(action);
    }
    if (this.#program.dialog.isOf(this)) this.#draw();
  }

  byKey(command: string): MacroEditorAction | null {
    const to = moveOf(command);
    if (to !== null) {
      const isList = this.#field === null || this.#completion !== null;
      return isList ? { action: 'move', to } : null;
    }
    if (command === 'options.choose') return this.#chosenByKey();
    if (command === 'steps.check') return { action: this.#field === 'source' ? 'check' : 'try' };
    return byKey[command] ?? null;
  }

  undo(): void {
    if (!this.#commit()) return this.#draw();
    const outcome = this.#program.run('edit.undo');
    // It is said here, and once.
    this.#program.messages.clear();
    if (outcome.type === 'done') this.#say(outcome.announce ?? '');
    else if (outcome.type === 'refused') this.#say(outcome.reason, outcome.tone === undefined);
    this.#revision += 1;
    this.refresh();
  }

  /** Escape: what is open in it first, then a field, then the editor. */
  clearFilter(): boolean {
    if (this.#completion !== null) this.#completion = null;
    else if (this.#adding !== null) {
      this.#adding = null;
      this.#want('entries');
    } else if (this.#field !== null) {
      // What can't be stored is said once. Then Escape takes a name back, and leaves with anything else, which is there the next time.
      const wasSaid = this.#answer?.isError === true;
      if (wasSaid && NAMES.has(this.#field)) {
        this.#draft = null;
        this.#say('');
        this.#revision += 1;
      }
      if (this.#commit()) this.#want('entries');
      else if (wasSaid) return false;
    } else if (this.#isBeside) this.#want('entries');
    else return false;
    this.#draw();
    return true;
  }

  leave(): void {
    const isKept = this.#commit();
    this.#check.stop();
    this.#shelf.unsaved = this.#draft === null ? null : { id: this.#id, draft: this.#draft };
    const { isError = false, text = '' } = this.#answer ?? {};
    const again = isKept ? '' : ' What you typed is there when you edit the macro again.';
    if (isError) this.#program.say(`${text}${again}`, { error: true, brief: isKept });
  }

  refresh(): void {
    const stored = this.#shelf.get(this.#id);
    if (stored === null && this.#isStored) {
      // It was deleted elsewhere, or what made it was undone.
      this.#draft = null;
      this.#program.dialog.close();
      this.#program.say(`The macro ${quoted(this.#macro.name)} is gone. Undo brings it back.`);
      return;
    }
    if (stored !== null) {
      const { id: _, ...content } = stored;
      this.#take(content);
      this.#isStored = true;
    }
    this.#draw();
  }

  /** As another device left it. The chosen entry is followed; what is typed into a step that is gone makes it a step again. */
  #take(macro: MacroContent): void {
    const spot = this.#spot;
    const index = followed(this.#macro, macro, spot);
    this.#macro = macro;
    if (index === spot.index) return;
    const isWriting = this.#field !== null;
    if (index !== null) {
      this.#active += index - spot.index;
      this.#draft = this.#draft?.at(index) ?? null;
      if (this.#field !== null) this.#want(this.#field);
    } else if (this.#draft !== null && spot.kind === 'step') {
      const { field } = this.#draft;
      if (!this.#commit()) return;
      this.#want(field);
      this.#say('Another device removed this step. What you typed makes it a step again.');
    } else {
      this.#draft = null;
      if (isWriting || this.#isBeside) this.#want('entries');
      this.#say(`Another device removed the ${spot.kind} that was chosen.`);
    }
  }

  #draw(): void {
    this.#active = Math.max(0, Math.min(this.#active, this.#last));
    const keys = this.#program.labelKeys.keymap.keysOf(this.#command)[0] ?? null;
    const completion = this.#completion;
    this.#program.dialog.show({
      type: 'macroEditor',
      macro: {
        name: this.#macro.name,
        keys,
        entries: entriesOf(this.#program, this.#macro),
        active: this.#active,
        chosen: chosenView(this.#program, this.#macro, this.#spot, {
          keys,
          address: linkOf(this.#id),
          check: this.#check.viewOf(this.#spot),
          draft: this.#draft,
        }),
        adding: this.#adding && {
          query: this.#adding.query,
          active: this.#adding.active,
          options: addables(this.#program, this.#adding.query, this.#command).map(
            ({ icon, title, detail }) => ({ icon, title, detail }),
          ),
        },
        completion: completion && {
          field: completion.field,
          active: completion.active,
          options: completion.options.map(({ icon, title, detail }) => ({ icon, title, detail })),
        },
        wanted: this.#wanted,
        answer: this.#answer,
        revision: this.#revision,
      },
    });
  }

  get #command(): string {
    return macroCommand(this.#id);
  }

  get #last(): number {
    return this.#macro.steps.length + this.#macro.variables.length;
  }

  /** The chosen entry: the macro, a step or a variable by its index. */
  get #spot(): Spot {
    const { steps } = this.#macro;
    if (this.#active === 0) return { kind: 'macro', index: 0 };
    if (this.#active <= steps.length) return { kind: 'step', index: this.#active - 1 };
    return { kind: 'variable', index: this.#active - 1 - steps.length };
  }

  #want(place: Wanted['place'], at: Wanted['at'] = null): void {
    this.#wanted = { place, at, turn: this.#wanted.turn + 1 };
    if (place === 'entries' || place === 'adding') this.#field = null;
    this.#isBeside = false;
  }

  /** The fields are made anew where their entry has another number: the focus stays in them, or goes to the list. */
  #stay(): void {
    this.#want(this.#field ?? 'entries');
  }

  #say(text: string, isError = false): void {
    this.#answer = text === '' ? null : { text, isError };
    if (isError) this.#revision += 1;
  }

  /** Stores the macro as it is now. False: it doesn't fit. */
  #store(macro: MacroContent, label: string): boolean {
    if (macro === this.#macro) return true;
    const before = this.#macro;
    this.#macro = macro;
    const isKept = this.#shelf.save(this.#id, macro, label);
    if (isKept) this.#isStored = true;
    else {
      this.#macro = before;
      this.#say(TOO_LARGE, true);
    }
    return isKept;
  }

  #enter(field: MacroField): void {
    if (this.#field !== field && this.#draft?.field !== field && !this.#commit()) return;
    this.#field = field;
    this.#isBeside = false;
    this.#completion = null;
    this.#focusAdding(false);
  }

  #type({ field, text, caret }: Extract<MacroEditorAction, { readonly action: 'draft' }>): void {
    this.#answer = null;
    this.#field = field;
    this.#draft = (this.#draft ?? new Draft(this.#macro, this.#spot, field)).typed(text);
    const completion = completionOf(
      this.#program,
      this.#macro,
      questionOf(this.#program, this.#macro, { spot: this.#spot, field }),
      { text, caret },
    );
    this.#completion = completion && { ...completion, field, active: 0 };
  }

  /** False: what was typed can't be stored. It stays in its field, which has the focus again. */
  #commit(): boolean {
    const draft = this.#draft;
    this.#completion = null;
    if (draft === null) return true;
    const written = draft.into(this.#macro, (name) => freeName(this.#shelf, name, this.#id));
    if (!written.ok) this.#say(written.problem, true);
    else if (this.#store(written.value.macro, written.value.label)) {
      this.#draft = null;
      return true;
    }
    this.#want(draft.field);
    return false;
  }

  #complete(index: number): void {
    const completion = this.#completion;
    const option = completion?.options[index];
    if (completion === null || option === undefined) return;
    const { field, from, to } = completion;
    const draft = this.#draft ?? new Draft(this.#macro, this.#spot, field);
    const { text } = draft;
    const put = `${text.slice(0, from)}${option.words}${text.slice(to)}`;
    this.#draft = draft.typed(put, option.id);
    this.#completion = null;
    this.#revision += 1;
    this.#want(field, from + option.words.length);
  }

  #focusAdding(hasFocus: boolean): void {
    if (this.#adding !== null) this.#adding = { ...this.#adding, hasFocus };
  }

  #chosenByKey(): MacroEditorAction {
    if (this.#adding?.hasFocus === true) return { action: 'addStep', index: this.#adding.active };
    if (this.#completion !== null) return { action: 'option', index: this.#completion.active };
    return { action: this.#field === null ? 'open' : 'commit' };
  }

  #do(action: Exclude<MacroEditorAction, { readonly action: 'draft' | 'enter' }>): void {
    switch (action.action) {
      case 'move':
        return this.#move(action.to);
      case 'option':
        return this.#complete(action.index);
      case 'addStep':
        return this.#add(action.index);
      case 'query':
        if (this.#adding !== null) this.#adding = { query: action.text, active: 0, hasFocus: true };
        return;
      case 'leave':
        if (this.#field === action.field && this.#commit()) this.#field = null;
        return;
      case 'atList':
      case 'atAdding':
      case 'atControl':
        if (!this.#commit()) return;
        this.#field = null;
        this.#isBeside = action.action === 'atControl';
        return this.#focusAdding(action.action === 'atAdding');
      default:
        if (this.#commit()) this.#change(action);
    }
  }

  #move(to: ListMove): void {
    if (this.#adding?.hasFocus === true) {
      const { length } = addables(this.#program, this.#adding.query, this.#command);
      this.#adding = { ...this.#adding, active: movedTo(this.#adding.active, length, to) };
    } else if (this.#completion !== null) {
      const { active, options } = this.#completion;
      this.#completion = { ...this.#completion, active: movedTo(active, options.length, to) };
    } else {
      if (this.#commit()) this.#active = movedTo(this.#active, this.#last + 1, to);
    }
  }

  #change(action: MacroEditorDeed): void {
    const label = `changed the macro ${quoted(this.#macro.name)}`;
    switch (action.action) {
      case 'choose':
        this.#active = action.index;
        this.#want('entries');
        return;
      case 'open':
        return this.#open();
      case 'commit':
        return;
      case 'add':
        this.#adding = { query: '', active: 0, hasFocus: true };
        this.#want('adding');
        return;
      case 'variable':
        return this.#addVariable();
      case 'shift':
        return this.#shift(action.by);
      case 'duplicate':
        return this.#duplicate();
      case 'remove':
        return this.#remove();
      case 'asked':
        this.#store(withVariable(this.#macro, this.#spot.index, { isAsked: action.isOn }), label);
        return;
      case 'links':
        this.#store({ ...this.#macro, takesLinks: action.isOn }, label);
        return;
      case 'icon':
        this.#store({ ...this.#macro, icon: action.icon }, label);
        return;
      default:
        this.#act(action.action);
    }
  }

  #act(
    action: 'record' | 'run' | 'try' | 'check' | 'key' | 'copyLink' | 'copyText' | 'copyMacro' | 'delete',
  ): void {
    switch (action) {
      case 'record':
        return recordInto(
          this.#left,
          this.#spot.kind === 'step' ? this.#spot.index + 1 : this.#macro.steps.length,
        );
      case 'run':
        return runIt(this.#left);
      case 'try':
        return tryIt(this.#left);
      case 'check':
        return this.#checkScript();
      case 'key':
        return giveItAKey(this.#left);
      case 'copyLink':
        return this.#copy(linkOf(this.#id), 'Copied the link.');
      case 'copyText':
        return this.#copy(sharedText(this.#macro), 'Copied. Paste it wherever you want to share it.');
      case 'copyMacro':
        return this.#copyMacro();
      case 'delete':
        return deleteIt(this.#left, this.#isStored);
    }
  }

  /** The first field of the chosen entry. */
  #open(): void {
    const { kind, index } = this.#spot;
    if (kind !== 'step') return this.#want(kind === 'macro' ? 'name' : 'variable', 'all');
    const step = this.#macro.steps[index];
    if (step?.type === 'script') return this.#want('source');
    const [first] = step === undefined ? [] : Object.keys(step.answers);
    this.#want(first === undefined ? 'note' : `answer.${first}`, 'all');
  }

  /** Behind the chosen step; else at the end. */
  #add(index: number): void {
    const { query } = this.#adding ?? { query: '' };
    const chosen = addables(this.#program, query, this.#command)[index];
    this.#adding = null;
    if (chosen === undefined) return this.#want('entries');
    this.#insert(chosen.step, `added a step to ${quoted(this.#macro.name)}`);
    this.#open();
  }

  #insert(step: Step, label: string): void {
    const { steps } = this.#macro;
    if (steps.length >= most.steps) {
      this.#say(`A macro has up to ${most.steps} steps.`, true);
      return;
    }
    const { kind, index } = this.#spot;
    const at = kind === 'step' ? index + 1 : steps.length;
    if (this.#store(withInserted(this.#macro, at, step), label)) this.#active = at + 1;
  }

  #addVariable(): void {
    const { variables } = this.#macro;
    if (variables.length >= most.variables) {
      this.#say(`A macro has up to ${most.variables} variables.`, true);
      return;
    }
    const variable = { name: freeVariable(this.#macro), value: '', isAsked: true };
    const macro = { ...this.#macro, variables: [...variables, variable] };
    if (!this.#store(macro, `added a variable to ${quoted(this.#macro.name)}`)) return;
    this.#active = this.#last;
    this.#want('variable', 'all');
  }

  #shift(by: -1 | 1): void {
    const { kind, index } = this.#spot;
    if (kind !== 'step') return;
    const macro = withShifted(this.#macro, index, by);
    if (macro === this.#macro) this.#say(`It’s the ${by < 0 ? 'first' : 'last'} step.`);
    else if (this.#store(macro, `moved a step of ${quoted(this.#macro.name)}`)) {
      this.#active += by;
      this.#say(`Moved to step ${this.#active} of ${macro.steps.length}.`);
    }
    this.#stay();
  }

  #duplicate(): void {
    const { kind, index } = this.#spot;
    const step = kind === 'step' ? this.#macro.steps[index] : undefined;
    if (step === undefined) return this.#say('Choose a step to duplicate it.');
    const at = this.#active;
    this.#insert(step, `duplicated a step of ${quoted(this.#macro.name)}`);
    if (this.#active !== at) this.#say(`Duplicated as step ${this.#active} of ${this.#macro.steps.length}.`);
    this.#stay();
  }

  #remove(): void {
    const { kind, index } = this.#spot;
    if (kind === 'macro')
      return this.#say('This removes steps and variables. For the macro itself, choose “Delete macro.”');
    const { variables, name } = this.#macro;
    const macro =
      kind === 'step'
        ? withoutStep(this.#macro, index)
        : { ...this.#macro, variables: variables.toSpliced(index, 1) };
    if (this.#store(macro, `removed a ${kind} of ${quoted(name)}`)) this.#say(`Removed the ${kind}.`);
    this.#want('entries');
  }

  /** As it is left for something that may come back to it. */
  get #left(): LeftEditor {
    const [shelf, id, macro, at] = [this.#shelf, this.#id, this.#macro, this.#active];
    const again = () => this.#program.dialog.open(new MacroEditor(shelf, { id, at }, macro));
    return { shelf, id, macro, again };
  }

  #checkScript(): void {
    const { kind, index } = this.#spot;
    const step = kind === 'step' ? this.#macro.steps[index] : undefined;
    if (step?.type === 'script') this.#check.run(this.#macro, { index, source: step.source });
  }

  #copy(text: string, said: string): void {
    const program = this.#program;
    void program.platform.copyText(text).then((isCopied) =>
      program.act(() => {
        if (!program.dialog.isOf(this)) return;
        this.#say(isCopied ? said : 'It couldn’t be copied.', !isCopied);
        this.#draw();
      }),
    );
  }

  #copyMacro(): void {
    const program = this.#program;
    const name = freeName(this.#shelf, this.#macro.name);
    const id = program.replica.newId();
    if (!this.#shelf.save(id, { ...this.#macro, name }, `duplicated ${quoted(this.#macro.name)}`)) {
      this.#say(TOO_LARGE, true);
      return;
    }
    const editor = new MacroEditor(this.#shelf, { id, at: 0 });
    editor.nameIt();
    program.dialog.open(editor);
  }
}
