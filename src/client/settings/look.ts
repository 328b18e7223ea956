// Turns the settings of appearance into attributes of the page's root and values of tokens. web/platform/look.ts
// applies them.
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

/** The stored form for the next start, applied before anything else is loaded (public/theme-boot.js). */
export interface Look {
  /** Values of `data-ph-<name>` attributes of the root. */
  readonly marks: Readonly<Record<string, string>>;
  /** Values of custom properties of the root. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** `isSafe`: leaves out everything that could make the app unreadable. */
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
