// The settings dialog: which settings are shown, and the actions on them. A lazy part. Settings describe themselves;
// web/dialogs/settings/settings.tsx draws it.
import { must, unreachable } from '#core/assert.ts';
import { counted } from '#core/counted.ts';
import { loosely } from './matching.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import type { Program } from '../app/program.ts';
import type {
  SettingChoiceView,
  SettingControl,
  SettingRowView,
  SettingsAction,
  SettingWayView,
} from './settings-view.ts';
import { accent } from './appearance.ts';
import { labelColors } from '../labels/colors.ts';
import { aliasesOf, commandOf, everySetting } from './catalog.ts';
import { changeSetting } from './changing.ts';
import { settingWays } from './ways.ts';
import { settingHelp } from './help.ts';
import { type AnySetting, settingTabs, type SettingTab } from './setting.ts';

const ABOUT_TAB: SettingTab = 'This app';
const LOOK_TAB: SettingTab = 'Appearance';

/** More choices than this do not stand side by side. */
const MOST_SEGMENTS = 5;

interface Draft {
  readonly key: string;
  readonly text: string;
}

interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/** Moves between tabs from an index, wrapping around at the ends. */
const TAB_MOVES: Readonly<Record<string, (at: number) => number>> = {
  'settings.nextTab': (at) => at + 1,
  'settings.previousTab': (at) => at - 1,
  'settings.firstTab': () => 0,
  'settings.lastTab': () => -1,
};

const helpOf = ({ key, help }: AnySetting) => help ?? settingHelp[key] ?? '';

function controlOf({ key, kind, choices }: AnySetting): SettingControl {
  if (kind === 'toggle') return 'switch';
  if (kind === 'text') return 'text';
  if (key === accent.key) return 'colors';
  return choices.length <= MOST_SEGMENTS ? 'segments' : 'menu';
}

/** The default accent has no value of its own; it is close to the first color. */
const DEFAULT_ACCENT = labelColors[0]?.value ?? null;

function choicesOf({ key, choices }: AnySetting): readonly SettingChoiceView[] {
  return choices.map((choice) => {
    const value = String(choice.value);
    const color = key !== accent.key ? null : value === accent.fallback ? DEFAULT_ACCENT : value;
    return { value, title: choice.title, color };
  });
}

export class SettingsDialog implements OpenDialog {
  readonly type = 'settings';
  readonly #program: Program;
  #tab: SettingTab;
  #query = '';
  #draft: Draft | null = null;
  /** A rejected text as typed, with the reason. */
  #refused: (Draft & { readonly problem: string }) | null = null;
  #answer: Answer | null = null;

  constructor(program: Program, tab: SettingTab = settingTabs[0]) {
    this.#program = program;
    this.#tab = tab;
  }

  byKey(command: string): SettingsAction | null {
    const at = settingTabs.indexOf(this.#tab);
    const to = TAB_MOVES[command]?.(at);
    const tab = to === undefined ? undefined : settingTabs[(to + settingTabs.length) % settingTabs.length];
    return tab === undefined ? null : { action: 'tab', tab };
  }

  submit(action: SettingsAction): void {
    if (action.action === 'draft') {
      this.#draft = { key: action.key, text: action.text };
      return;
    }
    this.#answer = null;
    this.#commitDraft();
    switch (action.action) {
      case 'commit':
        break;
      case 'filter':
        this.#query = action.text;
        if (action.text.trim() !== '')
          this.#program.messages.announce(counted(this.#shown().length, 'setting'));
        break;
      case 'tab':
        this.#tab = action.tab;
        this.#query = '';
        break;
      case 'set':
        this.#set(action.key, action.text);
        break;
      case 'switch':
        this.#set(action.key, String(action.isOn));
        break;
      case 'reset':
        this.#reset(action.key);
        break;
      default:
        unreachable(action);
    }
    this.refresh();
  }

  undo(): void {
    this.#answer = null;
    const outcome = this.#program.run('edit.undo');
    if (outcome.type === 'done') this.#answer = { text: outcome.announce ?? '', isError: false };
    else if (outcome.type === 'refused')
      this.#answer = { text: outcome.reason, isError: outcome.tone === undefined };
    this.refresh();
  }

  get isTyping(): boolean {
    return this.#draft !== null || this.#query !== '';
  }

  leave(): void {
    this.#commitDraft();
    if (this.#refused !== null) this.#program.say(this.#refused.problem, { error: true, brief: true });
  }

  refresh(): void {
    this.#program.dialog.show({
      type: 'settings',
      settings: {
        tabs: settingTabs,
        tab: this.#query.trim() === '' ? this.#tab : null,
        query: this.#query,
        hasSample: this.#query.trim() === '' && this.#tab === LOOK_TAB,
        rows: this.#shown().map((setting) => this.#row(setting)),
        ways: this.#ways(),
        about: this.#isAboutShown() ? this.#program.platform.info : null,
        answer: this.#answer,
      },
    });
  }

