// What the settings of appearance become on the page: marks on its root and values of tokens. Putting them there is
// web/platform/look.ts.
import { accentTokens } from './accent.ts';
import type { accent, density, fontSize, motion, statusBar, theme } from './appearance.ts';
import { gradientProblem, readOwnTokens } from './own-look.ts';

type Of<S extends { readonly fallback: unknown }> = S['fallback'];

export interface Appearance {
  readonly theme: Of<typeof theme>;
  readonly accent: Of<typeof accent>;
  readonly density: Of<typeof density>;
  readonly fontSize: Of<typeof fontSize>;
  readonly motion: Of<typeof motion>;
  readonly statusBar: Of<typeof statusBar>;
  readonly tokens: string;
  readonly gradient: string;
}

/** As it is kept for the next start, where it is shown before anything else is loaded (public/theme-boot.js). */
export interface Look {
  /** `data-ph-<name>` of the root. */
  readonly marks: Readonly<Record<string, string>>;
  /** Custom properties of the root. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** `isSafe`: without what could make the app unreadable. */
export function lookOf(said: Appearance, isSafe: boolean): Look {
  const marks = {
    ...(said.theme === 'auto' ? {} : { theme: said.theme }),
    ...(said.density === 'comfortable' ? {} : { density: said.density }),
    ...(said.motion === 'reduced' ? { motion: 'reduced' } : {}),
    ...(said.statusBar === 'hidden' ? { status: 'hidden' } : {}),
  };
  const size = said.fontSize === 100 ? {} : { '--ph-scale': `${said.fontSize}%` };
  if (isSafe) return { marks, tokens: size };
  const gradient = gradientProblem(said.gradient) === null ? said.gradient.trim() : '';
  return {
    marks: { ...marks, ...(gradient === '' ? {} : { gradient: '' }) },
    tokens: {
      ...size,
      ...(said.accent === '' ? {} : accentTokens(said.accent)),
      ...readOwnTokens(said.tokens).tokens,
      ...(gradient === '' ? {} : { '--ph-theme-gradient': gradient }),
    },
  };
}
