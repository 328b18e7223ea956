// How people are shown to each other: initials, one emoji, a color. What of it is a person's own choice is their profile.

/** Colors of people, `#rrggbb`; each account begins with one of them. */
export const personColors = [
  '#3679e7',
  '#228e40',
  '#c46016',
  '#8e61eb',
  '#078b80',
  '#d64295',
  '#a27409',
  '#e2403a',
  '#0386b1',
  '#808016',
  '#9d7360',
  '#5b6ee1',
  '#3b8d68',
  '#b5528c',
  '#7a6fb0',
  '#6b7a8f',
] as const;

/** Initials have so many characters at most. */
const MOST_INITIALS = 2;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The characters of a text as a reader counts them. */
export function charactersOf(text: string): readonly string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Whether a text may be somebody's initials: one or two characters as a reader counts them, none of them blank. */
export function areInitials(text: string): boolean {
  const characters = charactersOf(text);
  return characters.length >= 1 && characters.length <= MOST_INITIALS && !/\s/u.test(text);
}

/** Whether a text is exactly one emoji. */
export function isOneEmoji(text: string): boolean {
  return /^\p{RGI_Emoji}$/v.test(text);
}

/** The initials of a name: of its first word and of its last. `?` where it has none. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== '');
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  const initials = ends
    .map((word) => charactersOf(word ?? '')[0]?.toUpperCase() ?? '')
    .map((letter) => charactersOf(letter)[0] ?? '')
    .join('');
  // A character may be made of many: what is stored has a limit.
  return initials === '' || [...initials].length > 8 ? '?' : initials;
}

/** A name for somebody of whom only the e-mail address is known. */
export function nameFromEmail(email: string): string {
  const local = email.slice(0, Math.max(0, email.lastIndexOf('@'))).replace(/\+.*$/s, '');
  const words = local.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ');
  return [...name].slice(0, 100).join('');
}
