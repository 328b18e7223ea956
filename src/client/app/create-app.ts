// Builds the App from an engine and a platform: wires keys, commands, palette and views. It holds no behavior of its
// own; that is in commands/ and the parts.
import type { Id } from '#core/ids.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import {
  type TitlePaste,
  type App,
  type DragPort,
  type Handover,
  type LinkFrom,
  type NotesField,
  type Platform,
  type Press,
} from './app.ts';
import type { ArgumentValues, CommandResult, KeyContext } from '../commands/command.ts';
import type { Command } from '../commands/define.ts';
import { firstCommands } from '../commands/first.ts';
import type { FileContent } from '../files/port.ts';
import type { Dragging } from '../outline/dragging.ts';
import type { ImportSource } from '../importing/port.ts';
import { HARDCORE_ON } from '../keys/hardcore.ts';
import { Keyboard } from '../keys/keyboard.ts';
import { InputQueue } from '../loading/input-queue.ts';
import { type Rest, restPart } from '../loading/rest.ts';
import type { Lazy } from '../loading/lazy.ts';
import { answerDialog } from '../dialogs/answers.ts';
import { firstParts } from './first-parts.ts';
import type { Part } from './part.ts';
import { findingOf } from '../search/searching.ts';
import { must } from '#core/assert.ts';
import { keepSelected } from '../links/selected.ts';
import type { KeyGroup } from '../keys/editor-view.ts';
import { startingKeymap } from '../keys/kept.ts';
import type { Keymap } from '../keys/keymap.ts';
import type { KeyInput } from '../keys/stroke.ts';
import type { MessageHold } from './messages.ts';
import { LazyPalette } from '../palette/lazy.ts';
import { Program } from './program.ts';
import { Screen } from './screen.ts';
import type { Setting, SettingValue } from '../settings/setting.ts';
import type { Signal } from './signal.ts';
import { tellSelected } from './spoken.ts';
import { reportSync } from '../sync-status/news.ts';
import type { View } from './view.ts';
import type { Vim } from '../vim/vim.ts';
import type { DialogType, DialogAction, DialogFrame } from '../dialogs/dialog-view.ts';
import { teaching } from '../teaching/part.ts';
import { reminders } from '../reminders/part.ts';
import { taskEntry } from '../entry/part.ts';
import { orphanedTyping } from '../text/orphaned-typing.ts';

/** Contexts in which a letter is text. */
const TEXTS = new Set<KeyContext>(['palette', 'edit', 'name', 'notes', 'search', 'dialog']);

/** Commands that begin a title: the person goes on typing. */
const CREATES = new Set(['task.createBelow', 'task.createAbove', 'task.createChild']);

export interface AppPorts {
  readonly engine: Engine;
  readonly platform: Platform;
  /** Everything that is loaded after the first screen. */
  readonly rest?: Lazy<Rest>;
  /** Parts in addition to those of the app; for tests. */
  readonly parts?: readonly Part[];
}

/** The running app. The engine must be open; the rest of its rows may still be loading. */
export function createApp(ports: AppPorts): App {
  return new RunningApp(ports);
}

