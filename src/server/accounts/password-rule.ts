// Which passwords may be set: 12 to 72 code points, none of the common ones, nothing derived from the address.
// Uses rules over a list of words instead of a list of leaked passwords, so that the decorations people add (capitals,
// years, "123!", look-alike letters, the word twice) are covered too. Signing in never checks this.
import { lengthProblem, passwordLength } from '#core/password.ts';
import { commonWords } from './common-words.ts';

export type PasswordProblem = {
  readonly type: 'tooShort' | 'tooLong' | 'unwritable' | 'common' | 'fromEmail';
  readonly message: string;
};

const problem = (type: PasswordProblem['type'], message: string): PasswordProblem => ({ type, message });

/** Control characters and unpaired surrogates: after pasting one nobody could type it again. */
const UNWRITABLE = /[\p{Cc}\p{Cs}]/u;

/** Why the password cannot be set, in words for the person; null: it can. */
export function passwordProblem(password: string, email: string): PasswordProblem | null {
  const normal = password.normalize('NFC');
  const length = [...normal].length;
  const wrongLength = lengthProblem(password);
  if (wrongLength !== null)
    return problem(length < passwordLength.least ? 'tooShort' : 'tooLong', wrongLength);
  if (UNWRITABLE.test(normal))
    return problem('unwritable', 'Your password has a character no keyboard can type. Leave it out.');
  if (isFromEmail(normal, email))
    return problem('fromEmail', 'This password is too close to your email address. Choose another one.');
  if (isCommon(normal))
    return problem('common', 'This password is too easy to guess. Try a few unrelated words.');
  return null;
}

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'g',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
  '+': 't',
  '€': 'e',
  '(': 'c',
  '£': 'l',
};

const plain = (text: string) => text.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '');
const lettersOf = (text: string) => text.replaceAll(/[^a-z]/g, '');
const unleeted = (text: string) =>
  lettersOf([...text].map((character) => LOOK_ALIKES[character] ?? character).join(''));

/** The word without its usual decorations, in all plausible readings. */
function readings(text: string): Set<string> {
  const bare = text.replace(/^[^a-z]+/, '').replace(/[^a-z]+$/, '');
  const oneReadAsL = text.replaceAll('1', 'l');
  return new Set([
    lettersOf(text),
    unleeted(text),
    unleeted(bare),
    unleeted(oneReadAsL),
    unleeted(oneReadAsL.replace(/[^a-z]+$/, '')),
  ]);
}

/** The shortest text that gives this one when repeated. */
function repeatedPart(text: string): string {
  const at = (text + text).indexOf(text, 1);
  return text.slice(0, at);
}

const WALKS: readonly string[] = [
  'abcdefghijklmnopqrstuvwxyz',
  '012345678901234567890',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '`1234567890-=',
  '!@#$%^&*()_+',
  '!"§$%&/()=?',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'a1b2c3d4e5f6g7h8i9j0',
  'zaq1xsw2cde3vfr4bgt5nhy6mju7',
  '147258369',
  '741852963',
  '159753',
  '14789632',
];

const reversed = (text: string) => [...text].toReversed().join('');
const ALL_WALKS: readonly string[] = WALKS.flatMap((walk) => [walk, reversed(walk)]);

/** The number of pieces that make up the text: keyboard walks (four characters or more) and single characters. */
function walkPieces(text: string): number {
  let pieces = 0;
  for (let at = 0; at < text.length; pieces += 1) {
    let longest = 1;
    for (const walk of ALL_WALKS) {
      let length = longest;
      while (at + length < text.length && walk.includes(text.slice(at, at + length + 1))) length += 1;
      if (length >= 3 && length > longest) longest = length;
    }
    at += longest;
  }
  return pieces;
}

const isDate = (text: string) =>
  /^(?:19|20)?\d{2}[^a-z0-9]?\d{1,2}[^a-z0-9]?(?:\d{1,2}|(?:19|20)\d{2})$/.test(text);

function isCommonWord(word: string): boolean {
  if (word.length < 3) return false;
  if (commonWords.has(word) || commonWords.has(repeatedPart(word)) || commonWords.has(reversed(word)))
    return true;
  // Two words of the list, or a plural, written together.
  for (let cut = 3; cut <= word.length - 1; cut += 1) {
    if (!commonWords.has(word.slice(0, cut))) continue;
    const rest = word.slice(cut);
    if (rest === 's' || commonWords.has(rest)) return true;
  }
  return false;
}

function isCommon(password: string): boolean {
  const text = plain(password);
  const part = repeatedPart(text);
  if (part.length <= 3 || new Set(text).size <= 3) return true;
  // Repeating a common password makes it no better.
  if (part.length < text.length && isCommon(part)) return true;
  if (/^[\d\W_]+$/.test(text) && (text.length < 10 || isDate(text))) return true;
  if (walkPieces(part) <= Math.max(2, Math.floor(part.length / 5))) return true;
  const letters = lettersOf(text);
  // A common word dominates the password unless it has at least eight other independent characters.
  return [...readings(text)].some(
    (reading) => isCommonWord(reading) && text.length - Math.max(letters.length, reading.length) < 8,
  );
}

function isFromEmail(password: string, email: string): boolean {
  const address = plain(email);
  const text = plain(password);
  if (text === address) return true;
  const parts = [...address.split(/[@.+_-]/), address.split('@')[0] ?? ''].filter((part) => part.length >= 4);
  return parts.some((part) => text.includes(part) && text.length - part.length < 6);
}
