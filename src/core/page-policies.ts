// What the pages of the app may load and do (Content-Security-Policy): as the server says it with its files, and the desktop shells with theirs.

/** What a page has besides: each is a list of sources as the policy writes them, or empty. */
export interface PageSources {
  readonly scripts?: string;
  readonly styles?: string;
  /** Where it may connect to besides its own origin. */
  readonly connects?: string;
}

const also = (sources: string | undefined) => (sources === undefined || sources === '' ? '' : ` ${sources}`);

/** Of the app's page, its scripts and styles: workers take their policy from their own file. */
export function appPolicy({ scripts, styles, connects }: PageSources): string {
  return [
    "default-src 'none'",
    `script-src 'self'${also(scripts)}`,
    `style-src 'self'${also(styles)}`,
    "img-src 'self' blob:",
    "font-src 'self'",
    "media-src 'self' blob:",
    `connect-src 'self'${also(connects)}`,
    "worker-src 'self'",
    "frame-src 'none'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types app',
  ].join('; ');
}

/** Of the worker that runs scripts of macros: it may compile WebAssembly, and ask the network for nothing. */
export const scriptWorkerPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Of the worker that reads imported files: it may compile WebAssembly, and fetch files of the app. */
export const importWorkerPolicy = scriptWorkerPolicy.replace('; base-uri', "; connect-src 'self'; base-uri");