class RunningApp implements App {
  readonly engine: Engine;
  readonly platform: Platform;
  readonly view: View;
  onRun: App['onRun'] = null;
  readonly #program: Program;
  readonly #keymap: Keymap;
  readonly #keyboard: Keyboard;
  readonly #palette: LazyPalette;
  readonly #inputQueue: InputQueue;
  readonly #rest: Lazy<Rest>;
  readonly #screen: Screen;
  readonly #unsubscribe: () => void;
  #unfollow: (() => void) | null = null;
  #vim: Vim | null = null;
  #dragging: Dragging | null = null;
  /** Commands of the app and of its parts. */
  #commands: {
    readonly base: ReadonlyMap<string, Command>;
    readonly added: readonly Command[];
    readonly all: ReadonlyMap<string, Command>;
  } | null = null;

  constructor({ engine, platform, rest = restPart, parts: more = [] }: AppPorts) {
    const all = [...firstParts, ...more];
    this.#rest = rest;
    this.engine = engine;
    this.platform = platform;
    this.#keymap = startingKeymap(
      platform,
      all.flatMap(({ keys = [] }) => keys),
    );
    this.#screen = new Screen(() => rest.now);
    const run = (id: string, args?: ArgumentValues) => this.run(id, args);
    const draw = () => this.#draw();
    this.#palette = new LazyPalette(() => {
      const { now } = rest;
      const { view } = this.#palette;
      if (!now) return null;
      return new now.Palette(this.#program, {
        view,
        keysOf: (id) => this.#keymap.keysOf(id),
        keysHere: (id) => this.#keymap.keysIn(this.#keyboard.contextsBelow(), id),
        placesOf: (id) => this.#keymap.placesOf(id),
        contexts: () => this.#keyboard.contextsBelow(),
        run: (id, args) => this.#program.part(teaching).by('palette', () => run(id, args)),
      });
    });
    this.#program = new Program({
      engine,
      platform,
      keymap: this.#keymap,
      commands: () => this.commands,
      draw,
      run,
      palette: this.#palette,
      parts: all,
      notesEditor: () => rest.now?.NotesEditor ?? null,
      inputQueue: (program) =>
        new InputQueue({
          program,
          rest,
          keymap: this.#keymap,
          focus: () => this.#screen.focus.get(),
          arrived: () => this.#begin(must(rest.now, 'the rest has been loaded')),
        }),
    });
    this.#inputQueue = this.#program.inputQueue;
    this.#keyboard = new Keyboard({
      program: this.#program,
      keymap: this.#keymap,
      command: (id) => this.commands.get(id),
      isComplete: () => this.#rest.now !== null,
      inputQueue: this.#inputQueue,
      vim: () => this.#vim,
      report: (result, canUndo) => this.#report(result, canUndo),
      run,
    });
    this.view = this.#createView();
    this.#unsubscribe = reportSync(engine, this.#program);
    this.#program.act(() => this.#inputQueue.check());
  }

  get commands(): ReadonlyMap<string, Command> {
    const { now } = this.#rest;
    const base = now?.commands ?? firstCommands;
    const { commands, settings } = this.#program.parts;
    if (commands.length + settings.length === 0) return base;
    if (this.#commands?.base === base && this.#commands.added === commands) return this.#commands.all;
    const added = [...commands, ...(now?.commandsOfSettings(settings) ?? [])];
    const withAdded = new Map([...base, ...added.map((command) => [command.id, command] as const)]);
    this.#commands = { base, added: commands, all: withAdded };
    return withAdded;
  }

  run(id: string, args: ArgumentValues = {}): CommandResult {
    const result = this.#program.part(teaching).watch(id, () => this.#run(id, args));
    if (result.type === 'refused' && CREATES.has(id))
      this.#program.part(orphanedTyping).missed(result.reason);
    return result;
  }

  get wantsKey(): boolean {
    const { inputQueue } = this.#program;
    return (
      this.#keyboard.pending.length > 0 ||
      this.#program.part(orphanedTyping).isWaiting ||
      inputQueue.isWaiting
    );
  }

  #run(id: string, args: ArgumentValues): CommandResult {
    const command = this.commands.get(id);
    const program = this.#program;
    if (!command && this.#rest.now === null) return this.#runWithRest(id, args);
    if (!command) return this.#refuse(`This version has no command “${id}”. Reload the app for a newer one.`);
    program.isUntouched = false;
    this.onRun?.(id);
    return program.act(() => {
      program.messages.clearAnswer();
      if (program.gate?.holds(id)) return this.#refuse(program.gate.why, 'info');
      const reason = command.when(program);
      if (reason !== null) return this.#refuse(reason);
      if (command.args.some(({ name }) => args[name] === undefined)) {
        if (this.#rest.now === null) return this.#runWithRest(id, args);
        program.editor.flush();
        program.part(teaching).putOff();
        this.#palette.ask(command, args);
        return { type: 'done' };
      }
      const before = program.undo.newest;
      const result = this.#attempt(command, args);
      if (result.type === 'refused') return this.#refuse(result.reason, result.tone);
      this.#inputQueue.ran(id);
      for (const part of program.parts.hooks) part.ran?.(id, args);
      const isUndoable = program.undo.newest !== before && id !== 'edit.undo';
      if (result.type === 'done' && result.announce !== undefined)
        program.say(result.announce, { undo: isUndoable, brief: true, tally: result.tally });
      return result;
    });
  }

  /** Starts everything that is loaded after the first screen. */
  #begin({ parts: laterParts, followChoices, sayRepeat, Vim }: Rest): void {
    this.#program.parts.add(laterParts);
    const keyboard = this.#keyboard;
    this.#vim = new Vim({
      program: this.#program,
      press: (strokes) => keyboard.again(strokes),
      pressOne: (stroke) => keyboard.replay(stroke),
      ordinary: (strokes) => keyboard.ordinary(strokes),
    });
    this.#unfollow = followChoices(this.#program, this.#keymap);
    this.#program.rowFacts.sayWith(sayRepeat);
  }

  /** Shows the result of a key that is no command by itself. */
  #report(result: CommandResult, canUndo = false): void {
    if (result.type === 'refused') this.#refuse(result.reason, result.tone);
    else if (result.type === 'done' && result.announce !== undefined)
      this.#program.say(result.announce, { undo: canUndo, brief: true });
  }

  holdMessage(why: MessageHold, isHeld: boolean): void {
    this.#program.messages.hold(why, isHeld);
  }

  /** Runs the command once the rest is loaded. */
  #runWithRest(id: string, args: ArgumentValues): CommandResult {
    this.#program.part(teaching).putOff();
    this.#inputQueue.hold(() => this.run(id, args), id);
    return { type: 'done' };
  }

  /** A defect in one command must not take the app down. */
  #attempt(command: Command, args: ArgumentValues): CommandResult {
    try {
      return command.run(this.#program, args);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return { type: 'refused', reason: `“${command.title}” failed: ${detail}` };
    }
  }

  #refuse(reason: string, tone?: 'info'): CommandResult {
    this.#program.say(reason, { error: tone === undefined, brief: true });
    return { type: 'refused', reason };
  }

  setting<T extends SettingValue>(setting: Setting<T>): Signal<T> {
    return this.#program.settings.signal(setting);
  }

  keysOf(command: string): readonly (readonly string[])[] {
    return this.#keymap.keysOf(command);
  }

  keysInOutline(command: string): readonly (readonly string[])[] {
    return this.#keymap.keysIn(['navigate', 'global'], command);
  }

  dialogFrame(type: DialogType): DialogFrame {
    return this.#program.parts.dialogFrame(type);
  }

  keySheet(): readonly KeyGroup[] {
    const { now } = this.#rest;
    return now ? now.currentKeySheet(this.#program) : [];
  }

  key(input: KeyInput): boolean {
    return this.#program.act(() => this.#keyboard.press(input));
  }

  pressHint(stroke: string): void {
    this.#program.act(() => this.#keyboard.follow(stroke));
  }

  releaseKeys(): void {
    this.#program.act(() => {
      this.#keyboard.release();
      this.#program.editor.flush();
      this.#program.editor.killed = null;
      this.#program.part(orphanedTyping).end();
      keepSelected(this.#program);
    });
  }

  draftTitle(id: Id, text: string, caret: number, isComposing = false): void {
    this.#program.editor.type(id, text, caret);
    this.#program.part(taskEntry).typed(isComposing);
  }

  titleDraft(id: Id): string | null {
    const { title } = this.#program.editor;
    return title?.id === id ? title.text : null;
  }

  draftName(id: Id, text: string): void {
    this.#program.editor.type(id, text, null);
  }

  draftNotes(id: Id, text: string, shown?: string): void {
    this.#program.editor.typeNotes(id, text, shown);
  }

  putNotes(id: Id, text: string): void {
    const { editor } = this.#program;
    this.#program.act(() => {
      editor.typeNotes(id, text);
      editor.flush();
    });
  }

  readNotes(id: Id): string | null {
    const { notes } = this.#program.editor;
    return notes?.id === id ? notes.text : null;
  }

  notesField(field: NotesField | null): void {
    this.#program.notesField = field;
  }

  searchInput(query: string, caret?: number): void {
    this.#program.act(() => findingOf(this.#program).find(query, caret));
  }

  pressSearchOption(index: number): void {
    this.#program.act(() => findingOf(this.#program).accept(index));
  }

  paletteInput(query: string): void {
    this.#palette.input(query);
  }

  pressRow(id: Id, modifiers: Press): void {
    const program = this.#program;
    program.act(() => {
      const { workspace } = program;
      if (!workspace.outline.has(id)) return;
      program.isUntouched = false;
      const isEditing = program.editor.title?.id === id;
      if (!isEditing) program.leaveText();
      program.pane = 'outline';
      if (modifiers.at !== undefined && workspace.outline.at(modifiers.at) === id)
        workspace.outline.prefer?.(modifiers.at);
      if (modifiers.shift) workspace.selection.extendTo(workspace.outline, id);
      else program.moveTo(id);
      if (modifiers.mod) workspace.selection.toggle(id);
      if (modifiers.shift || modifiers.mod) tellSelected(program);
      program.part(teaching).pressed();
    });
  }

  pressSidebarRow(id: Id): void {
    this.#program.act(() => {
      this.#program.sidebar.cursor = id;
      this.run('go.list', { list: id });
    });
  }

  pressPaletteItem(index: number): void {
    this.#program.act(() => this.#palette.press(index));
  }

  pressedInVain(): void {
    this.#program.act(() => this.#program.say(HARDCORE_ON, { brief: true }));
  }

  pressDay(day: string): void {
    this.#program.act(() => this.#program.palette.chooseDay(day));
  }

  focusArrived(pane: 'outline' | 'sidebar' | 'notes' | 'search', by: 'tab' | 'other', id: Id | null): void {
    const program = this.#program;
    program.act(() => {
      const draft = program.editor.title;
      const isSame = draft !== null && draft.id === id;
      if (!isSame) program.leaveText();
      program.editor.flush();
      if (pane === 'search' && program.query === null) program.query = '';
      if (pane === 'notes' && program.notesList === null) program.notesOpen = true;
      program.pane = pane;
      if ((pane === 'outline' || pane === 'notes') && by === 'tab') program.tabPasses = true;
      if (pane === 'outline' && id !== null && !isSame && program.workspace.outline.has(id))
        program.moveTo(id);
      if (pane === 'sidebar' && id !== null) program.sidebar.cursor = id;
    });
  }

  pasted(text: string): void {
    const { now } = this.#rest;
    if (now === null || this.#inputQueue.isWaiting) {
      this.#inputQueue.paste(text, () => this.#pasteNow(text));
      return;
    }
    this.#program.act(() => {
      const result = now.pasteTasks(this.#program, text);
      if (result.type === 'refused') this.#refuse(result.reason);
      else if (result.type === 'done' && result.announce) this.#program.say(result.announce, { undo: true });
    });
  }

  /** A text field may have opened since the paste. */
  #pasteNow(text: string): void {
    if (this.#keyboard.contexts().some((context) => TEXTS.has(context))) this.platform.insertText(text);
    else this.pasted(text);
  }

  pastedInTitle(id: Id, paste: TitlePaste): boolean {
    const { now } = this.#rest;
    if (now === null) {
      this.#inputQueue.hold(() => this.pastedInTitle(id, paste));
      return true;
    }
    return this.#program.act(() => now.pasteInTitle(this.#program, id, paste));
  }

  readonly drag: DragPort = {
    begin: (id, at) => {
      const { now } = this.#rest;
      if (now === null) return false;
      this.#dragging ??= new now.Dragging(this.#program);
      this.#program.isUntouched = false;
      return this.#program.act(() => this.#dragging?.begin(id, at) ?? false);
    },
    over: (target) => this.#dragging?.over(target),
    drop: () => {
      const dragging = this.#dragging;
      if (dragging) this.#program.act(() => this.#report(dragging.drop(), true));
    },
    cancel: () => this.#program.drag.set(null),
  };

  follow(address: string, from: LinkFrom = { hasOpened: false, isForeign: false }): void {
    const program = this.#program;
    Promise.all([import('../links/follow.ts'), this.#whole()]).then(
      ([{ followLink }]) => program.act(() => followLink(program, address, from)),
      () => program.act(() => program.say('Couldn’t open the link. Try again.', { error: true })),
    );
  }

  /** Waits for all tasks and lists, including changes the previous page could not write: a link may name them. */
  async #whole(): Promise<void> {
    // Changes that fail here are retried at the next start.
    await Promise.all([this.engine.loaded(), this.#program.platform.taken().catch(() => undefined)]);
  }

  openFiles(files: readonly ImportSource[], how: 'opened' | 'dropped' = 'opened'): void {
    const program = this.#program;
    Promise.all([import('../importing/importing.ts'), this.#whole()]).then(
      ([{ offerSources }]) => program.act(() => offerSources(program, files, how)),
      () => program.act(() => program.say('Couldn’t open the file. Try again.', { error: true })),
    );
  }

  gaveFiles(files: readonly FileContent[], on: Id | null): void {
    const { now } = this.#rest;
    if (now === null) {
      this.#inputQueue.hold(() => this.gaveFiles(files, on));
      return;
    }
    this.#program.act(() => now.giveFiles(this.#program, files, on));
  }

  answer<T extends DialogType>(dialog: T, action: DialogAction<T>): void {
    this.#program.act(() => answerDialog(this.#program, dialog, action));
  }

  layoutChanged(isNarrow: boolean): void {
    const program = this.#program;
    program.act(() => {
      program.sidebar.isDrawer = isNarrow;
      if (program.pane !== 'sidebar' || program.sidebar.visible.get()) return;
      program.leaveText();
      program.pane = 'outline';
    });
  }

  closeDialog(): void {
    this.run('dialog.close');
  }

  handOver(): Handover {
    const { workspace, messages } = this.#program;
    return { cursor: workspace.cursor, message: messages.current };
  }

  loadRest(): Promise<void> {
    return this.#inputQueue.bring();
  }

  takeOver({ cursor, message }: Handover): void {
    const program = this.#program;
    if (message) program.say(message.text, { error: message.tone === 'error' });
    // A link brought a promo code before there was an account: see safety/lazy.ts.
    if ((program.platform.preferences.get('promo.waiting') ?? '') !== '') this.run('account.promo');
    if (cursor === null) return;
    // The row may arrive after the first ones; by then the person may be elsewhere.
    void this.engine.loaded().then(() =>
      program.act(() => {
        if (program.isUntouched && program.workspace.outline.has(cursor)) program.moveTo(cursor);
      }),
    );
  }

  tick(): void {
    this.#program.tick();
  }

  commitText(): void {
    this.#program.act(() => {
      this.#program.leaveText();
      this.#program.part(orphanedTyping).end();
    });
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    this.#unfollow?.();
    await this.#program.close();
  }

  #draw(): void {
    this.#screen.draw(this.#program, this.#keyboard);
  }

  #createView(): View {
    const program = this.#program;
    const screen = this.#screen;
    return {
      rows: program.rows,
      sidebar: program.sidebar,
      header: screen.header,
      empty: screen.empty,
      search: screen.search,
      notes: screen.notes,
      status: screen.status,
      palette: this.#palette.view,
      dialog: program.dialog,
      alarm: screen.alarm,
      reminder: program.part(reminders).view,
      isMouseOff: screen.isMouseOff,
      lesson: program.part(teaching).view,
      drag: program.drag,
      people: program.people,
      me: program.me,
      others: program.others,
      visit: screen.visit,
      current: screen.current,
      recognized: screen.recognized,
      focus: screen.focus,
      announcement: program.messages.announcement,
    };
  }
}
