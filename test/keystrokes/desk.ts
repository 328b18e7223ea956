// A desk to test at: the whole headless app over a real replica, keys by their names, and the screen as readable text.
// Everything is read through the app's view, as the browser reads it.
import { patternOf, replaceIn } from '#core/replace.ts';
import type { Paper } from '#client/printing/port.ts';
import type { ScriptPort } from '#client/macros/script/port.ts';
import type { Replacer } from '#client/replacing/replacer.ts';
import assert from 'node:assert/strict';
import { generateKeyBetween } from 'fractional-indexing';
import { must } from '#core/assert.ts';
import { inboxId, listsRoot, memberId, mineId, mountId, type Id } from '#core/ids.ts';
import type { EntityType, MemberRole, Place } from '#core/model.ts';
import { createApp } from '#client/app/create-app.ts';
import type { ImportSource } from '#client/importing/port.ts';
import type { RehearsalView } from '#client/importing/view.ts';
import type { ImportPorts } from '#core/formats/import/shape.ts';
import { directImporter } from '#client/importing/direct.ts';
import type { GivenFile } from '#client/transfer/given-file.ts';
import type { AccountPort, App, Platform } from '#client/app/app.ts';
import type { DeviceFacts, DevicePort, Notice, SafetyCopies, SafetyCopy } from '#client/app/device.ts';
import { type KeyInput, typesText } from '#client/keys/stroke.ts';
import type { Lazy } from '#client/loading/lazy.ts';
import type { Rest } from '#client/loading/rest.ts';
import { createSignal } from '#client/app/signal.ts';
import type { DesktopPort } from '#client/desktop/port.ts';
import type { FilesPort } from '#client/files/port.ts';
import type { TextField } from '#client/text/text-field.ts';
import type { RowView, SidebarRowView } from '#client/app/view.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { DeviceReplica } from '#sync/replica/replica.ts';
import type { SyncState } from '#sync/replica/replica-types.ts';
import { exportJson } from '#core/formats/json.ts';
import { exportedOf } from '#core/formats/exported.ts';
import { loadEverything } from './everything.ts';
import { noAccount } from './no-server.ts';
import { Outside } from './outside.ts';
import { Timers } from './timers.ts';
import { createReplica, DeskEngine, SCOPE, START } from './desk-engine.ts';
import { keyInput } from './key-input.ts';
import { asRow, fieldOf, type Fields, type Row } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { receive, receivePage } from '#sync/exchange/taking-in.ts';
import type { Part } from '#client/app/part.ts';
import type { KeyContext } from '#client/commands/command.ts';

// As after the first time: tests then see at once what a person sees.
await loadEverything();

export interface DeskOptions {
  /** Attached files; absent: there are none. */
  readonly attached?: FilesPort;
  /** When what a closed page left is made. */
  readonly taken?: Promise<void>;
  readonly apple?: boolean;
  readonly touch?: boolean;
  readonly preferences?: Map<string, string>;
  readonly account?: AccountPort;
  /** What the app loads after the first screen. */
  readonly rest?: Lazy<Rest>;
  /** The program around the page, as in the desktop client. */
  readonly desktop?: DesktopPort;
  /** Besides those of the app. */
  readonly parts?: readonly Part[];
  /** What replication says when the app starts. */
  readonly sync?: SyncState;
  /** There is an account, and the server has what the desk starts with. */
  readonly isConfirmed?: boolean;
  /** Random bytes: seeded where a run must repeat exactly. */
  readonly fill?: (bytes: Uint8Array) => void;
  /** What the server said last that it can do. */
  readonly features?: readonly string[];
}

/** Where the control with the focus takes no text: the contexts of dialogs with a list instead of a field. */
const WITHOUT_FIELD: ReadonlySet<KeyContext> = new Set([
  'dialog.timeMachine',
  'dialog.recovered',
  'dialog.settings',
  'dialog.share',
  'dialog.takingBack',
  'dialog.macroTrial',
  'dialog.publicLinks',
  'dialog.calendars',
  'dialog.calendarFeed',
  'dialog.google',
  'dialog.plan',
  'dialog.agenda',
  'dialog.planDay',
  'dialog.macroSteps',
  'dialog.rehearsal',
]);

const PATIENCE_MS = 5_000;

