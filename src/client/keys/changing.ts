// Changes to a person's own keys: adding a key, removing one, or resetting a command. Pure; choices.ts stores them.
import type { Binding } from './keymap.ts';
import { collide } from './layers.ts';
import type { OwnKeys } from './own-keys.ts';
import { parseKeys } from './stroke.ts';

const isSame = (a: { context: string; keys: string }, b: { context: string; keys: string }, apple: boolean) =>
  a.context === b.context && parseKeys(a.keys, apple).join(' ') === parseKeys(b.keys, apple).join(' ');

/** Removes a key: an own one is deleted, one of the preset is dropped. */
export function withoutKey({ add, drop }: OwnKeys, gone: Binding, apple: boolean): OwnKeys {
  const left = add.filter((own) => !isSame(own, gone, apple));
  const { context, keys } = gone;
  const isDropped = drop.some((known) => isSame(known, gone, apple));
  // An own key may hide one of the preset, which must not reappear.
  return { add: left, drop: isDropped ? drop : [...drop, { context, keys }] };
}

/** Adds a key, which replaces all that it collides with. */
export function withKey(own: OwnKeys, added: Binding, apple: boolean): OwnKeys {
  const strokes = parseKeys(added.keys, apple);
  const add = own.add.filter(
    ({ context, keys }) => context !== added.context || !collide(parseKeys(keys, apple), strokes),
  );
  const drop = own.drop.filter((known) => !isSame(known, added, apple));
  return { add: [...add, added], drop };
}

/** Resets a command's keys to the preset. */
export function resetCommand(
  own: OwnKeys,
  command: string,
  preset: readonly Binding[],
  apple: boolean,
): OwnKeys {
  const its = preset.filter((binding) => binding.command === command);
  const hides = (binding: Binding) =>
    its.some(
      (one) =>
        one.context === binding.context &&
        collide(parseKeys(one.keys, apple), parseKeys(binding.keys, apple)),
    );
  return {
    add: own.add.filter((binding) => binding.command !== command && !hides(binding)),
    drop: own.drop.filter((drop) => !its.some((one) => isSame(one, drop, apple))),
  };
}
