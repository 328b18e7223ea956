// How good a new password looks while it is typed: by its length and by how much of it is repetition. Only a
// hint: the server decides which passwords may be set, and also knows the common ones.
import { passwordLength } from '#core/password.ts';

export interface Strength {
  /** 0: nothing to say, up to 4. */
  readonly level: 0 | 1 | 2 | 3 | 4;
  readonly text: string;
}

const FAIR_LEAST = 15;
const GOOD_LEAST = 20;

/** Characters that do not just repeat or count on from the one before: `aaaa` and `1234` have one. */
function freshCharacters(characters: readonly string[]): number {
  const codes = characters.map((character) => character.codePointAt(0) ?? 0);
  return codes.filter((code, at) => at === 0 || Math.abs(code - (codes[at - 1] ?? 0)) > 1).length;
}

export function strengthOf(password: string): Strength {
  const characters = [...password.normalize('NFC')];
  if (characters.length === 0) return { level: 0, text: '' };
  if (characters.length < passwordLength.least)
    return { level: 1, text: `Too short: at least ${passwordLength.least} characters.` };
  const fresh = freshCharacters(characters);
  const isVaried = new Set(characters).size >= passwordLength.least / 2 && fresh >= passwordLength.least / 2;
  if (!isVaried) return { level: 1, text: 'Weak: it repeats or counts up.' };
  if (fresh < FAIR_LEAST) return { level: 2, text: 'Fair: longer is better.' };
  if (fresh < GOOD_LEAST) return { level: 3, text: 'Good, unless it’s well known.' };
  return { level: 4, text: 'Strong, unless it’s well known.' };
}
