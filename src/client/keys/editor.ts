// The key editor: its sheet, its lines and its actions. Keys are recorded by pressing them; meanwhile no key does anything else. A
// lazy part. It is drawn by web/dialogs/key-editor.tsx.
import { unreachable } from '#core/assert.ts';
import { failed } from '#core/result.ts';
import type { KeyContext } from '../commands/command.ts';
import { isText } from '../transfer/given-file.ts';
import { labelName } from '../labels/catalog.ts';
import { hotkeyAction, keyProblem } from '../labels/hotkey.ts';
import { type ListMove, movedTo, moveOf } from '../dialogs/list-cursor.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import type { Program } from '../app/program.ts';
import { changeSetting } from '../settings/changing.ts';
import { keysChords } from '../settings/keys.ts';
import { resetCommand, withKey, withoutKey } from './changing.ts';
import { choicesOf, choose } from './choices.ts';
import { spellingProblem, type Verdict, verdictOn, type Wish } from './conflicts.ts';
import { filtered, type KeyOption, optionsOf, optionViews } from './editor-options.ts';
import {
  type PresetId,
  type KeyEditorAction,
  type KeyLineAction,
  type KeyOptionView,
  type RecorderView,
} from './editor-view.ts';
import { readKeyFile, writeKeyFile } from './exchange.ts';
import { firstSheet } from './key-sheet.ts';
import type { Binding } from './keymap.ts';
import { none, type OwnKeys } from './own-keys.ts';
import { collide } from './layers.ts';
import { lostInTab } from './lost.ts';
import { bindingsOf, presetOf, presets } from './presets.ts';
import { MOST_STROKES, spelledOf } from './spelling.ts';
import { parseKeys, type Stroke } from './stroke.ts';

interface Recording {
  readonly option: KeyOption;
  /** The key that is removed when the new one is saved. */
  readonly replaced: Binding | null;
  readonly strokes: readonly Stroke[];
  readonly isListening: boolean;
}

interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/** Lines whose keys belong to that line alone. */
const CHANGEABLE: ReadonlySet<KeyOption['about']['type']> = new Set(['key', 'unbound', 'label']);
const FILE_NAME = 'Posthaste keys.json';

/** Null: labels and grammars have no command. */
function commandOf(about: KeyOption['about']): string | null {
  if (about.type === 'key') return about.binding.command;
  return about.type === 'unbound' ? about.command : null;
}

export class KeyEditor implements OpenDialog {
  readonly type = 'keys';
  readonly #program: Program;
  #query = '';
  #isSheet: boolean;
  #sought: readonly Stroke[] | null = null;
  #active: string | null = null;
  #recording: Recording | null = null;
  #answer: Answer | null = null;
  #shown: readonly KeyOption[] = [];
  #views: readonly KeyOptionView[] = [];
  /** The command whose line is chosen where a filter leaves it. */
  readonly #wanted: string | null;

  /** `command`: as `#wanted`. */
  constructor(program: Program, query = '', command: string | null = null) {
    this.#query = query;
    this.#wanted = command;
    this.#isSheet = query === '';
    this.#program = program;
  }

  get isTyping(): boolean {
    return this.#query !== '';
  }

  submit(action: KeyEditorAction): void {
    this.#answer = null;
    this.#do(action);
    this.refresh();
  }

  byKey(command: string): KeyEditorAction | null {
    const to = moveOf(command);
    if (command !== 'options.choose' && to === null) return null;
    // On the sheet no line is chosen: the first key leads to the lines.
    if (this.#isSheet) return { action: 'list' };
    return to === null ? { action: 'record' } : { action: 'move', to };
  }

  undo(): void {
    this.#answer = null;
    this.#after('edit.undo');
    this.refresh();
  }

  leave(): void {
    this.#recording = null;
    this.#program.capture = null;
  }

  refresh(): void {
    const program = this.#program;
    const choices = choicesOf(program);
    this.#shown = filtered(optionsOf(program), this.#query, this.#sought);
    if (!this.#shown.some(({ id }) => id === this.#active)) {
      const wanted = this.#shown.find(({ about }) => commandOf(about) === this.#wanted);
      this.#active = (wanted ?? this.#shown[0])?.id ?? null;
    }
    this.#views = optionViews(this.#shown, program, { own: choices.own, before: this.#views });
    const option = this.#option;
    program.dialog.show({
      type: 'keys',
      editor: {
        presets,
        sheet: this.#isSheet ? firstSheet(program) : null,
        preset: choices.preset.id,
        about: [choices.preset.about, lostInTab(program)].filter((text) => text !== null).join(' '),
        chords: choices.chords,
        isSynced: choices.isSynced,
        query: this.#query,
        sought: this.#sought === null ? null : program.labelKeys.keymap.keycaps(this.#sought),
        options: this.#views,
        active: this.#shown.findIndex(({ id }) => id === this.#active),
        recorder: this.#recorderView(),
        canRemove: option !== null && option.strokes.length > 0 && CHANGEABLE.has(option.about.type),
        canReset: option !== null && this.#resetOf(option) !== choices.own,
        canResetAll: choices.own.add.length + choices.own.drop.length > 0,
        answer: this.#answer,
      },
    });
  }

  get #option(): KeyOption | null {
    return this.#shown.find(({ id }) => id === this.#active) ?? null;
  }

