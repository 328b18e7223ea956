// The lines of the editor of keys: every key with what it does, what has no key, labels; and which of them are sought.
import type { Id } from '#core/ids.ts';
import type { KeyContext } from '../commands/command.ts';
import { allLabels, labelName } from '../labels/catalog.ts';
import type { Program } from '../program.ts';
import { loosely } from '../settings/matching.ts';
import { choicesOf, type KeyChoices } from './choices.ts';
import { warningOf } from './conflicts.ts';
import { defaultBindings } from './default-keymap.ts';
import type { KeyOptionView } from './editor-view.ts';
import type { Binding } from './keymap.ts';
import { keyPlaces, placeNames } from './place-names.ts';
import { presets } from './presets.ts';
import { takenBy } from './reserved.ts';
import { parseKeys, type Stroke } from './stroke.ts';

export interface KeyOption {
  readonly id: string;
  readonly heading: string;
  readonly title: string;
  readonly words: readonly string[];
  /** Empty: nothing is bound. */
  readonly strokes: readonly Stroke[];
  readonly about:
    | { readonly type: 'key'; readonly binding: Binding }
    /** `context`: the only place where a key for it counts; null: wherever its kind of key does. */
    | { readonly type: 'unbound'; readonly command: string; readonly context: KeyContext | null }
    /** A part of the grammar of the set: it cannot be changed alone. */
    | { readonly type: 'read' }
    | { readonly type: 'label'; readonly label: Id };
}

/** Where commands that only keys run have them, unless they were taken away. The first one counts: that of the standard keys. */
const homes: ReadonlyMap<string, KeyContext> = new Map(
  [...defaultBindings, ...presets.flatMap(({ bindings }) => bindings)]
    .toReversed()
    .map(({ command, context }) => [command, context]),
);

export function optionsOf(
  program: Program,
  commands: ReadonlyMap<string, { title: string; aliases: readonly string[]; inPalette: boolean }>,
): readonly KeyOption[] {
  const { keymap } = program.labelKeys;
  const options: KeyOption[] = [];
  const bound = new Set<string>();
  for (const context of keyPlaces) {
    for (const binding of keymap.bindings) {
      if (binding.context !== context) continue;
      const command = commands.get(binding.command);
      bound.add(binding.command);
      options.push({
        id: `${context} ${binding.keys}`,
        heading: placeNames[context],
        title: command?.title ?? binding.command,
        words: command?.aliases ?? [],
        strokes: parseKeys(binding.keys, keymap.apple),
        about: { type: 'key', binding },
      });
    }
  }
  const { preset } = choicesOf(program);
  for (const { keys, title } of preset.read) {
    const strokes = parseKeys(keys, keymap.apple);
    const said = { heading: `Read by ${preset.title}`, title, words: [preset.title], strokes };
    options.push({ id: `read ${keys}`, ...said, about: { type: 'read' } });
  }
  for (const [id, { title, aliases, inPalette }] of commands) {
    const context = inPalette ? null : homes.get(id);
    // What has no key in any set runs as the answer to something else.
    if (bound.has(id) || context === undefined) continue;
    const about = { type: 'unbound', command: id, context } as const;
    options.push({ id, heading: 'Without a key', title, words: aliases, strokes: [], about });
  }
  for (const { row } of allLabels(program.replica)) {
    const text = (row.fields.hotkey as string | undefined) ?? '';
    options.push({
      id: row.id,
      heading: 'Labels',
      title: labelName(row),
      words: ['label'],
      strokes: text === '' ? [] : parseKeys(text, keymap.apple),
      about: { type: 'label', label: row.id },
    });
  }
  return options;
}

/** `sought`: keys that were pressed; null: the words of `query` count. */
export function filtered(
  options: readonly KeyOption[],
  query: string,
  sought: readonly Stroke[] | null,
): readonly KeyOption[] {
  if (sought !== null)
    return sought.length === 0
      ? options.filter(({ strokes }) => strokes.length > 0)
      : options.filter(({ strokes }) => sought.every((stroke, at) => strokes[at] === stroke));
  if (query.trim() === '') return options;
  const isMeant = loosely(query);
  return options.filter(({ title, words, heading }) => isMeant([title, heading, ...words]));
}

const isSame = (a: KeyOptionView, b: KeyOptionView) =>
  a.title === b.title &&
  a.heading === b.heading &&
  a.isOwn === b.isOwn &&
  a.warning === b.warning &&
  a.caps.join(' ') === b.caps.join(' ');

/** `before`: lines that say what they said stay the same objects, so that only the others are drawn again. */
export function optionViews(
  shown: readonly KeyOption[],
  program: Program,
  { own, before }: Pick<KeyChoices, 'own'> & { readonly before: readonly KeyOptionView[] },
): readonly KeyOptionView[] {
  const { keymap } = program.labelKeys;
  const added = new Set(
    own.add.map(({ context, keys }) => `${context} ${parseKeys(keys, keymap.apple).join(' ')}`),
  );
  const known = new Map(before.map((view) => [view.id, view]));
  let heading = '';
  return shown.map((option) => {
    const isFirst = option.heading !== heading;
    ({ heading } = option);
    const { about, strokes } = option;
    const taken = takenBy(strokes, keymap.apple);
    const view: KeyOptionView = {
      id: option.id,
      heading: isFirst ? option.heading : null,
      title: option.title,
      caps: keymap.keycaps(strokes),
      isOwn: about.type === 'key' && added.has(`${about.binding.context} ${strokes.join(' ')}`),
      warning: taken === null ? null : warningOf(taken),
    };
    const old = known.get(view.id);
    return old && isSame(old, view) ? old : view;
  });
}
