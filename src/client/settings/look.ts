// Turns the settings of appearance into attributes of the page's root and values of tokens. web/platform/look.ts
// applies them.
import { accentTokens } from './accent.ts';
import type { lookSettings } from './appearance.ts';
import { gradientProblem, readOwnTokens } from './own-look.ts';

type LookSettings = typeof lookSettings;

/** The values of the settings of appearance. */
export type Appearance = { readonly [Name in keyof LookSettings]: LookSettings[Name]['fallback'] };

/** The stored form for the next start, applied before anything else is loaded (public/theme-boot.js). */
export interface Look {
  /**
   * Values of `data-ph-<name>` attributes of the root, all that there can be; null: it is not there. A new one stands in
   * public/theme-boot.js and docs/themes.md too.
   */
  readonly marks: Readonly<Record<string, string | null>>;
  /** Values of custom properties of the root. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** `isSafe`: leaves out everything that could make the app unreadable. */
export function lookOf(said: Appearance, isSafe: boolean): Look {
  const gradient = !isSafe && gradientProblem(said.gradient) === null ? said.gradient.trim() : '';
  const marks = {
    theme: said.theme === 'auto' ? null : said.theme,
    density: said.density === 'comfortable' ? null : said.density,
    motion: said.motion === 'reduced' ? 'reduced' : null,
    status: said.statusBar === 'hidden' ? 'hidden' : null,
    gradient: gradient === '' ? null : '',
  };
  const size = said.fontSize === 100 ? {} : { '--ph-scale': `${said.fontSize}%` };
  if (isSafe) return { marks, tokens: size };
  return {
    marks,
    tokens: {
      ...size,
      ...(said.accent === '' ? {} : accentTokens(said.accent)),
      ...readOwnTokens(said.tokens).tokens,
      ...(gradient === '' ? {} : { '--ph-theme-gradient': gradient }),
    },
  };
}
