// Definition of a setting: its name, possible values and default. The settings themselves are in behavior.ts,
// appearance.ts and the like; their values in settings.ts.

export interface Choice<T> {
  readonly value: T;
  /** As offered and announced: "After a day". */
  readonly title: string;
}

/** Tabs of the dialog, in their order. Add new ones here. */
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
/** The name of a tab, as it is shown. */
export type SettingTab = (typeof settingTabs)[number];

/** Describes a setting of any type. Its help text is in help.ts, which is loaded later, or here for a setting of a part. */
export interface SettingSaid {
  /** Stable forever: the value is stored under it. */
  readonly key: string;
  /** A noun phrase, sentence case: "Nested tasks in smart lists". */
  readonly title: string;
  readonly tab: SettingTab;
  /** Other words people search for. Absent: catalog.ts may have them. */
  readonly aliases?: readonly string[];
  /** Its effect, as one or two sentences. Absent: help.ts has it. */
  readonly help?: string;
  /** `account`: one value on all devices of the person. `device`: stored in this browser only. */
  readonly scope: 'account' | 'device';
  /** The existing command that changes it; absent: `setting.<key>` is generated. */
  readonly command?: string;
}

/** A setting with values of type `T`. Made by `toggle`, `choice` and `text`. */
export interface Setting<T> extends SettingSaid {
  readonly kind: 'toggle' | 'choice' | 'text';
  readonly fallback: T;
  /** For a choice, in the order of the dialog; else empty. */
  readonly choices: readonly Choice<T>[];
  /** Checks a stored or typed value; null if it is invalid for this setting. */
  read(stored: unknown): T | null;
  /** Why a text is no valid value, as a sentence with the correction; null: it is valid. */
  problem(text: string): string | null;
  /** As announced after the title: "on", "after a day". */
  say(value: T): string;
  /** A text of several lines. */
  readonly isLong: boolean;
}

/** The types of values that settings hold. */
export type SettingValue = boolean | string | number;

/** A setting of any type, for code that treats all alike. */
export type AnySetting = Setting<SettingValue>;

const nothing = () => null;

/** Defines a setting that is on or off. */
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

/** Defines a setting with a closed list of values. */
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

/** Defines a setting that holds a text. `problem` checks typed and stored texts. */
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
    // A value stored by another version is checked before use.
    read: (stored) => (typeof stored === 'string' && problem(stored) === null ? stored : null),
    problem,
    say: (value) => (value === '' ? 'none' : `“${value}”`),
  };
}
