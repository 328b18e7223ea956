// Checking and setting the key of a label.
import { settingId, type Id } from '#core/ids.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import type { Action } from '#sync/rows/operation.ts';
import { quoted } from '../text/editor.ts';
import { choicesOf } from '../keys/choices.ts';
import { collide } from '../keys/layers.ts';
import type { Program } from '../app/program.ts';
import { keySetting, labelName } from './catalog.ts';
import { strokesOf } from './label-keys.ts';

/** Why a label cannot have this key, as a sentence; null: it can. */
export function keyProblem(program: Program, text: string, label: Id): string | null {
  const { keymap, all } = program.labelKeys;
  const strokes = strokesOf(text, keymap.apple);
  if (strokes === null) return `${quoted(text)} isn’t a key. Type it like 1, Alt+1, or l h for a sequence.`;
  const caps = keymap.keycaps(strokes).join(' ');
  const command = keymap.holderOf(['navigate', 'global'], strokes);
  if (command !== null) return `${caps} is taken by “${program.titleOf(command) ?? command}”.`;
  const { preset } = choicesOf(program);
  const isRead = preset.takes.some((drop) => collide(strokesOf(drop.keys, keymap.apple) ?? [], strokes));
  if (isRead) return `${caps} is taken by the ${preset.title} keys.`;
  const keys = strokes.join(' ');
  for (const [other, id] of all) {
    const collides = other === keys || other.startsWith(`${keys} `) || keys.startsWith(`${other} `);
    if (id !== label && collides)
      return `${caps} is taken by the label ${quoted(labelName(program.replica.row(id)))}.`;
  }
  return null;
}

/** The action that sets one's own key of a label; an empty text removes it. Of a shared list's label it is a setting: the others have their own. */
export function hotkeyAction(replica: Pick<Replica, 'row' | 'scope'>, label: Id, text: string): Action {
  const value = text === '' ? null : text;
  const row = replica.row(label);
  if (row === undefined || row.scope === replica.scope)
    return { a: 'set', id: label, field: 'hotkey', value };
  const key = keySetting(label);
  const id = settingId(replica.scope, key);
  return replica.row(id) === undefined
    ? { a: 'create', id, type: 'setting', fields: { key, value } }
    : { a: 'set', id, field: 'value', value };
}
