// What the settings dialog draws.
import type { ProgramInfo } from '../program-info.ts';

export interface SettingRowView {
  readonly key: string;
  readonly title: string;
  readonly help: string;
  readonly kind: 'toggle' | 'choice' | 'text';
  readonly tab: string;
  /** A text of several lines. */
  readonly isLong: boolean;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly title: string }[];
  /** Why what was typed cannot be. */
  readonly problem: string | null;
  /** It does not follow the account. */
  readonly isHereOnly: boolean;
  /** What it would be if nobody had said anything; null: it is so. */
  readonly usual: string | null;
  /** Its key changes it too. */
  readonly command: string;
}

export interface SettingWayView {
  readonly command: string;
  readonly verb: string;
  readonly title: string;
  readonly help: string;
  readonly tab: string;
  /** Why it cannot be gone through now; null: it can. */
  readonly unavailable: string | null;
}

export interface SettingsView {
  readonly tabs: readonly string[];
  /** Null: what was sought is shown, from every tab. */
  readonly tab: string | null;
  readonly query: string;
  readonly rows: readonly SettingRowView[];
  /** What is set elsewhere: the way there. */
  readonly ways: readonly SettingWayView[];
  /** Which program this is; null: it is not asked for here. */
  readonly about: ProgramInfo | null;
  readonly answer: { readonly text: string; readonly isError: boolean } | null;
}