export class Desk {
  /** What the control with the focus in a dialog names. */
  within: readonly KeyContext[] = [];
  /** Keys that the page is to press in the field that gets the focus. */
  readonly typedAhead: string[] = [];
  whyMissing: 'offline' | 'renewed' = 'offline';
  readonly timers = new Timers();
  readonly replica: DeviceReplica;
  readonly engine: DeskEngine;
  readonly app: App;
  readonly apple: boolean;
  /** A finger points, and no key of a keyboard was pressed. */
  touch: boolean;
  readonly taken: Promise<void>;
  readonly preferences: Map<string, string>;
  readonly files: { readonly name: string; readonly type: string; readonly text: string }[] = [];
  readonly links: string[] = [];
  clipboard: string | null = null;
  picked: GivenFile | null = null;
  /** What the person chooses to import. */
  sources: readonly ImportSource[] = [];
  /** The browser does not let anything be put on the clipboard. */
  refusesCopies = false;
  /** What was printed. */
  readonly prints: (Paper | null)[] = [];
  #paper: (() => Paper | null) | null = null;
  /** Null: the code that runs scripts cannot be had. */
  scripts: ScriptPort | null = null;
  /** Expressions that are run here; one test puts another in its place. */
  replacer: Replacer = {
    run: (pattern, titles) => {
      const read = patternOf(pattern);
      const found = titles.map((title) => (read.ok ? replaceIn(title, read.value, pattern) : null));
      return Promise.resolve({ type: 'done', found });
    },
    close: () => undefined,
  };
  /** The title input, as the browser would hold it. */
  #field: { readonly id: Id; readonly text: string; readonly shown: string } | null = null;
  reloads = 0;

  constructor(outline = '', options: DeskOptions = {}) {
    this.apple = options.apple ?? true;
    this.touch = options.touch ?? false;
    this.attached = options.attached ?? null;
    this.desktop = options.desktop;
    this.taken = options.taken ?? Promise.resolve();
    // Somebody who has learnt the first keys.
    this.preferences = options.preferences ?? new Map([['lesson', 'over']]);
    this.replica = createReplica(this.timers, options.fill, options.isConfirmed === true ? 1 : 0);
    this.engine = new DeskEngine(this.replica, this.timers);
    if (options.sync) this.engine.sync = options.sync;
    if (options.features) this.engine.known = { features: options.features };
    const lines = outline.split('\n').filter((line) => line.trim() !== '');
    const ids = this.#write(lines);
    if (options.isConfirmed === true) this.confirm();
    this.app = createApp({
      engine: this.engine,
      platform: this.platform(options.account),
      ...(options.rest ? { rest: options.rest } : {}),
      ...(options.parts ? { parts: options.parts } : {}),
    });
    this.app.view.focus.subscribe(() => {
      const focus = this.app.view.focus.get();
      const text = focus.pane === 'outline' ? focus.edit?.text : undefined;
      if (text !== undefined && this.#field) this.#field = { ...this.#field, text };
    });
    const at = lines.findIndex((line) => line.startsWith('>'));
    const id = ids[at];
    if (id) this.app.pressRow(id, { shift: false, mod: false });
  }

  /** Makes the tasks of an outline in the Inbox. */
  #write(lines: readonly string[]): Id[] {
    const above: Id[] = [];
    return lines.map((line) => {
      const indent = /^..((?: {2})*)/.exec(line)?.[1]?.length ?? 0;
      const level = indent / 2;
      const [, title = '', marks = ''] = /^..\s*(.*?)((?: [✓+])*)$/.exec(line) ?? [];
      const id = this.replica.newId();
      const parent = above[level - 1] ?? inboxId(SCOPE);
      above.length = level;
      above.push(id);
      const fields = {
        ...(title === '' ? {} : { title }),
        ...(marks.includes('✓') ? { status: { done: START } } : {}),
      };
      const actions: Action[] = [{ a: 'create', id, type: 'task', fields, place: { parent } }];
      this.replica.issue(actions);
      if (marks.includes('+')) this.collapse(id);
      return id;
    });
  }

  /** As an answer of the server that took everything. */
  confirm(): void {
    const { pending, meta } = this.replica;
    const version = meta.seq;
    const rows = [...this.replica.all()].map((row) => ({ ...row, version, updatedAt: START }));
    const results = pending.map(({ q }) => [q, 'ok'] as const);
    receivePage(this.replica, rows, () => true);
    receive(this.replica, { results, changes: [], left: [], deviceNumber: 1, clockOffsetMs: 0 });
  }

