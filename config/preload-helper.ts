// What the build puts around lazy imports: it brings the stylesheets of a part before the part itself, and sees to it that
// all its scripts can be had before they are imported (client/loading/fetch-ahead.ts says why).
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const HELPER = '\0vite/preload-helper.js';
const FETCH_AHEAD = fileURLToPath(new URL('../src/client/loading/fetch-ahead.ts', import.meta.url));

/** Each stylesheet once; one that cannot be had is asked for again by the next import. The page names the scripts it runs. */
const CODE = `
import { createFetchAhead } from __FETCH_AHEAD__;
const sheets = new Map();
const bring = (href) =>
  new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.onload = resolve;
    link.onerror = () => {
      sheets.delete(href);
      link.remove();
      reject(new Error(href));
    };
    document.head.append(link);
  });
const ahead = createFetchAhead({
  ask: (address) => fetch(address),
  folder: __BASE__ + 'assets/',
  isRunning: (name) => document.querySelector('[src$="/' + name + '"],[href$="/' + name + '"]') !== null,
});
export const __vitePreload = (load, files = []) => {
  for (const file of files) {
    const href = __BASE__ + file;
    if (!sheets.has(href))
      sheets.set(href, document.querySelector('link[href="' + href + '"]') ? null : bring(href));
  }
  const scripts = ahead.bring(ahead.lazyIn(String(load)));
  return Promise.all([scripts, ...files.map((file) => sheets.get(__BASE__ + file))]).then(load);
};
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

/** What the helper is given: stylesheets alone, since it finds scripts in what it fetches. */
export const bringsStylesheets = (
  _file: string,
  dependencies: string[],
  { hostType }: { readonly hostType: 'html' | 'js' },
): string[] => (hostType === 'html' ? dependencies : dependencies.filter((name) => name.endsWith('.css')));
