// Builds the App from an engine and a platform: wires keys, commands, palette and everything drawn. It holds no behaviour
// of its own; that is in commands/ and the parts.
import type { Id } from '#core/ids.ts';
import type { Engine } from '#sync/replica-types.ts';
import type { App, DragPort, Handover, NotesField, Platform, Press } from './app.ts';
import type { ArgumentValues, CommandResult, KeyContext } from './commands/command.ts';
import type { Command } from './commands/define.ts';
import { firstCommands } from './commands/first.ts';
import type { FileContent } from './files/port.ts';
import type { Dragging } from './dragging.ts';
import { HARDCORE_ON } from './hardcore.ts';
import { Keyboard } from './keyboard.ts';
import { Held } from './held.ts';
import { type Later, laterPart } from './later.ts';
import type { Lazy } from './lazy.ts';
import { answerDialog } from './ledger.ts';
import { keepSelected } from './links/selected.ts';
import type { KeyGroup } from './keys/key-sheet.ts';
import { startingKeymap } from './keys/kept.ts';
import type { Keymap } from './keys/keymap.ts';
import type { KeyInput } from './keys/stroke.ts';
import type { MessageHold } from './messages.ts';
import { PaletteDoor } from './palette/door.ts';
import { Program } from './program.ts';
import { Screen } from './screen.ts';
import type { Setting, SettingValue } from './settings/setting.ts';
import type { Signal } from './signal.ts';
import { reportSync } from './sync-news.ts';
import type { TitlePaste } from './title-paste.ts';
import type { View } from './view.ts';
import type { Vim } from './vim/vim.ts';

/** Where a letter is text. */
const TEXTS = new Set<KeyContext>(['palette', 'edit', 'name', 'notes', 'search', 'dialog']);

export interface AppPorts {
  readonly engine: Engine;
  readonly platform: Platform;
  /** What is loaded after the first screen. */
  readonly later?: Lazy<Later>;
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
  readonly #palette: PaletteDoor;
  readonly #held: Held;
  readonly #later: Lazy<Later>;
  readonly #screen = new Screen();
  readonly #unsubscribe: () => void;
  #unfollow: (() => void) | null = null;
  #vim: Vim | null = null;
  #dragging: Dragging | null = null;

