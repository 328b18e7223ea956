// The only addresses that may become scripts: the service worker and the workers that run what people write or read what they import. The policy
// exists once on a page, which is why all ask here.
// oxlint-disable-next-line import/default -- the bundler makes it
import stretching from './account/stretch-worker.ts?worker&url';
// oxlint-disable-next-line import/default -- the bundler makes it
import expressions from './input/expression-worker.ts?worker&url';
// oxlint-disable-next-line import/default -- the bundler makes it
import imports from './importing/import-worker.ts?worker&url';
// oxlint-disable-next-line import/default -- the bundler makes it
import scripts from './scripts/script-worker.ts?worker&url';

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

export const SERVICE_WORKER = '/app/sw.js';
/** Address of the script in which `openReplacer` runs expressions, as the bundler gives it. */
export const EXPRESSION_WORKER: string = expressions;
/** Address of the script in which passphrases are stretched. */
export const STRETCH_WORKER: string = stretching;
/** Address of the script in which `openScripts` runs scripts of macros. The server gives it a policy of its own. */
export const SCRIPT_WORKER: string = scripts;
/** Address of the script in which `openImporter` reads files. The server gives it a policy of its own. */
export const IMPORT_WORKER: string = imports;

const ALLOWED: ReadonlySet<string> = new Set([
  SERVICE_WORKER,
  EXPRESSION_WORKER,
  SCRIPT_WORKER,
  IMPORT_WORKER,
  STRETCH_WORKER,
]);

let policy: ReturnType<TrustedTypes['createPolicy']> | null = null;

/** The address as browsers with Trusted Types require it. In those, any other address throws a TypeError. */
export function scriptUrl(url: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  if (!trustedTypes) return url;
  policy ??= trustedTypes.createPolicy('app', {
    createScriptURL(asked) {
      if (!ALLOWED.has(asked)) throw new TypeError('Only the workers of the app may be loaded as scripts.');
      return asked;
    },
  });
  return policy.createScriptURL(url);
}