  /**
   * A list of several people that this person belongs to, as the server tells of it, with open tasks of these titles. `mount`: where
   * its mount stands; null: there is none, absent: at the end of the top level. `as`: what the person is to it, or the id
   * that the list of a member is to have. Returns the id of the list.
   */
  holdShared(
    name: string,
    titles: readonly string[] = [],
    mount: Place | null = this.#end(),
    { role = 'member', list = this.replica.newId() }: { readonly role?: MemberRole; readonly list?: Id } = {},
  ): Id {
    const scope = this.replica.newId();
    const row = (id: Id, type: EntityType, fields: Fields, own = scope): Row =>
      asRow({
        id,
        type,
        fields,
        scope: own,
        version: 1,
        // What is the person's own was written by them.
        stamp: [1, START - 1, own === SCOPE ? 1 : 9, 1],
        createdAt: START - 1,
        updatedAt: START,
      });
    const person = { name: 'Ann', initials: 'A', color: '#336699', joinedAt: START };
    const rows = [
      row(list, 'list', { listType: 'list', name, place: { parent: listsRoot(scope), key: 'a0' } }),
      row(memberId(scope, 1), 'member', { account: 1, role, ...person, name: 'Ben' }),
      row(memberId(scope, 2), 'member', {
        account: 2,
        role: role === 'owner' ? 'member' : 'owner',
        ...person,
      }),
      ...titles.map((title, at) => {
        const place = { parent: list, key: `a${at}` };
        return row(this.replica.newId(), 'task', { title, place });
      }),
    ];
    if (mount !== null)
      rows.push(row(mountId(SCOPE, list), 'mount', { of: list, place: mount, joinedAt: START }, SCOPE));
    receivePage(this.replica, rows);
    this.replica.setCursor(scope, { generation: 'g', version: 1 });
    return list;
  }

