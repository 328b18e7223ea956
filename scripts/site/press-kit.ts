// The press kit: mark, wordmark, pictures of the app, and the facts, as one archive.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../files.ts';
import { type ZipEntry, zip } from './zip.ts';

const FILES: readonly (readonly [name: string, path: string])[] = [
  ['posthaste/mark.svg', 'src/web/public/icons/icon.svg'],
  ['posthaste/mark-512.png', 'src/web/public/icons/icon-512.png'],
  ['posthaste/app-light.png', 'docs/images/app-light.png'],
  ['posthaste/app-dark.png', 'docs/images/app-dark.png'],
];

const FACTS = `Posthaste
=========

A task manager for people who keep their hands on the keyboard. Every action has a key, works without a network, and is on the
screen before the next key goes down.

Runs on      Mac (macOS 12 Monterey or newer), iPhone and iPad, the web
Price        $48 a year (equals $4/mo) or $6 a month; two weeks free, no card, no restricted features
Devices      unlimited

Colours      airmail blue #0065CC, vermilion #CC2219, ink #181E29
The name     Posthaste: one word, one capital letter
The mark     may be used to write about Posthaste; please leave its shape and colours as they are
`;

export function pressKit(): Buffer {
  const files: ZipEntry[] = FILES.filter(([, path]) => existsSync(join(ROOT, path))).map(([name, path]) => ({
    name,
    content: readFileSync(join(ROOT, path)),
  }));
  return zip([{ name: 'posthaste/facts.txt', content: Buffer.from(FACTS) }, ...files]);
}