  /** Settings of the tab; during a search, the matching ones of every tab. */
  #shown(): readonly AnySetting[] {
    const all = everySetting(this.#program);
    if (this.#query.trim() === '') return all.filter(({ tab }) => tab === this.#tab);
    const isMeant = loosely(this.#query);
    return settingTabs.flatMap((tab) =>
      all.filter(
        (setting) =>
          setting.tab === tab &&
          isMeant([
            setting.title,
            helpOf(setting),
            tab,
            ...aliasesOf(setting),
            ...setting.choices.map(({ title }) => title),
          ]),
      ),
    );
  }

  #isAboutShown(): boolean {
    if (this.#query.trim() === '') return this.#tab === ABOUT_TAB;
    return loosely(this.#query)([
      'About Posthaste',
      ABOUT_TAB,
      'version',
      'build',
      'licence',
      'changelog',
      'guides',
    ]);
  }

  /** Ways out of the tab; during a search, the matching ones. */
  #ways(): readonly SettingWayView[] {
    const isSought = this.#query.trim() !== '';
    const isMeant = loosely(this.#query);
    return settingWays.flatMap(({ tab, command: id, verb, help, saysWhy = false, isSomewhere = false }) => {
      const found = this.#program.commands.get(id);
      if (found === undefined && isSomewhere) return [];
      const command = must(found, id);
      if (command.isListed?.(this.#program) === false) return [];
      const unavailable = command.when(this.#program);
      if (unavailable !== null && !saysWhy) return [];
      const isShown = isSought ? isMeant([command.title, help, tab, ...command.aliases]) : tab === this.#tab;
      return isShown
        ? [{ command: id, verb, title: command.titleNow(this.#program), help, tab, unavailable }]
        : [];
    });
  }

  #row(setting: AnySetting): SettingRowView {
    const { settings } = this.#program;
    const { key, title, tab, scope, isLong } = setting;
    const typed = this.#refused?.key === key ? this.#refused : null;
    return {
      key,
      title,
      help: helpOf(setting),
      control: controlOf(setting),
      tab,
      isLong,
      value: typed?.text ?? String(settings.get(setting)),
      choices: choicesOf(setting),
      problem: typed?.problem ?? null,
      isHereOnly: scope === 'device',
      usual:
        settings.isSet(setting) && settings.get(setting) !== setting.fallback
          ? setting.say(setting.fallback)
          : null,
      command: commandOf(setting),
    };
  }

  #find(key: string): AnySetting | undefined {
    return everySetting(this.#program).find((setting) => setting.key === key);
  }

  #set(key: string, text: string): void {
    const setting = this.#find(key);
    if (!setting) return;
    const problem = setting.problem(text);
    const value = setting.read(text);
    this.#refused = null;
    if (problem !== null || value === null) {
      this.#refused = { key, text, problem: problem ?? `That doesn’t work for “${setting.title}”.` };
      this.#answer = { text: this.#refused.problem, isError: true };
    } else if (value !== this.#program.settings.get(setting))
      this.#answer = { text: changeSetting(this.#program, setting, value), isError: false };
  }

  #reset(key: string): void {
    const setting = this.#find(key);
    if (!setting) return;
    this.#refused = null;
    this.#answer = { text: changeSetting(this.#program, setting, null), isError: false };
  }

  #commitDraft(): void {
    const draft = this.#draft;
    this.#draft = null;
    if (draft) this.#set(draft.key, draft.text);
  }
}
