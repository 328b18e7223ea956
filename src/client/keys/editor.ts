// The editor of keys: what is shown, and what is done with it. Keys are recorded by pressing them; while that goes on, no key
// does anything else. A lazy chunk. How it is drawn is web/dialogs/key-editor.tsx.
import type { KeyContext } from '../commands/command.ts';
import type { Command } from '../commands/define.ts';
import { labelName } from '../labels/catalog.ts';
import { hotkeyAction, keyProblem } from '../labels/hotkey.ts';
import type { OpenDialog } from '../open-dialog.ts';
import type { Program } from '../program.ts';
import { changeSetting } from '../settings/changing.ts';
import { keysChords } from '../settings/keys.ts';
import { resetCommand, withKey, withoutKey } from './changing.ts';
import { choicesOf, choose } from './choices.ts';
import { spellingProblem, type Verdict, verdictOn, type Wish } from './conflicts.ts';
import { filtered, type KeyOption, optionsOf, optionViews } from './editor-options.ts';
import type { KeyOptionView, RecorderView } from './editor-view.ts';
import { readKeyFile, writeKeyFile } from './exchange.ts';
import type { Binding } from './keymap.ts';
import { none, type OwnKeys } from './own-keys.ts';
import { collide } from './layers.ts';
import { lostInTab } from './lost.ts';
import { bindingsOf, presetOf, presets } from './presets.ts';
import { MOST_STROKES, spelledOf } from './spelling.ts';
import { parseKeys, type Stroke } from './stroke.ts';

interface Recording {
  readonly option: KeyOption;
  /** The key that goes when the new one is saved. */
  readonly replaced: Binding | null;
  readonly strokes: readonly Stroke[];
  readonly isListening: boolean;
}

interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

const PAGE_STEP = 8;
const STEPS: Readonly<Record<string, number>> = { down: 1, up: -1, pageDown: PAGE_STEP, pageUp: -PAGE_STEP };
const FILE_NAME = 'Posthaste keys.json';

/** Null: labels and grammars have no command. */
function commandOf(about: KeyOption['about']): string | null {
  if (about.type === 'key') return about.binding.command;
  return about.type === 'unbound' ? about.command : null;
}

export class KeyEditor implements OpenDialog {
  readonly #program: Program;
  readonly #commands: ReadonlyMap<string, Command>;
  #query = '';
  #sought: readonly Stroke[] | null = null;
  #active: string | null = null;
  #recording: Recording | null = null;
  #answer: Answer | null = null;
  #shown: readonly KeyOption[] = [];
  #views: readonly KeyOptionView[] = [];

  constructor(program: Program, commands: ReadonlyMap<string, Command>, query = '') {
    this.#query = query;
    this.#program = program;
    this.#commands = commands;
  }

  get isTyping(): boolean {
    return this.#query !== '';
  }

  submit(values: Readonly<Record<string, string>>): void {
    this.#answer = null;
    this.#do(values);
    this.refresh();
  }

  leave(): void {
    this.#recording = null;
    this.#program.capture = null;
  }

  refresh(): void {
    const program = this.#program;
    const choices = choicesOf(program);
    this.#shown = filtered(optionsOf(program, this.#commands), this.#query, this.#sought);
    if (!this.#shown.some(({ id }) => id === this.#active)) this.#active = this.#shown[0]?.id ?? null;
    this.#views = optionViews(this.#shown, program, { own: choices.own, before: this.#views });
    const option = this.#option;
    program.dialog.set({
      type: 'keys',
      editor: {
        presets,
        preset: choices.preset.id,
        about: [choices.preset.about, lostInTab(program)].filter((text) => text !== null).join(' '),
        chords: choices.chords,
        isSynced: choices.isSynced,
        query: this.#query,
        sought: this.#sought === null ? null : program.labelKeys.keymap.keycaps(this.#sought),
        options: this.#views,
        active: this.#shown.findIndex(({ id }) => id === this.#active),
        recorder: this.#recorderView(),
        canRemove: option !== null && option.strokes.length > 0 && option.about.type !== 'read',
        canReset: option !== null && this.#resetOf(option) !== choices.own,
        canResetAll: choices.own.add.length + choices.own.drop.length > 0,
        answer: this.#answer,
      },
    });
  }

  get #option(): KeyOption | null {
    return this.#shown.find(({ id }) => id === this.#active) ?? null;
  }

