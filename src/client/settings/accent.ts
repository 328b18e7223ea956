// Derives an accent color for both themes: as light or dark as readability on every background requires.
import { contrast, hexOfLch, type Lch, lchOf } from './contrast.ts';

const WHITE = '#ffffff';
/** `--ph-cursor` of the two themes (styles/tokens.css), the surface on which text has the least contrast. */
export const cursorColor = { light: '#eff1f5', dark: '#1e2228' };
const TEXT_RATIO = 4.6;
/** Contrast of lines and fills that are not text. */
const LINE_RATIO = 3.2;
const STEP = 0.005;

interface Wanted {
  readonly from: number;
  /** Direction of adjustment: lighter, or darker, until the contrast suffices. */
  readonly step: number;
  readonly on: readonly string[];
  readonly ratio: number;
}

function until(color: Lch, { from, step, on, ratio }: Wanted): string {
  let l = from;
  for (; l > 0.05 && l < 0.98; l += step) {
    const hex = hexOfLch({ ...color, l });
    if (on.every((other) => contrast(hex, other) >= ratio)) return hex;
  }
  return hexOfLch({ ...color, l });
}

/** Values of tokens, by name; `accent` is any `#rrggbb`. */
export function accentTokens(accent: string): Readonly<Record<string, string>> {
  const color = lchOf(accent);
  const tint = (l: number, most: number) => hexOfLch({ ...color, l, c: Math.min(color.c, most) });
  const selected = { light: tint(0.925, 0.04), dark: tint(0.315, 0.065) };
  const strong = { light: tint(0.885, 0.06), dark: tint(0.37, 0.09) };
  const fill = until(color, { from: Math.min(color.l, 0.56), step: -STEP, on: [WHITE], ratio: TEXT_RATIO });
  const dark = { ...color, c: Math.min(color.c, 0.15) };
  const onLight = { step: -STEP, on: [WHITE, cursorColor.light, selected.light] };
  const onDark = { step: STEP, on: [cursorColor.dark, selected.dark] };
  const pair = (light: string, other: string) => `light-dark(${light}, ${other})`;
  return {
    '--ph-accent': fill,
    '--ph-accent-hover': hexOfLch({ ...lchOf(fill), l: lchOf(fill).l - 0.06 }),
    '--ph-accent-text': pair(
      until(color, { ...onLight, from: 0.5, ratio: TEXT_RATIO }),
      until(dark, { ...onDark, from: 0.76, ratio: TEXT_RATIO }),
    ),
    '--ph-focus': pair(
      until(color, { ...onLight, from: 0.58, ratio: LINE_RATIO }),
      until(dark, { ...onDark, from: 0.7, ratio: LINE_RATIO }),
    ),
    '--ph-selected': pair(selected.light, selected.dark),
    '--ph-selected-strong': pair(strong.light, strong.dark),
  };
}
