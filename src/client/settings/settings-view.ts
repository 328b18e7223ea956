// View of the settings dialog.
import type { ProgramInfo } from '../app/program-info.ts';
import type { SettingTab } from './setting.ts';

/** How a value is chosen: few choices stand side by side, colors as colors, many in a menu. */
export type SettingControl = 'switch' | 'segments' | 'colors' | 'menu' | 'text';

/** One value to choose. */
export interface SettingChoiceView {
  readonly value: string;
  readonly title: string;
  /** `#rrggbb`, where the choice is a color; else null. */
  readonly color: string | null;
}

/** One setting in the dialog. */
export interface SettingRowView {
  readonly key: string;
  readonly title: string;
  readonly help: string;
  readonly control: SettingControl;
  readonly tab: string;
  /** A text of several lines. */
  readonly isLong: boolean;
  readonly value: string;
  readonly choices: readonly SettingChoiceView[];
  /** Why the typed text is invalid; null: it is valid. */
  readonly problem: string | null;
  /** It is stored on this device only. */
  readonly isHereOnly: boolean;
  /** The default; null: the value is the default. */
  readonly usual: string | null;
  /** The command that also changes it, for its key. */
  readonly command: string;
}

/** A way to something that is set outside of the dialog. */
export interface SettingWayView {
  readonly command: string;
  readonly verb: string;
  readonly title: string;
  readonly help: string;
  readonly tab: string;
  /** Why it is unavailable now; null: it is available. */
  readonly unavailable: string | null;
}

/** An action in the settings dialog. */
export type SettingsAction =
  | { readonly action: 'filter'; readonly text: string }
  | { readonly action: 'tab'; readonly tab: SettingTab }
  /** Text typed in a field; applied when the field is left. */
  | { readonly action: 'draft'; readonly key: string; readonly text: string }
  | { readonly action: 'commit' }
  /** The value as text, as the setting reads it. */
  | { readonly action: 'set'; readonly key: string; readonly text: string }
  | { readonly action: 'switch'; readonly key: string; readonly isOn: boolean }
  | { readonly action: 'reset'; readonly key: string };

/** The settings dialog: one tab, or the matches of a search. */
export interface SettingsView {
  readonly tabs: readonly SettingTab[];
  /** Null during a search, which covers every tab. */
  readonly tab: SettingTab | null;
  readonly query: string;
  /** A sample of the look stands above the settings that change it. */
  readonly hasSample: boolean;
  readonly rows: readonly SettingRowView[];
  /** Ways to what is set elsewhere. */
  readonly ways: readonly SettingWayView[];
  /** The running program; null: this tab does not show it. */
  readonly about: ProgramInfo | null;
  readonly answer: { readonly text: string; readonly isError: boolean } | null;
}
