// A custom look: values for the documented tokens, and one gradient. The syntax is strict, so that the text can neither
// fetch anything nor contain more than a value.

type Kind = 'color' | 'length' | 'font';

/** Every token that can be customized, with its kind of value. docs/themes.md explains them. */
export const ownTokens: Readonly<Record<string, Kind>> = {
  '--ph-bg': 'color',
  '--ph-surface': 'color',
  '--ph-sunken': 'color',
  '--ph-raised': 'color',
  '--ph-hover': 'color',
  '--ph-cursor': 'color',
  '--ph-selected': 'color',
  '--ph-selected-strong': 'color',
  '--ph-nav': 'color',
  '--ph-border-faint': 'color',
  '--ph-border': 'color',
  '--ph-border-strong': 'color',
  '--ph-guide': 'color',
  '--ph-text': 'color',
  '--ph-text-muted': 'color',
  '--ph-text-subtle': 'color',
  '--ph-accent': 'color',
  '--ph-accent-hover': 'color',
  '--ph-accent-text': 'color',
  '--ph-accent-bg': 'color',
  '--ph-on-accent': 'color',
  '--ph-focus': 'color',
  '--ph-today': 'color',
  '--ph-done': 'color',
  '--ph-done-mark': 'color',
  '--ph-strike': 'color',
  '--ph-danger': 'color',
  '--ph-danger-text': 'color',
  '--ph-danger-bg': 'color',
  '--ph-warn-text': 'color',
  '--ph-warn-bg': 'color',
  '--ph-success-text': 'color',
  '--ph-success-bg': 'color',
  '--ph-info-text': 'color',
  '--ph-keycap-text': 'color',
  '--ph-keycap-bg': 'color',
  '--ph-indent': 'length',
  '--ph-measure': 'length',
  '--ph-rail': 'length',
  '--ph-radius-control': 'length',
  '--ph-radius-row': 'length',
  '--ph-radius-dialog': 'length',
  '--ph-font': 'font',
  '--ph-mono': 'font',
};

const PLAIN_COLOR =
  /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]{3,24}|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\([0-9a-z.,%/ +-]{1,60}\))$/i;
const LENGTH = /^\d{1,4}(?:\.\d{1,3})?(?:px|rem|em)$/i;
const FONT = /^[\p{L}\d ,'"_-]{1,200}$/u;
const MOST_CHARACTERS = 4_000;

function isColor(value: string): boolean {
  const pair = /^light-dark\(([^()]*(?:\([^()]*\))?[^()]*),([^()]*(?:\([^()]*\))?[^()]*)\)$/i.exec(value);
  if (!pair) return PLAIN_COLOR.test(value);
  return splitTop(value.slice('light-dark('.length, -1)).every((part) => PLAIN_COLOR.test(part.trim()));
}

/** Splits at commas outside of brackets. */
function splitTop(text: string): string[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}

const fits: Readonly<Record<Kind, (value: string) => boolean>> = {
  color: isColor,
  length: (value) => LENGTH.test(value),
  font: (value) => FONT.test(value),
};

const WANTED: Readonly<Record<Kind, string>> = {
  color: 'a color, such as #1a3252 or light-dark(#fff, #14171d)',
  length: 'a length, such as 6px or 0.5rem',
  font: 'font names, such as Inter, sans-serif',
};

export interface OwnTokens {
  readonly tokens: Readonly<Record<string, string>>;
  /** The first error, as a sentence; null: there is none. */
  readonly problem: string | null;
}

/** Reads `name: value` lines. Names may omit `--ph-`; lines may end with a semicolon. */
export function readOwnTokens(text: string): OwnTokens {
  const tokens: Record<string, string> = {};
  if (text.length > MOST_CHARACTERS)
    return { tokens, problem: `That’s longer than ${MOST_CHARACTERS} characters.` };
  for (const [index, line] of text.split('\n').entries()) {
    const said = line.trim().replace(/;$/, '').trim();
    if (said === '') continue;
    const colon = said.indexOf(':');
    const given = said.slice(0, Math.max(0, colon)).trim();
    const name = given.startsWith('--ph-') ? given : `--ph-${given}`;
    const value = said.slice(colon + 1).trim();
    const kind = Object.hasOwn(ownTokens, name) ? ownTokens[name] : undefined;
    const where = `Line ${index + 1}: `;
    if (colon < 1)
      return { tokens: {}, problem: `${where}write a name, a colon and a value, such as accent: #8e61eb.` };
    if (kind === undefined) return { tokens: {}, problem: `${where}there’s no token “${given}”.` };
    if (!fits[kind](value)) return { tokens: {}, problem: `${where}${given} needs ${WANTED[kind]}.` };
    tokens[name] = value;
  }
  return { tokens, problem: null };
}

const GRADIENT = /^(?:repeating-)?(?:linear|radial|conic)-gradient\([0-9a-z#.,%()/ +-]{1,600}\)$/i;
const CALLS = /[a-z-]+(?=\()/gi;
const INSIDE = new Set(['rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'lab', 'lch', 'oklab', 'oklch', 'light-dark']);

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Null for a valid gradient or an empty text; else the error. */
export function gradientProblem(text: string): string | null {
  const value = text.trim();
  if (value === '') return null;
  const problem =
    'Write gradients as in the background-image property, such as linear-gradient(135deg, #d7e8ff, #ffebe8).';
  if (!isBalanced(value)) return problem;
  for (const part of splitTop(value)) {
    const gradient = part.trim();
    if (!GRADIENT.test(gradient)) return problem;
    const [, ...inner] = gradient.match(CALLS) ?? [];
    if (inner.some((name) => !INSIDE.has(name.toLowerCase()))) return problem;
  }
  return null;
}
