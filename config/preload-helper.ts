// What the build puts around lazy imports: it brings the stylesheets of a part before the part itself. Ours is that alone;
// the usual one also lists scripts, which the service worker has anyway.
import type { Plugin } from 'vite';

const HELPER = '\0vite/preload-helper.js';

/** Each stylesheet once; one that cannot be had is asked for again by the next import, as the script itself is. */
const CODE = `
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
export const __vitePreload = (load, files = []) => {
  for (const file of files) {
    const href = __BASE__ + file;
    if (!sheets.has(href))
      sheets.set(href, document.querySelector('link[href="' + href + '"]') ? null : bring(href));
  }
  return Promise.all(files.map((file) => sheets.get(__BASE__ + file))).then(load);
};
`;

export function preloadHelper(base: string): Plugin {
  return {
    name: 'posthaste-preload-helper',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      return id === HELPER ? CODE.replaceAll('__BASE__', JSON.stringify(base)) : null;
    },
  };
}
