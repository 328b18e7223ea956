// What a setting is: its name, what it may hold, and what it holds where nobody has said anything. The settings themselves
// are behavior.ts, appearance.ts and their like; their values are settings.ts.

export interface Choice<T> {
  readonly value: T;
  /** As it is offered and said: "After a day". */
  readonly title: string;
}

/** Tabs of the dialog, in their order. A new one is added here. */
export const settingTabs = [
  'General',
  'Behavior',
  'Appearance',
  'Keys',
  'Labels',
  'Account',
  'Data',
  'This app',
] as const;
export type SettingTab = (typeof settingTabs)[number];

/** How a setting is described, whatever it holds. What it does is said by help.ts, which is loaded later. */
export interface SettingSaid {
  /** Stable for ever: under it the value is stored. */
  readonly key: string;
  /** A noun phrase, sentence case: "Nested tasks in smart lists". */
  readonly title: string;
  readonly tab: SettingTab;
  /** Other words people search for. */
  readonly aliases?: readonly string[];
  /** `account`: one value on every device of the person. `device`: kept in this browser alone. */
  readonly scope: 'account' | 'device';
  /** The command that changes it already; absent: it gets one of its own, `setting.<key>`. */
  readonly command?: string;
}

export interface Setting<T> extends SettingSaid {
  readonly kind: 'toggle' | 'choice' | 'text';
  readonly fallback: T;
  /** Of a choice, in the order they are offered; else empty. */
  readonly choices: readonly Choice<T>[];
  /** The value that was stored or typed, or null where it is none that this setting can have. */
  read(stored: unknown): T | null;
  /** Why a text cannot be the value, as a sentence that says what would be right; null: it can. */
  problem(text: string): string | null;
  /** As it is said after the title: "on", "after a day". */
  say(value: T): string;
  /** A text of several lines. */
  readonly isLong: boolean;
}

export type SettingValue = boolean | string | number;

/** Any of them, for whoever treats all alike. */
export type AnySetting = Setting<SettingValue>;

const nothing = () => null;

export function toggle(said: SettingSaid & { readonly fallback: boolean }): Setting<boolean> {
  return {
    ...said,
    kind: 'toggle',
    choices: [],
    isLong: false,
    read(stored) {
      if (typeof stored === 'boolean') return stored;
      return stored === 'true' ? true : stored === 'false' ? false : null;
    },
    problem: nothing,
    say: (value) => (value ? 'on' : 'off'),
  };
}

export function choice<T extends string | number>(
  said: SettingSaid & { readonly fallback: T; readonly choices: readonly Choice<T>[] },
): Setting<T> {
  const find = (stored: unknown) =>
    said.choices.find(({ value }) => value === stored || String(value) === stored);
  return {
    ...said,
    kind: 'choice',
    isLong: false,
    read: (stored) => find(stored)?.value ?? null,
    problem: (typed) =>
      find(typed) ? null : `Choose one of: ${said.choices.map(({ title }) => title).join(', ')}.`,
    say: (value) => find(value)?.title.toLowerCase() ?? String(value),
  };
}

export function text(
  said: SettingSaid & {
    readonly fallback: string;
    readonly isLong?: boolean;
    readonly problem?: (typed: string) => string | null;
  },
): Setting<string> {
  const problem = said.problem ?? nothing;
  return {
    ...said,
    kind: 'text',
    choices: [],
    isLong: said.isLong ?? false,
    // What an older or newer version stored is never used unchecked.
    read: (stored) => (typeof stored === 'string' && problem(stored) === null ? stored : null),
    problem,
    say: (value) => (value === '' ? 'none' : `“${value}”`),
  };
}