  #end(): Place {
    const last = placeOf(this.replica.children(listsRoot(SCOPE)).at(-1))?.key ?? null;
    return { parent: listsRoot(SCOPE), key: generateKeyBetween(last, null) };
  }

  /** The list is not held anymore: its person has left it, or was removed. */
  letGo(list: Id): void {
    const left = [must(this.replica.row(list), 'it is held').scope];
    receive(this.replica, { results: [], changes: [], left, deviceNumber: 1, clockOffsetMs: 0 });
  }

  collapse(id: Id): void {
    const action: Action = {
      a: 'create',
      id: mineId(SCOPE, id),
      type: 'mine',
      fields: { of: id, collapsed: true },
    };
    this.replica.issue([action]);
  }

  /** What opens databases that are imported. */
  importPorts: ImportPorts = {};
  safetyCopies: readonly SafetyCopy[] = [];
  readonly safety: SafetyCopies = {
    keep: (copy) => {
      this.safetyCopies = [copy, ...this.safetyCopies.filter(({ id }) => id !== copy.id)];
      return Promise.resolve();
    },
    list: () => Promise.resolve(this.safetyCopies),
    drop: (id) => {
      this.safetyCopies = this.safetyCopies.filter((copy) => copy.id !== id);
      return Promise.resolve();
    },
  };
  readonly notices = createSignal<readonly Notice[]>([]);
  #told = 0;
  readonly device: DevicePort = {
    facts: createSignal<DeviceFacts>({ storage: 'disk', persisted: 'granted' }),
    notices: this.notices,
    tell: (notice) =>
      this.notices.set([
        ...this.notices.get().filter(({ text }) => text !== notice.text),
        { ...notice, id: `n${(this.#told += 1)}` },
      ]),
    dismiss: (id) => this.notices.set(this.notices.get().filter((notice) => notice.id !== id)),
    damaged: () => Promise.resolve(null),
    kept: [],
    keptChanges: () => Promise.resolve(null),
    safetyCopies: () => Promise.resolve(this.safety),
    dropKept: () => Promise.resolve(),
  };

  readonly attached: FilesPort | null;
  readonly desktop: DesktopPort | undefined;
  readonly outside = new Outside();

  platform(account: AccountPort = noAccount): Platform {
    const isTouch = () => this.touch;
    return {
      apple: this.apple,
      info: { version: '1.2.3', build: 'abc', licence: 'MIT' },
      get touch() {
        return isTouch();
      },
      zone: () => 'UTC',
      locale: () => 'en-GB',
      after: (delayMs, work) => this.timers.after(delayMs, work),
      copyText: (text) => {
        if (this.refusesCopies) return Promise.resolve(false);
        this.clipboard = text;
        return Promise.resolve(true);
      },
      readClipboard: () => Promise.resolve(this.clipboard),
      saveFile: (name, type, text) => void this.files.push({ name, type, text }),
      pickFile: () => Promise.resolve(this.picked),
      pickSources: () => Promise.resolve(this.sources),
      openImporter: () =>
        Promise.resolve(directImporter({ ...this.importPorts, newId: () => this.replica.newId() })),
      openLink: (url) => void this.links.push(url),
      preferences: {
        get: (key) => this.preferences.get(key) ?? null,
        set: (key, value) => void this.preferences.set(key, value),
      },
      taken: () => this.taken,
      account,
      device: this.device,
      isSafe: false,
      openReplacer: () => this.replacer,
      scripts: () =>
        this.scripts
          ? Promise.resolve(this.scripts)
          : Promise.reject(new Error('There are no scripts here.')),
      files: () =>
        this.attached
          ? Promise.resolve(this.attached)
          : Promise.reject(new Error('There are no files here.')),
      loadViews: () => Promise.resolve(),
      drawn: () => Promise.resolve(),
      press: (input) => this.#pressAgain(input),
      insertText: (text) => void this.typedAhead.push(text),
      textField: () => this.#textField(),
      options: this.outside.options,
      whyMissing: () => Promise.resolve(this.whyMissing),
      notifications: this.outside.port,
      install: this.outside.install,
      paper: {
        follow: (make) => {
          this.#paper = make;
        },
        print: () => void this.prints.push(this.#paper?.() ?? null),
      },
      reload: () => void (this.reloads += 1),
      desktop: this.desktop,
    };
  }

  /** Where the caret of the text field is; null: at its end. */
  caret: number | null = null;

  /** The title being edited, or the line of the palette. */
  #textField(): TextField | null {
    const focus = this.app.view.focus.get();
    const title = focus.pane === 'outline' && focus.edit ? focus.id : null;
    if (title === null && focus.pane !== 'palette') return null;
    const stored = () => this.rows().find(({ id }) => id === title)?.title ?? '';
    const text =
      title === null ? (this.app.view.palette.get()?.query ?? '') : (this.#field?.text ?? stored());
    const at = Math.min(this.caret ?? text.length, text.length);
    const put = (whole: string, caret: number) => {
      this.caret = caret;
      if (title === null) this.app.paletteInput(whole);
      else {
        this.#field = { id: title, text: whole, shown: stored() };
        this.app.draftTitle(title, whole, caret);
      }
    };
    return {
      text,
      from: at,
      to: at,
      putCaret: (caret) => void (this.caret = caret),
      replace: (from, to, by) => put(text.slice(0, from) + by + text.slice(to), from + by.length),
      undo: () => void this.undone.push('undo'),
      redo: () => void this.undone.push('redo'),
    };
  }

  /** What the browser was asked to take back in a text field. */
  readonly undone: string[] = [];

  get #inText(): boolean {
    const focus = this.app.view.focus.get();
    if (this.within.some((context) => WITHOUT_FIELD.has(context))) return false;
    if (focus.pane === 'outline') return focus.edit !== null;
    if (focus.pane === 'sidebar') return focus.edit;
    if (focus.pane === 'calendar') return false;
    return focus.pane !== 'palette' || focus.day === undefined;
  }

  /** A key that was held. What a field gets of it is typed there; of dialogs' fields it is only noted. */
  #pressAgain(input: KeyInput): void {
    const inText = this.#inText;
    if (this.app.key({ ...input, inText, within: this.within }) || !inText) return;
    const isTheirs = this.app.view.focus.get().pane === 'dialog';
    if (isTheirs || !typesText(input, this.apple)) this.typedAhead.push(input.key);
    else this.type(input.key);
  }

  /** Presses keys one after another. Returns whether the last was taken. */
  press(...names: readonly string[]): boolean {
    let taken = false;
    for (const name of names) {
      for (const stroke of name.split(' ')) {
        taken = this.app.key({
          ...keyInput(stroke, { apple: this.apple, inText: this.#inText }),
          within: this.within,
        });
        const focus = this.app.view.focus.get();
        if (focus.pane !== 'outline' || !focus.edit || focus.id !== this.#field?.id) this.#field = null;
      }
    }
    return taken;
  }

  /** Types into whatever text field has the focus, after what is there. */
  type(text: string): void {
    const { view } = this.app;
    const focus = view.focus.get();
    if (focus.pane === 'palette') this.app.paletteInput((view.palette.get()?.query ?? '') + text);
    else if (focus.pane === 'search') this.app.searchInput((view.search.get()?.query ?? '') + text);
    else if (focus.pane === 'notes') {
      const notes = view.notes.get();
      if (notes) this.app.draftNotes(notes.id, notes.text + text);
    } else if (focus.pane === 'outline' && focus.edit && focus.id) {
      const isSame = this.#field?.id === focus.id;
      const shown = this.row(focus.id)?.title ?? '';
      // As the browser's field: a title drawn anew that differs is put into it.
      if (this.#field && isSame && shown !== this.#field.shown) this.#field = { ...this.#field, text: shown };
      const stored = focus.edit.caret === 'all' ? '' : (fieldOf(this.replica.row(focus.id), 'title') ?? '');
      const base = isSame ? (this.#field?.text ?? '') : stored;
      this.#field = { id: focus.id, text: base + text, shown };
      this.app.draftTitle(focus.id, base + text, base.length + text.length);
    } else if (focus.pane === 'sidebar' && focus.edit && focus.id) this.app.draftName(focus.id, text);
  }

  rows(): RowView[] {
    const { rows } = this.app.view;
    const count = rows.count.get();
    if (rows.pool.get() < count) rows.resize(count);
    const drawn = Array.from({ length: rows.pool.get() }, (_, slot) => rows.slot(slot).get());
    return drawn.filter((row) => row !== null).toSorted((a, b) => a.index - b.index);
  }

  row(id: Id): RowView | undefined {
    return this.rows().find((row) => row.id === id);
  }

  /** The outline as text: `>` cursor, `*` selected, two spaces a level, ✓ done, + collapsed, | being edited. */
  screen(): string {
    return this.rows()
      .map((row) => {
        const marks = `${row.cursor ? '>' : ' '}${row.selected ? '*' : ' '}`;
        const title = row.editing ? `${row.title}|` : row.title;
        const after = `${row.done ? ' ✓' : ''}${row.expanded === false ? ' +' : ''}`;
        return `${marks}${'  '.repeat(row.level - 1)}${title}${after}`;
      })
      .join('\n');
  }

  /** The lines of the sidebar without Today and Upcoming, which stand above them everywhere. */
  lists(): readonly SidebarRowView[] {
    return this.app.view.sidebar.rows
      .get()
      .filter(({ kind, cursor }) => cursor || (kind !== 'today' && kind !== 'upcoming'));
  }

  sidebar(): string {
    return this.lists()
      .map(
        (row) => `${row.cursor ? '>' : ' '}${row.open ? '*' : ' '}${'  '.repeat(row.level - 1)}${row.name}`,
      )
      .join('\n');
  }

  /** The parent of the top lines: the place open now, or the Inbox. */
  rootOf(place: Id | undefined): Id {
    return place ?? inboxId(SCOPE);
  }

  get message(): string {
    return this.app.view.status.get().message?.text ?? '';
  }

  /** Lets what is under way get there; fails when it does not. Files are read in their own time, which turns don't tell. */
  async until(isSo: () => boolean): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    for (let turns = 0; !isSo(); turns += 1) {
      assert.ok(turns < 1_000 || performance.now() < end, 'it does not come to that');
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Everything there is, as it would be exported. */
  everything(): string {
    const rows = [...this.replica.all()].filter(({ type }) => type !== 'mine');
    return exportJson(exportedOf(rows), { kind: 'account' });
  }

  palette(): readonly string[] {
    return (this.app.view.palette.get()?.items ?? []).map(({ title }) => title);
  }

  /** The rehearsal of an import, once it shows what would come. */
  async rehearsed(): Promise<RehearsalView> {
    const shown = () => {
      const dialog = this.app.view.dialog.get();
      return dialog?.type === 'rehearsal' && dialog.rehearsal.step === 'shown' && !dialog.rehearsal.isPlanning
        ? dialog.rehearsal
        : null;
    };
    await this.until(() => shown() !== null);
    this.within = ['dialog.rehearsal', 'list'];
    return must(shown(), 'it was waited for');
  }

  /** Lets promises of the platform settle. */
  async settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    // What is loaded when first wanted.
    await Promise.all([import('#client/transfer/documents.ts'), import('#client/importing/importing.ts')]);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A file to import, as somebody chooses, drops or opens it. */
export function given(name: string, content: string | Uint8Array, writtenAt?: number): ImportSource {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { name, size: bytes.length, content: bytes, ...(writtenAt === undefined ? {} : { writtenAt }) };
}

/** Text of an outline without the margin that a template literal has. */
export function outline(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const margin = Math.min(...lines.map((line) => /^ */.exec(line)?.[0].length ?? 0));
  return lines.map((line) => line.slice(margin)).join('\n');
}

export const LIST = `
  > Plan
      Write
      Send
    Ship
      Pack
        Label
    Rest`;

/** A desk on a small list with the cursor on its first task. */
export const list = (): Desk => new Desk(outline(LIST));

export function shows(desk: Desk, text: string): void {
  assert.equal(desk.screen(), outline(text));
}
