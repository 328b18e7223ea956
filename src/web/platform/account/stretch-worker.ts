// A worker of its own for passphrases: a guess at one has to take a second and more, and keys must not wait for it. What is stretched
// and how is core/sealing/wraps.ts.
import type { Result } from '#core/result.ts';
import type { AccountKey } from '#core/sealing/keys.ts';
import {
  leastStretching,
  openByPassphrase,
  wrapByPassphrase,
  type Passphrase,
  type WrapProblem,
} from '#core/sealing/wraps.ts';
import type { WorkerNews } from '../worker-news.ts';

export type StretchJob =
  | { readonly do: 'wrap'; readonly key: AccountKey; readonly passphrase: Passphrase }
  | { readonly do: 'open'; readonly wrapped: string; readonly passphrase: Passphrase };

export type StretchAnswer =
  | { readonly did: 'wrap'; readonly wrapped: string }
  | { readonly did: 'open'; readonly opened: Result<AccountKey, WrapProblem> };

const tell = (news: WorkerNews<StretchAnswer>) => postMessage(news);
const random = (bytes: Uint8Array) => void crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);

function wrapped(key: AccountKey, passphrase: Passphrase): string {
  try {
    return wrapByPassphrase(key, passphrase, random);
  } catch (error) {
    // A phone without memory for the usual stretching.
    if (!(error instanceof RangeError)) throw error;
    return wrapByPassphrase(key, { ...passphrase, stretching: leastStretching }, random);
  }
}

addEventListener('message', ({ data }: MessageEvent<StretchJob>) => {
  tell('begun');
  if (data.do === 'wrap') tell({ answer: { did: 'wrap', wrapped: wrapped(data.key, data.passphrase) } });
  else tell({ answer: { did: 'open', opened: openByPassphrase(data.wrapped, data.passphrase) } });
});

tell('ready');