  constructor({ engine, platform, later = laterPart }: AppPorts) {
    this.#later = later;
    this.engine = engine;
    this.platform = platform;
    this.#keymap = startingKeymap(platform);
    const run = (id: string, args?: ArgumentValues) => this.run(id, args);
    const draw = () => this.#draw();
    this.#palette = new PaletteDoor(() => {
      const { now } = later;
      const { view } = this.#palette;
      if (!now) return null;
      const { teaching } = this.#program;
      return new now.Palette(this.#program, {
        view,
        commands: now.commands,
        keysOf: (id) => this.#keymap.keysOf(id),
        keysHere: (id) => this.#keymap.keysIn(this.#keyboard.contextsBelow(), id),
        placesOf: (id) => this.#keymap.placesOf(id),
        contexts: () => this.#keyboard.contextsBelow(),
        run: (id, args) => teaching.by('palette', () => run(id, args)),
      });
    });
    this.#program = new Program({
      engine,
      platform,
      keymap: this.#keymap,
      titleOf: (id) => this.commands.get(id)?.title ?? null,
      draw,
      run,
      palette: this.#palette,
      later,
      held: (program) =>
        new Held({
          program,
          later,
          keymap: this.#keymap,
          focus: () => this.#screen.focus.get(),
          arrived: (part) => this.#begin(part),
        }),
    });
    this.#held = this.#program.held;
    this.#keyboard = new Keyboard({
      program: this.#program,
      keymap: this.#keymap,
      command: (id) => this.commands.get(id),
      isComplete: () => this.#later.now !== null,
      held: this.#held,
      vim: () => this.#vim,
      report: (result, canUndo) => this.#report(result, canUndo),
      run,
    });
    this.view = this.#createView();
    this.#unsubscribe = reportSync(engine, this.#program);
    this.#program.act(() => this.#held.check());
  }

  get commands(): ReadonlyMap<string, Command> {
    return this.#later.now?.commands ?? firstCommands;
  }

  run(id: string, args: ArgumentValues = {}): CommandResult {
    return this.#program.teaching.watch(id, () => this.#run(id, args));
  }

  #run(id: string, args: ArgumentValues): CommandResult {
    const command = this.commands.get(id);
    const program = this.#program;
    if (!command && this.#later.now === null) return this.#runLater(id, args);
    if (!command) return this.#refuse(`This version has no command “${id}”. Reload the app for a newer one.`);
    program.isUntouched = false;
    this.onRun?.(id);
    return program.act(() => {
      program.messages.clearAnswer();
      const reason = command.when(program);
      if (reason !== null) return this.#refuse(reason);
      if (command.args.some(({ name }) => args[name] === undefined)) {
        if (this.#later.now === null) return this.#runLater(id, args);
        program.editor.flush();
        program.teaching.putOff();
        this.#palette.ask(command, args);
        return { type: 'done' };
      }
      const before = program.undo.newest;
      const result = this.#attempt(command, args);
      if (result.type === 'refused') return this.#refuse(result.reason, result.tone);
      this.#held.ran(id);
      const isUndoable = program.undo.newest !== before && id !== 'edit.undo';
      if (result.type === 'done' && result.announce !== undefined)
        program.say(result.announce, { undo: isUndoable, brief: true, tally: result.tally });
      return result;
    });
  }

  /** What is loaded after the first screen has come. */
  #begin({ followChoices, Vim }: Later): void {
    this.#vim = new Vim(this.#program, (strokes) => this.#keyboard.again(strokes));
    this.#unfollow = followChoices(this.#program, this.#keymap);
  }

  /** What a key came to that is no command by itself. */
  #report(result: CommandResult, canUndo = false): void {
    if (result.type === 'refused') this.#refuse(result.reason, result.tone);
    else if (result.type === 'done' && result.announce !== undefined)
      this.#program.say(result.announce, { undo: canUndo, brief: true });
  }

  holdMessage(why: MessageHold, isHeld: boolean): void {
    this.#program.messages.hold(why, isHeld);
  }

  /** Once it has been loaded. */
  #runLater(id: string, args: ArgumentValues): CommandResult {
    this.#program.teaching.putOff();
    this.#held.hold(() => this.run(id, args), id);
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

  keySheet(): readonly KeyGroup[] {
    const { now } = this.#later;
    return now ? now.keySheet(this.#keymap.bindings, this.#keymap, now.commands) : [];
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
      this.#program.adrift.end();
      keepSelected(this.#program);
    });
  }

  draftTitle(id: Id, text: string, caret: number, isComposing = false): void {
    this.#program.editor.type(id, text, caret);
    this.#program.entry.typed(isComposing);
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
    this.#program.act(() => this.#program.find(query, caret));
  }

  pressSearchOption(index: number): void {
    this.#program.act(() => this.#program.finding.accept(index));
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
      program.teaching.pressed();
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
    const { now } = this.#later;
    if (now === null || this.#held.isWaiting) {
      this.#held.paste(text, () => this.#pasteHeld(text));
      return;
    }
    this.#program.act(() => {
      const result = now.pasteTasks(this.#program, text);
      if (result.type === 'refused') this.#refuse(result.reason);
      else if (result.type === 'done' && result.announce) this.#program.say(result.announce, { undo: true });
    });
  }

  /** What it was meant for may have opened since. */
  #pasteHeld(text: string): void {
    if (TEXTS.has(this.#keyboard.contexts()[0] ?? 'global')) this.platform.insertText(text);
    else this.pasted(text);
  }

  pastedInTitle(id: Id, paste: TitlePaste): boolean {
    const { now } = this.#later;
    if (now === null) {
      this.#held.hold(() => this.pastedInTitle(id, paste));
      return true;
    }
    return this.#program.act(() => now.pasteInTitle(this.#program, id, paste));
  }

  readonly drag: DragPort = {
    begin: (id, at) => {
      const { now } = this.#later;
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

  follow(address: string, hasOpened = false): void {
    const program = this.#program;
    // A place is found by its name only when all of them are there.
    Promise.all([import('./links/follow.ts'), this.engine.loaded()]).then(
      ([{ followLink }]) => program.act(() => followLink(program, address, hasOpened)),
      () => program.act(() => program.say('The link could not be followed. Open it again.', { error: true })),
    );
  }

  openFiles(files: readonly { readonly name: string; readonly text: string }[]): void {
    const program = this.#program;
    Promise.all([import('./file-import.ts'), this.engine.loaded()]).then(
      ([{ offerFiles }]) => program.act(() => offerFiles(program, files)),
      () => program.act(() => program.say('The file could not be opened. Open it again.', { error: true })),
    );
  }

  gaveFiles(files: readonly FileContent[], on: Id | null): void {
    const { now } = this.#later;
    if (now === null) {
      this.#held.hold(() => this.gaveFiles(files, on));
      return;
    }
    this.#program.act(() => now.giveFiles(this.#program, files, on));
  }

  submitDialog(values: Readonly<Record<string, string>>): void {
    this.#program.act(() => answerDialog(this.#program, values));
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
    return this.#held.bring();
  }

  takeOver({ cursor, message }: Handover): void {
    const program = this.#program;
    if (message) program.say(message.text, { error: message.tone === 'error' });
    // A link brought it before there was an account: see safety/door.ts.
    if ((program.platform.preferences.get('promo.waiting') ?? '') !== '') this.run('account.promo');
    if (cursor === null) return;
    // Its row may be read later than the first ones; by then the person may have gone elsewhere.
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
      this.#program.adrift.end();
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
      reminder: program.reminders.view,
      isMouseOff: screen.isMouseOff,
      lesson: program.teaching.view,
      drag: program.drag,
      visit: screen.visit,
      focus: screen.focus,
      announcement: program.messages.announcement,
    };
  }
}
