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

A task manager for people who keep their hands on the keyboard. Every action has a key and works offline. 99 of 100 keys finish
in under 50 milliseconds.

Runs on      the web, installed or not: Mac, iPhone, iPad, and any other system with an up-to-date browser
Price        free on a server of your own; hosted $48 a year (equals $4/mo) or $6 a month; two weeks free, no credit card, no restricted features
Devices      unlimited

Colors       airmail blue #0065CC, vermilion #CC2219, ink #181E29
The name     Posthaste: one word, one capital letter
The mark     Use it to write about Posthaste. Please don’t change its shape or colors.
`;

export function pressKit(): Buffer {
  const files: ZipEntry[] = FILES.filter(([, path]) => existsSync(join(ROOT, path))).map(([name, path]) => ({
    name,
    content: readFileSync(join(ROOT, path)),
  }));
  return zip([{ name: 'posthaste/facts.txt', content: Buffer.from(FACTS) }, ...files]);
}
