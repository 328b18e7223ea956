// The lines of the key editor: every key with its command, commands without a key, labels; and filtering them.
import type { Id } from '#core/ids.ts';
import type { KeyContext } from '../commands/command.ts';
import { hotkeyOf, labelName } from '../labels/catalog.ts';
import { allLabels } from '../labels/label-scopes.ts';
import type { Program } from '../app/program.ts';
import { loosely } from '../settings/matching.ts';
import { choicesOf, type KeyChoices } from './choices.ts';
import { warningOf } from './conflicts.ts';
import { defaultBindings } from './default-keymap.ts';
import type { KeyOptionView } from './editor-view.ts';
import type { Binding } from './keymap.ts';
import { keyPlaces, placeName } from './place-names.ts';
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
    /** `context`: the only one in which a key for it counts; null: every context of its kind. */
    | { readonly type: 'unbound'; readonly command: string; readonly context: KeyContext | null }
    /** A part of the preset's grammar: it cannot be changed alone. */
    | { readonly type: 'read' }
    /** A key of the preset's model that the preset lacks. */
    | { readonly type: 'absent' }
    | { readonly type: 'label'; readonly label: Id };
}

/**
 * The usual contexts of commands that only keys run, for binding them again after their keys were removed. The first
 * one counts: that of the standard keys.
 */
const homesOf = (ofParts: readonly Binding[]): ReadonlyMap<string, KeyContext> =>
  new Map(
    [...defaultBindings, ...ofParts, ...presets.flatMap(({ bindings }) => bindings)]
      .toReversed()
      .map(({ command, context }) => [command, context]),
  );

export function optionsOf(program: Program): readonly KeyOption[] {
  const { keymap, commands } = program;
  const options: KeyOption[] = [];
  const bound = new Set<string>();
  const bind = (contexts: Iterable<KeyContext>) => {
    for (const context of contexts) {
      for (const binding of keymap.bindings) {
        if (binding.context !== context) continue;
        const command = commands.get(binding.command);
        bound.add(binding.command);
        options.push({
          id: `${context} ${binding.keys}`,
          heading: placeName(context),
          title: command?.title ?? binding.command,
          words: command?.aliases ?? [],
          strokes: parseKeys(binding.keys, keymap.apple),
          about: { type: 'key', binding },
        });
      }
    }
  };
  const places = [...new Set([...keyPlaces, ...keymap.bindings.map(({ context }) => context)])];
  const isOfOneDialog = (context: KeyContext) => context.startsWith('dialog.');
  bind(places.filter((context) => !isOfOneDialog(context)));
  const { preset } = choicesOf(program);
  for (const { keys, title } of preset.read) {
    const strokes = parseKeys(keys, keymap.apple);
    const said = { heading: `${preset.title}’s own keys`, title, words: [preset.title], strokes };
    options.push({ id: `read ${keys}`, ...said, about: { type: 'read' } });
  }
  bind(places.filter(isOfOneDialog));
  for (const { keys, title } of preset.absent) {
    const heading = `Not in the ${preset.title} set`;
    for (const each of keys) {
      const strokes = parseKeys(each, keymap.apple);
      // An own key is bound to it.
      if (keymap.holderOf(['navigate'], strokes) !== null) continue;
      options.push({ id: `absent ${each}`, heading, title, words: [], strokes, about: { type: 'absent' } });
    }
  }
  const homes = homesOf(program.parts.keys);
  for (const [id, { title, aliases, inPalette }] of commands) {
    const context = inPalette ? null : homes.get(id);
    // A command without a key in any preset is run by another.
    if (bound.has(id) || context === undefined) continue;
    const about = { type: 'unbound', command: id, context } as const;
    options.push({ id, heading: 'Without a key', title, words: aliases, strokes: [], about });
  }
  for (const { row } of allLabels(program.replica)) {
    const text = hotkeyOf(program.replica, row) ?? '';
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

/** `sought`: pressed strokes; null: filters by the words of `query`. */
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

/** `before`: unchanged lines keep their objects, so that only the others are redrawn. */
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
