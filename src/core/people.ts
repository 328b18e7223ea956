// How a person is shown to others: initials or one emoji on a color. The one place of these rules, for the server that keeps
// a profile and for the app that changes and draws it.

/** What an avatar is drawn from. */
export interface Avatar {
  readonly initials: string;
  /** Shown instead of the initials. */
  readonly emoji: string | null;
  /** `#rrggbb`. */
  readonly color: string;
}

/** What decides where a person stands among those of a list. */
export interface MemberRank {
  readonly account: number;
  readonly role?: string;
  readonly joinedAt?: number;
}

/** The owner of a list first, then in the order of joining. */
export function inMemberOrder(a: MemberRank, b: MemberRank): number {
  const rank = ({ role }: MemberRank) => (role === 'owner' ? 0 : 1);
  return rank(a) - rank(b) || (a.joinedAt ?? 0) - (b.joinedAt ?? 0) || a.account - b.account;
}

/**
 * The colors to choose from, `#rrggbb`: apart enough from each other that two people in a list are told apart, and neither blue, which is
 * what you have selected yourself, nor red, which is overdue.
 */
export const personColors = [
  '#7d6b99',
  '#a04f9b',
  '#008a5e',
  '#bd5b00',
  '#7a4fe0',
  '#00808a',
  '#6b8068',
  '#6f7300',
  '#cc2f84',
  '#8b5e46',
  '#5b687d',
  '#946a00',
  '#c51fd1',
  '#5f86d9',
  '#b5657a',
  '#4f8f1f',
] as const;

const COLOR_NAMES: Readonly<Record<string, string>> = {
  '#7d6b99': 'Heather',
  '#6b8068': 'Sage',
  // These two were given before: blue is the person’s own selection now, red what is overdue.
  '#0063cf': 'Blue',
  '#a04f9b': 'Plum',
  '#008a5e': 'Green',
  '#bd5b00': 'Orange',
  '#7a4fe0': 'Violet',
  '#00808a': 'Teal',
  '#c9352b': 'Red',
  '#6f7300': 'Olive',
  '#cc2f84': 'Pink',
  '#8b5e46': 'Brown',
  '#5b687d': 'Slate',
  '#946a00': 'Gold',
  '#c51fd1': 'Fuchsia',
  '#5f86d9': 'Sky',
  '#b5657a': 'Rose',
  '#4f8f1f': 'Leaf',
};

/** What a color is called; the value itself for one that is not among those to choose from. */
export const personColorName = (color: string): string => COLOR_NAMES[color] ?? color;

/** Initials of a person at most, in characters as a reader counts them. */
export const mostInitials = 2;

/** Code points of stored initials. */
const MOST_POINTS = 8;

/** Control and format characters, other than the two that join letters and emoji. */
const UNSEEN = /[^\P{C}\u200c\u200d]/gu;

const words = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The characters of a text as a reader counts them. */
const charactersOf = (text: string): readonly string[] =>
  [...words.segment(text)].map(({ segment }) => segment);

const cleaned = (text: string) => text.normalize('NFC').replaceAll(UNSEEN, '').trim();

/** Initials of a name: of its first and its last word, or its first two characters where it is one word. Empty for an empty name. */
export function initialsOf(name: string): string {
  const parts = cleaned(name)
    .split(/[\s._-]+/)
    .map((part) => charactersOf(part).filter((character) => /[\p{L}\p{N}]/u.test(character)))
    .filter((part) => part.length > 0);
  const first = parts[0] ?? [];
  const last = parts.length > 1 ? (parts.at(-1) ?? []) : first.slice(1);
  const initials = `${first[0] ?? ''}${last[0] ?? ''}`.toUpperCase();
  // One character may be made of many: what is stored has a limit.
  return [...initials].length > MOST_POINTS ? '' : initials;
}

/** Initials as a person gives them, made clean; null: more than two characters. Empty: those of the name are wanted. */
export function readInitials(text: string): string | null {
  const initials = cleaned(text).replaceAll(/\s+/g, '');
  const isShort = charactersOf(initials).length <= mostInitials && [...initials].length <= MOST_POINTS;
  return isShort ? initials : null;
}

/** Whether a text may be kept as somebody's initials: clean, of one or two characters. */
export function areInitials(text: string): boolean {
  return text !== '' && readInitials(text) === text.normalize('NFC');
}

/** The emoji as it is kept; null: it is not exactly one. */
export function readEmoji(text: string): string | null {
  const emoji = text.trim();
  // Made here and not written as a literal: a browser that does not know the flag would not read the file at all.
  return new RegExp('^\\p{RGI_Emoji}$', 'v').test(emoji) ? emoji : null;
}

/** Whether a text is exactly one emoji, and nothing else. */
export const isOneEmoji = (text: string): boolean => readEmoji(text) === text;

/** A name to begin with, from an e-mail address: `ann.example@…` gives “Ann Example”. */
export function nameFromEmail(email: string): string {
  const [local = ''] = email.split('@');
  const parts = (local.split('+')[0] ?? '').split(/[._-]+/).filter((part) => part !== '');
  return cleaned(parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join(' '));
}

/** A color to begin with. `account`: its number; the same one gives the same color. */
export function firstColor(account: number): string {
  // The numbers of accounts are random; neighbors need not differ.
  return personColors[Math.abs(account) % personColors.length] ?? personColors[0];
}

/**
 * The colors of people in one list, in the order in which they came: who comes with a color that somebody has already gets
 * the first free one. Once all are taken, everybody keeps their own.
 */
export function colorsApart(own: readonly string[]): readonly string[] {
  const taken = new Set(own);
  const had = new Set<string>();
  return own.map((color) => {
    const isFirst = had.size < had.add(color).size;
    const free = isFirst ? undefined : personColors.find((other) => !taken.has(other));
    if (free !== undefined) taken.add(free);
    return free ?? color;
  });
}

/** Brightness of a color to the eye, from 0 to 1 (WCAG 2.2, relative luminance). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Black or white, whichever reads better on the color; its contrast is 4.5:1 or more on any color. */
export function inkOn(color: string): '#000000' | '#ffffff' {
  const luminance = luminanceOf(color);
  return (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) ? '#000000' : '#ffffff';
}

/** What stands in the avatar: the emoji, the initials, or a question mark where there are neither. */
export function avatarText({ emoji, initials }: Pick<Avatar, 'emoji' | 'initials'>): string {
  return emoji ?? (initials === '' ? '?' : initials);
}
