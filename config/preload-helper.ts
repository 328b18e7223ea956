// What the build puts around lazy imports: it sees to it that all scripts of a part can be had before they are imported
// (client/loading/fetch-ahead.ts says why). The one stylesheet is there from the beginning.
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const HELPER = '\0vite/preload-helper.js';
const FETCH_AHEAD = fileURLToPath(new URL('../src/client/loading/fetch-ahead.ts', import.meta.url));

/** The page names the scripts that it runs. */
const CODE = `
import { createFetchAhead } from __FETCH_AHEAD__;
const ahead = createFetchAhead({
  ask: (address) => fetch(address),
  folder: __BASE__ + 'assets/',
  isRunning: (name) => document.querySelector('[src$="/' + name + '"],[href$="/' + name + '"]') !== null,
});
export const __vitePreload = (load) => ahead.bring(ahead.lazyIn(String(load))).then(load);
`;

export function preloadHelper(base: string): Plugin {
  return {
    name: 'posthaste-preload-helper',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (id !== HELPER) return null;
      return CODE.replaceAll('__BASE__', JSON.stringify(base)).replace(
        '__FETCH_AHEAD__',
        JSON.stringify(FETCH_AHEAD),
      );
    },
  };
}

/** What the build names for each script: the page what it needs at once. Parts loaded later find their imports themselves. */
export const namedByThePage = (
  _file: string,
  names: string[],
  { hostType }: { readonly hostType: 'html' | 'js' },
): string[] => (hostType === 'html' ? names : []);