  #do(action: KeyEditorAction): void {
    switch (action.action) {
      case 'move':
        this.#move(action.to);
        return;
      case 'choose':
        this.#isSheet = false;
        this.#active = action.id;
        return;
      case 'filter':
        this.#query = action.text;
        this.#isSheet = action.text === '';
        return;
      case 'list':
        this.#isSheet = false;
        return;
      case 'byKey':
        this.#seek();
        return;
      case 'preset':
        this.#takePreset(action.preset);
        return;
      case 'chords':
        this.#say(changeSetting(this.#program, keysChords, action.isOn));
        return;
      case 'sync':
        this.#after('keys.sync');
        return;
      case 'export':
        this.#export();
        return;
      case 'import':
        this.#import();
        return;
      case 'resetAll':
        this.#take(none, 'reset all keys', 'All keys are reset.');
        return;
      case 'save':
        this.#save();
        return;
      case 'swap':
        this.#save(this.#takenFrom());
        return;
      case 'cancel':
        this.#stop();
        return;
      case 'record':
      case 'add':
      case 'again':
      case 'remove':
      case 'reset':
        this.#onLine(action.action);
        return;
      default:
        unreachable(action);
    }
  }

  /** Runs an action on the active line. */
  #onLine(action: KeyLineAction): void {
    this.#isSheet = false;
    const option = this.#option;
    if (option === null) this.#refuse('Choose a line first.');
    else if (option.about.type === 'read')
      this.#refuse(`“${option.title}” is part of the set. To drop it, choose another set of keys.`);
    else if (option.about.type === 'absent')
      this.#refuse('Nothing uses that key here. Choose a command to give it the key.');
    else this.#change(option, action);
  }

  #change(option: KeyOption, action: KeyLineAction): void {
    switch (action) {
      case 'record':
        this.#record(option, option.about.type === 'key' ? option.about.binding : null);
        return;
      case 'add':
        this.#record(option, null);
        return;
      case 'again':
        if (this.#recording) this.#record(option, this.#recording.replaced);
        return;
      case 'remove':
        this.#remove(option);
        return;
      case 'reset':
        this.#reset(option);
        return;
      default:
        unreachable(action);
    }
  }

  #move(move: ListMove): void {
    this.#isSheet = false;
    const at = this.#shown.findIndex(({ id }) => id === this.#active);
    this.#active = this.#shown[movedTo(at, this.#shown.length, move)]?.id ?? null;
  }

  #say(text: string): void {
    this.#answer = { text, isError: false };
  }

  #refuse(text: string): void {
    this.#answer = { text, isError: true };
  }

  /** Runs a command and shows its message. */
  #after(command: string): void {
    const result = this.#program.run(command);
    if (result.type === 'refused') this.#refuse(result.reason);
    else if (result.type === 'done') this.#say(result.announce ?? '');
  }

  #takePreset(id: PresetId): void {
    const preset = presetOf(id);
    choose(this.#program, { preset }, `chose the ${preset.title} keys`);
    this.#say(`${preset.title} keys.`);
  }

  #take(own: OwnKeys, label: string, said: string): void {
    choose(this.#program, { own }, label);
    this.#say(said);
  }

  /** Toggles filtering by pressed keys. */
  #seek(): void {
    if (this.#sought !== null) {
      this.#stop();
      return;
    }
    this.#isSheet = false;
    this.#sought = [];
    this.#program.capture = (stroke) => {
      const sought = this.#sought ?? [];
      if (stroke === 'Escape') this.#stop();
      else if (stroke === 'Tab' || stroke === 'Shift+Tab') return false;
      else if (stroke === 'Backspace' && sought.length > 0) this.#sought = sought.slice(0, -1);
      else this.#sought = sought.length >= MOST_STROKES ? [stroke] : [...sought, stroke];
      // A key that continues no binding starts a new filter.
      if (this.#sought !== null && this.#sought.length > 1) {
        const found = filtered(optionsOf(this.#program), '', this.#sought);
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

  /** Recording ends; the strokes wait to be saved. */
  #settle(strokes: readonly Stroke[]): void {
    if (this.#recording) this.#recording = { ...this.#recording, strokes, isListening: false };
    this.#program.capture = null;
  }

  #stop(): void {
    this.#recording = null;
    this.#sought = null;
    this.#program.capture = null;
  }

  /** Single letters are bound only in contexts where they are no text. */
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
      return row ? [`${caps} adds the label “${labelName(row)}” now. Saving hides that.`] : [];
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
        : 'Save these keys, press others, or keep the old ones.',
      notes: verdict?.notes ?? [],
      problem: verdict?.problem ?? null,
      swap: this.#swapOffer(),
    };
  }

  /**
   * The binding that loses the recorded keys, if it can take the old ones in exchange; null: there is none, or more
   * than one.
   */
  #takenFrom(): Binding | null {
    const recording = this.#recording;
    if (recording === null || recording.replaced === null || recording.strokes.length === 0) return null;
    const { replaced, strokes } = recording;
    const { keymap } = this.#program.labelKeys;
    const hit = keymap.bindings.filter(
      (binding) =>
        binding !== replaced &&
        binding.context === replaced.context &&
        collide(parseKeys(binding.keys, keymap.apple), strokes),
    );
    const [only] = hit;
    if (only === undefined || hit.length > 1 || only.command === replaced.command) return null;
    return parseKeys(only.keys, keymap.apple).length === strokes.length ? only : null;
  }

  #swapOffer(): string | null {
    const recording = this.#recording;
    const taken = this.#takenFrom();
    if (taken === null || !recording?.replaced || recording.isListening) return null;
    const { keymap } = this.#program.labelKeys;
    const old = keymap.keycaps(parseKeys(recording.replaced.keys, keymap.apple)).join(' ');
    return `Swap: ${old} for “${this.#program.titleOf(taken.command) ?? taken.command}”`;
  }

  /** `swapped`: the binding that gets the old keys in exchange. */
  #save(swapped: Binding | null = null): void {
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
      program.change([hotkeyAction(program.replica, about.label, keys)], `gave a label the key ${keys}`);
      this.#say(said);
      return;
    }
    const command = commandOf(about);
    if (command === null) return;
    let { own } = choicesOf(program);
    if (replaced) own = withoutKey(own, replaced, keymap.apple);
    own = withKey(own, { context, keys, command }, keymap.apple);
    if (swapped !== null && replaced !== null)
      own = withKey(own, { ...swapped, keys: replaced.keys }, keymap.apple);
    this.#take(own, `changed the keys of “${option.title}”`, said);
    this.#active = `${context} ${keys}`;
    this.#query = '';
  }

  #remove({ about, title, strokes }: KeyOption): void {
    const program = this.#program;
    if (strokes.length === 0) {
      this.#refuse('There’s no key to remove.');
      return;
    }
    const said = `“${title}” no longer has ${program.labelKeys.keymap.keycaps(strokes).join(' ')}.`;
    const label = `removed a key from “${title}”`;
    if (about.type === 'label') {
      program.change([hotkeyAction(program.replica, about.label, '')], label);
      this.#say(said);
    } else if (about.type === 'key') {
      const at = this.#shown.findIndex(({ id }) => id === this.#active);
      const { apple } = program.platform;
      this.#take(withoutKey(choicesOf(program).own, about.binding, apple), label, said);
      this.#active = this.#shown[at + 1]?.id ?? this.#shown[at - 1]?.id ?? null;
    }
  }

  /** Returns the same object if nothing changed. */
  #resetOf({ about }: KeyOption): OwnKeys {
    const { own, preset } = choicesOf(this.#program);
    const command = commandOf(about);
    if (command === null) return own;
    const { apple } = this.#program.platform;
    const next = resetCommand(own, command, bindingsOf(preset, apple, this.#program.parts.keys), apple);
    return next.add.length === own.add.length && next.drop.length === own.drop.length ? own : next;
  }

  #reset(option: KeyOption): void {
    const next = this.#resetOf(option);
    const said = `“${option.title}” has the set’s keys again.`;
    this.#take(next, `reset the keys of “${option.title}”`, said);
  }

  #export(): void {
    const { preset, own } = choicesOf(this.#program);
    this.#program.platform.saveFile(FILE_NAME, 'application/json', writeKeyFile({ preset, own }));
    this.#say('Saved your keys as a file.');
  }

  /** Why keys from a file cannot be used here; null: all of them can. */
  #problemIn({ add }: OwnKeys): string | null {
    const { keymap } = this.#program.labelKeys;
    for (const { context, keys, command } of add) {
      if (!this.#program.commands.has(command)) return `There’s no command “${command}”.`;
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
        const read = isText(file) ? readKeyFile(file.text) : failed(`${file.name} ${file.problem}`);
        const problem = read.ok ? this.#problemIn(read.value.own) : read.problem;
        if (!read.ok || problem !== null) this.#refuse(`${problem} Nothing changed.`);
        else {
          choose(program, read.value, 'imported keys from a file');
          this.#say(`Using the hotkeys from ${file.name}. Undo to go back.`);
        }
        if (program.dialog.isOf(this)) this.refresh();
      });
    });
  }
}