  #do({ action = '', text = '', id = '' }: Readonly<Record<string, string>>): void {
    const step = STEPS[action];
    if (step !== undefined) this.#move(step);
    else if (action === 'choose') this.#active = id;
    else if (action === 'filter') this.#query = text;
    else if (action === 'preset') this.#takePreset(text);
    else if (action === 'chords') this.#say(changeSetting(this.#program, keysChords, text === 'true'));
    else if (action === 'sync') this.#after('keys.sync');
    else if (action === 'undo') this.#after('edit.undo');
    else if (action === 'export') this.#export();
    else if (action === 'import') this.#import();
    else if (action === 'resetAll')
      this.#take(none, 'reset all keys', 'All keys are those of the set again.');
    else this.#onOption(action);
  }

  /** What is done with the line that is chosen. */
  #onOption(action: string): void {
    const option = this.#option;
    if (action === 'byKey') this.#seek();
    else if (action === 'cancel') this.#stop();
    else if (action === 'save') this.#save();
    else if (option === null) this.#refuse('Choose a line first.');
    else if (option.about.type === 'read')
      this.#refuse(`“${option.title}” belongs to the set. Choose another set of keys to be without it.`);
    else if (action === 'record')
      this.#record(option, option.about.type === 'key' ? option.about.binding : null);
    else if (action === 'add') this.#record(option, null);
    else if (action === 'again' && this.#recording) this.#record(option, this.#recording.replaced);
    else if (action === 'remove') this.#remove(option);
    else if (action === 'reset') this.#reset(option);
  }

  #move(step: number): void {
    const at = this.#shown.findIndex(({ id }) => id === this.#active);
    const to = Math.max(0, Math.min(this.#shown.length - 1, at + step));
    this.#active = this.#shown[to]?.id ?? null;
  }

  #say(text: string): void {
    this.#answer = { text, isError: false };
  }

  #refuse(text: string): void {
    this.#answer = { text, isError: true };
  }

  #after(command: string): void {
    const result = this.#program.run(command);
    if (result.type === 'refused') this.#refuse(result.reason);
    else if (result.type === 'done') this.#say(result.announce ?? '');
  }

  #takePreset(id: string): void {
    const preset = presetOf(id);
    choose(this.#program, { preset }, `chose the ${preset.title} keys`);
    this.#say(`${preset.title} keys.`);
  }

  #take(own: OwnKeys, label: string, said: string): void {
    choose(this.#program, { own }, label);
    this.#say(said);
  }

  /** Lines are found by the keys that are pressed. Again: by words. */
  #seek(): void {
    if (this.#sought !== null) {
      this.#stop();
      return;
    }
    this.#sought = [];
    this.#program.capture = (stroke) => {
      const sought = this.#sought ?? [];
      if (stroke === 'Escape') this.#stop();
      else if (stroke === 'Tab' || stroke === 'Shift+Tab') return false;
      else if (stroke === 'Backspace' && sought.length > 0) this.#sought = sought.slice(0, -1);
      else this.#sought = sought.length >= MOST_STROKES ? [stroke] : [...sought, stroke];
      // A key that is no beginning of anything begins anew.
      if (this.#sought !== null && this.#sought.length > 1) {
        const found = filtered(optionsOf(this.#program, this.#commands), '', this.#sought);
        if (found.length === 0) this.#sought = [stroke];
      }
      this.refresh();
      return true;
    };
  }

  #record(option: KeyOption, replaced: Binding | null): void {
    this.#sought = null;
    this.#recording = { option, replaced, strokes: [], isListening: true };
    this.#program.capture = (stroke) => {
      this.#hear(stroke);
      this.refresh();
      return true;
    };
  }

  #hear(stroke: Stroke): void {
    const recording = this.#recording;
    if (recording === null) return;
    const { strokes } = recording;
    const hasSome = strokes.length > 0;
    if (stroke === 'Escape') {
      if (hasSome) this.#settle(strokes);
      else this.#stop();
    } else if (stroke === 'Enter' && hasSome) {
      this.#settle(strokes);
      const verdict = this.#verdict();
      if (verdict !== null && verdict.problem === null && verdict.notes.length === 0) this.#save();
    } else if (stroke === 'Backspace' && hasSome)
      this.#recording = { ...recording, strokes: strokes.slice(0, -1) };
    else {
      const next = [...strokes, stroke];
      const isLast = next.length === MOST_STROKES || !choicesOf(this.#program).chords;
      if (isLast) this.#settle(next);
      else this.#recording = { ...recording, strokes: next };
    }
  }

  /** Recording ends; what was pressed waits to be saved. */
  #settle(strokes: readonly Stroke[]): void {
    if (this.#recording) this.#recording = { ...this.#recording, strokes, isListening: false };
    this.#program.capture = null;
  }

  #stop(): void {
    this.#recording = null;
    this.#sought = null;
    this.#program.capture = null;
  }

  /** Single letters are for where they are no text. */
  #contextOf({ option, replaced, strokes }: Recording): KeyContext {
    const { about } = option;
    if (replaced) return replaced.context;
    if (about.type === 'key') return about.binding.context;
    if (about.type === 'unbound' && about.context !== null) return about.context;
    const [first = ''] = strokes;
    return /^(?:Ctrl|Alt|Meta)\+|^(?:Alt\+)?Shift\+(?:Meta|F\d)|^F\d/.test(first) ? 'global' : 'navigate';
  }

  #verdict(): Verdict | null {
    const recording = this.#recording;
    if (recording === null || recording.strokes.length === 0) return null;
    const { option, strokes, replaced } = recording;
    const program = this.#program;
    const { keymap } = program.labelKeys;
    const { about } = option;
    if (about.type === 'label') {
      const problem = keyProblem(program, spelledOf(strokes, keymap.apple), about.label);
      return { problem, notes: [] };
    }
    const command = commandOf(about);
    if (command === null) return null;
    const titleOf = (id: string) => program.titleOf(id) ?? id;
    const wish = { context: this.#contextOf(recording), strokes, command, replaced };
    const labels = this.#labelsOn(wish);
    const verdict = verdictOn(wish, { keymap, preset: choicesOf(program).preset, titleOf });
    return { ...verdict, notes: [...verdict.notes, ...labels] };
  }

  /** Labels that lose their key to a command. */
  #labelsOn({ context, strokes }: Wish): readonly string[] {
    if (context !== 'navigate' && context !== 'global') return [];
    const { labelKeys, replica } = this.#program;
    return [...labelKeys.all].flatMap(([keys, id]) => {
      if (!collide(keys.split(' '), strokes)) return [];
      const caps = labelKeys.keymap.keycaps(keys.split(' ')).join(' ');
      const row = replica.row(id);
      return row ? [`${caps} puts on the label “${labelName(row)}” now. Saving hides that.`] : [];
    });
  }

  #recorderView(): RecorderView | null {
    const recording = this.#recording;
    if (recording === null) return null;
    const { option, strokes, isListening } = recording;
    const { keymap } = this.#program.labelKeys;
    const verdict = this.#verdict();
    const isEmpty = strokes.length === 0;
    const chords = choicesOf(this.#program).chords;
    const more = chords
      ? 'Press more for a sequence, Enter to save, Esc to stop.'
      : 'Enter saves, Esc stops.';
    return {
      title: option.title,
      caps: keymap.keycaps(strokes),
      isListening,
      instruction: isListening
        ? isEmpty
          ? 'Press the keys. Esc stops.'
          : more
        : 'Save these keys, press others, or leave it as it was.',
      notes: verdict?.notes ?? [],
      problem: verdict?.problem ?? null,
    };
  }

  #save(): void {
    const recording = this.#recording;
    const verdict = this.#verdict();
    if (recording === null || verdict === null) return;
    if (verdict.problem !== null) {
      this.#refuse(verdict.problem);
      return;
    }
    const { option, replaced, strokes } = recording;
    const program = this.#program;
    const { keymap } = program.labelKeys;
    const keys = spelledOf(strokes, keymap.apple);
    const said = `${keymap.keycaps(strokes).join(' ')}: ${option.title}.`;
    const context = this.#contextOf(recording);
    this.#stop();
    const { about } = option;
    if (about.type === 'label') {
      program.change([hotkeyAction(about.label, keys)], `gave a label the key ${keys}`);
      this.#say(said);
      return;
    }
    const command = commandOf(about);
    if (command === null) return;
    let { own } = choicesOf(program);
    if (replaced) own = withoutKey(own, replaced, keymap.apple);
    own = withKey(own, { context, keys, command }, keymap.apple);
    this.#take(own, `changed the keys of “${option.title}”`, said);
    this.#active = `${context} ${keys}`;
    this.#query = '';
  }

  #remove({ about, title, strokes }: KeyOption): void {
    const program = this.#program;
    if (strokes.length === 0) {
      this.#refuse('There is no key to take away.');
      return;
    }
    const said = `“${title}” no longer has ${program.labelKeys.keymap.keycaps(strokes).join(' ')}.`;
    const label = `took a key from “${title}”`;
    if (about.type === 'label') {
      program.change([hotkeyAction(about.label, '')], label);
      this.#say(said);
    } else if (about.type === 'key') {
      const at = this.#shown.findIndex(({ id }) => id === this.#active);
      const { apple } = program.platform;
      this.#take(withoutKey(choicesOf(program).own, about.binding, apple), label, said);
      this.#active = this.#shown[at + 1]?.id ?? this.#shown[at - 1]?.id ?? null;
    }
  }

  /** The same object where nothing was changed. */
  #resetOf({ about }: KeyOption): OwnKeys {
    const { own, preset } = choicesOf(this.#program);
    const command = commandOf(about);
    if (command === null) return own;
    const { apple } = this.#program.platform;
    const next = resetCommand(own, command, bindingsOf(preset, apple), apple);
    return next.add.length === own.add.length && next.drop.length === own.drop.length ? own : next;
  }

  #reset(option: KeyOption): void {
    const next = this.#resetOf(option);
    const said = `“${option.title}” has the keys of the set again.`;
    this.#take(next, `reset the keys of “${option.title}”`, said);
  }

  #export(): void {
    const { preset, own } = choicesOf(this.#program);
    this.#program.platform.saveFile(FILE_NAME, 'application/json', writeKeyFile({ preset, own }));
    this.#say('The keys were saved as a file.');
  }

  /** What of keys from a file cannot be here; null: all of it can. */
  #problemIn({ add }: OwnKeys): string | null {
    const { keymap } = this.#program.labelKeys;
    for (const { context, keys, command } of add) {
      if (!this.#commands.has(command)) return `There is no command “${command}”.`;
      const problem = spellingProblem({ context, strokes: parseKeys(keys, keymap.apple) }, keymap);
      if (problem !== null) return problem;
    }
    return null;
  }

  #import(): void {
    const program = this.#program;
    void program.platform.pickFile('.json,application/json').then((file) => {
      if (!file) return;
      program.act(() => {
        const read = readKeyFile(file.text);
        const problem = typeof read === 'string' ? read : this.#problemIn(read.own);
        if (typeof read === 'string' || problem !== null) this.#refuse(`${problem} Nothing was changed.`);
        else {
          choose(program, read, 'took keys from a file');
          this.#say(`The keys of ${file.name} count now. Undo brings back the ones before.`);
        }
        if (program.openDialog === this) this.refresh();
      });
    });
  }
}
