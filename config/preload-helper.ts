// What the build puts around lazy imports: it sees to it that all scripts of a part can be had before they are imported
// (client/loading/fetch-ahead.ts says why). The one stylesheet is there from the beginning.
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const ASSETS = 'assets/';
/** The first load of the app (chunks.ts). */
const RUNNING = /^(?:index|react|rolldown-runtime)-/;
const HELPER = '\0vite/preload-helper.js';
const FETCH_AHEAD = fileURLToPath(new URL('../src/client/loading/fetch-ahead.ts', import.meta.url));

/** A lazy import has no names if its code ended up in a file that is loaded anyway. */
const CODE = `
import { createFetchAhead } from __FETCH_AHEAD__;
const bring = createFetchAhead((name) => fetch(__FOLDER__ + name + '.js'));
export const __vitePreload = (load, names = []) => bring(names).then(load);
`;

/** `base`: where the files of the build stand, with a slash at its end. */
export function preloadHelper(base: string): Plugin {
  return {
    name: 'posthaste-preload-helper',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (id !== HELPER) return null;
      return CODE.replace('__FOLDER__', JSON.stringify(`${base}${ASSETS}`)).replace(
        '__FETCH_AHEAD__',
        JSON.stringify(FETCH_AHEAD),
      );
    },
  };
}

/**
 * The scripts that the build lists for a page or a lazy import. A page: what its script imports. A lazy import: the script and what that
 * imports, except the first load. Folder and ending are left out to keep the first load small; the helper adds them.
 */
export const neededScripts = (
  file: string,
  names: string[],
  { hostType }: { readonly hostType: 'html' | 'js' },
): string[] =>
  hostType === 'html'
    ? names
    : (names.length > 0 ? names : [file])
        .map((name) => name.slice(ASSETS.length, -'.js'.length))
        .filter((name) => !RUNNING.test(name));
