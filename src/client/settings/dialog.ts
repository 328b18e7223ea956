// The settings dialog: which settings are shown, and what is done with them. A lazy chunk. The settings themselves say what
// they are; how it is drawn is web/dialogs/settings.tsx.
import { must } from '#core/assert.ts';
import { commands } from '../commands/registry.ts';
import { loosely } from './matching.ts';
import type { OpenDialog } from '../open-dialog.ts';
import type { Program } from '../program.ts';
import type { SettingWayView, SettingRowView } from './settings-view.ts';
import { allSettings, commandOf } from './catalog.ts';
import { changeSetting } from './changing.ts';
import { settingWays } from './ways.ts';
import { settingHelp } from './help.ts';
import { type AnySetting, settingTabs, type SettingTab } from './setting.ts';

const ABOUT_TAB: SettingTab = 'This app';

interface Draft {
  readonly key: string;
  readonly text: string;
}

interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

export class SettingsDialog implements OpenDialog {
  readonly #program: Program;
  #tab: SettingTab;
  #query = '';
  #draft: Draft | null = null;
  /** A text that cannot be, as it was typed, with why. */
  #refused: (Draft & { readonly problem: string }) | null = null;
  #answer: Answer | null = null;

  constructor(program: Program, tab: SettingTab = settingTabs[0]) {
    this.#program = program;
    this.#tab = tab;
  }

  submit(values: Readonly<Record<string, string>>): void {
    const { action = '', text = '', key = '' } = values;
    if (action === 'draft') {
      this.#draft = { key, text };
      return;
    }
    this.#answer = null;
    this.#commitDraft();
    if (action === 'filter') this.#query = text;
    else if (action === 'tab') this.#tab = settingTabs.find((tab) => tab === text) ?? this.#tab;
    else if (action === 'undo') this.#undo();
    else if (action === 'set') this.#set(key, text);
    else if (action === 'reset') this.#reset(key);
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
    this.#program.dialog.set({
      type: 'settings',
      settings: {
        tabs: settingTabs,
        tab: this.#query.trim() === '' ? this.#tab : null,
        query: this.#query,
        rows: this.#shown().map((setting) => this.#row(setting)),
        ways: this.#ways(),
        about: this.#isAboutShown() ? this.#program.platform.info : null,
        answer: this.#answer,
      },
    });
  }

  /** Those of the tab; while something is sought, those that it is found in, from every tab. */
  #shown(): readonly AnySetting[] {
    if (this.#query.trim() === '') return allSettings.filter(({ tab }) => tab === this.#tab);
    const isMeant = loosely(this.#query);
    return settingTabs.flatMap((tab) =>
      allSettings.filter(
        (setting) =>
          setting.tab === tab &&
          isMeant([
            setting.title,
            settingHelp[setting.key] ?? '',
            tab,
            ...(setting.aliases ?? []),
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

  /** The ways out of the tab; while something is sought, those that lead to it. */
  #ways(): readonly SettingWayView[] {
    const isSought = this.#query.trim() !== '';
    const isMeant = loosely(this.#query);
    return settingWays.flatMap(({ tab, command: id, verb, help, saysWhy = false }) => {
      const command = must(commands.get(id), id);
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
    const { key, title, kind, tab, scope, choices, isLong } = setting;
    const typed = this.#refused?.key === key ? this.#refused : null;
    return {
      key,
      title,
      help: settingHelp[key] ?? '',
      kind,
      tab,
      isLong,
      value: typed?.text ?? String(settings.get(setting)),
      choices: choices.map((choice) => ({ value: String(choice.value), title: choice.title })),
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
    return allSettings.find((setting) => setting.key === key);
  }

  #set(key: string, text: string): void {
    const setting = this.#find(key);
    if (!setting) return;
    const problem = setting.problem(text);
    const value = setting.read(text);
    this.#refused = null;
    if (problem !== null || value === null) {
      this.#refused = { key, text, problem: problem ?? `That cannot be “${setting.title}”.` };
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

  #undo(): void {
    const outcome = this.#program.run('edit.undo');
    if (outcome.type === 'done') this.#answer = { text: outcome.announce ?? '', isError: false };
    else if (outcome.type === 'refused')
      this.#answer = { text: outcome.reason, isError: outcome.tone === undefined };
  }
}
