// Security headers by kind of answer. Pages and their files get the app's policy, everything else may do nothing at all.
import { createHash } from 'node:crypto';
import { appPolicy, importWorkerPolicy, scriptWorkerPolicy } from '#core/page-policies.ts';
import type { Inline } from './route.ts';

export type HeaderKind =
  /** The app's page, scripts and styles: workers take their policy from their own file. */
  | 'app'
  /** The worker that runs scripts of macros: it may compile WebAssembly, and ask the network for nothing. */
  | 'script-worker'
  /** The worker that reads imported files: it may compile WebAssembly, and fetch files of the app. */
  | 'import-worker'
  /** JSON and text for programs. */
  | 'data';

const digestOf = (text: string | null | undefined) =>
  text === null || text === undefined ? '' : `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const pagePolicy = (origin: string, inline: Inline | undefined) =>
  appPolicy({
    scripts: digestOf(inline?.script),
    styles: digestOf(inline?.style),
    connects: origin.replace(/^http/, 'ws'),
  });

const DATA_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

function policyOf(kind: HeaderKind, origin: string, inline: Inline | undefined): string {
  if (kind === 'app') return pagePolicy(origin, inline);
  if (kind === 'import-worker') return importWorkerPolicy;
  return kind === 'script-worker' ? scriptWorkerPolicy : DATA_POLICY;
}

/** What a page is besides its kind: `inline` stands in the page itself; `hasCamera`: it may ask for the camera. */
export interface PageNeeds {
  readonly inline?: Inline | undefined;
  readonly hasCamera?: boolean;
}

/** `origin`: that of the page. Those of data are the same for all answers, so they are made once. */
export function securityHeaders(
  kind: HeaderKind,
  origin: string,
  needs: PageNeeds = {},
): Readonly<Record<string, string>> {
  if (kind !== 'data' || needs.hasCamera === true) return headersFor(kind, origin, needs);
  return origin.startsWith('https:')
    ? (ofSecureData ??= headersFor(kind, origin, needs))
    : (ofPlainData ??= headersFor(kind, origin, needs));
}

let ofSecureData: Readonly<Record<string, string>> | undefined;
let ofPlainData: Readonly<Record<string, string>> | undefined;

function headersFor(
  kind: HeaderKind,
  origin: string,
  { inline, hasCamera = false }: PageNeeds,
): Readonly<Record<string, string>> {
  return {
    'content-security-policy': policyOf(kind, origin, inline),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': kind === 'app' ? 'strict-origin-when-cross-origin' : 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': `camera=(${hasCamera ? 'self' : ''}), microphone=(), geolocation=(), usb=(), payment=()`,
    ...(origin.startsWith('https:')
      ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }
      : {}),
  };
}
