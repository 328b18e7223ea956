// Cuts the app into files: what the page loads at once, what every key may need right after ("commands"), what sync
// needs ("sync"), all else ("rest"), and one file for each heavy library with the code that cannot run without it. Decision
// 0019 has the figures.
import type { Plugin } from 'vite';

/** Files and the heavy libraries in them. Code that needs libraries of several files goes to the first of those. */
const HEAVY: readonly (readonly [file: string, library: RegExp])[] = [
  ['sealing', /@noble[\\/](?:curves|hashes)/],
  ['editor', /@codemirror/],
  ['markdown', /@lezer/],
  ['merging', /yjs|lib0/],
  ['tables', /papaparse|sax/],
  ['passkeys', /@simplewebauthn/],
  ['qr', /^qr$/],
  ['text-diff', /diff-match-patch-es/],
  ['temporal', /temporal-polyfill|temporal-spec/],
];
/** React changes rarely and is needed at once: its own file stays cached while the app's changes. */
const REACT = /^(?:react|react-dom|scheduler)$/;

/** Wanted as soon as the first screen stands: what these modules load, and these modules. */
const LOADERS =
  /src[\\/](?:client[\\/](?:loading[\\/]rest|pickers[\\/]lazy|search[\\/](?:language|searching))|web[\\/]views[\\/](?:rest-views|dialog-host))\.tsx?$/;
const SOON =
  /src[\\/]web[\\/](?:after-start|platform[\\/](?:look|worker-registration|input[\\/](?:hardcore|touch)|storage[\\/]housekeeping))\.ts$/;

/** What these load is wanted as soon as there is an account, and brings the library that checks messages. */
const SYNC = /src[\\/](?:sync[\\/]|web[\\/]platform[\\/](?:account[\\/]network|late-checks))/;

/** What an encrypted disk needs before its first row. */
const DISK = /src[\\/]web[\\/]platform[\\/]disk-seal[\\/]other-disks\.ts$/;
/** Small parts of it that others need, too: they come without the rest of it. */
const DISK_PARTS =
  /src[\\/](?:core[\\/]sealing[\\/]bytes|web[\\/]platform[\\/](?:disk-seal[\\/](?:open-disks|record|disk-keys)|storage[\\/]side-database))\.ts$/;

const LIBRARY = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/;

/** Fills the map from a module's id to the name of its file when all modules have been read, before they are cut. */
export function chunks(names: Map<string, string>): Plugin {
  return {
    name: 'posthaste-chunks',
    apply: 'build',
    buildEnd() {
      const ids = [...this.getModuleIds()];
      const importsOf = (id: string) => this.getModuleInfo(id)?.importedIds ?? [];
      const libraryOf = (id: string) => LIBRARY.exec(id)?.[1] ?? null;
      const heavyIn = (id: string) => {
        const library = libraryOf(id);
        return HEAVY.find(([, pattern]) => library !== null && pattern.test(library))?.[0];
      };
      const entries = ids.filter((id) => this.getModuleInfo(id)?.isEntry === true);
      const first = reach(
        entries.filter((id) => id.endsWith('.html')),
        importsOf,
      );
      // Programs of their own, which the browser keeps by name: the service worker and what removes it.
      const others = reach(
        entries.filter((id) => !first.has(id)),
        importsOf,
      );
      const after = reach(
        [
          ...ids.filter((id) => SOON.test(id)),
          ...ids
            .filter((id) => LOADERS.test(id))
            .flatMap((id) => this.getModuleInfo(id)?.dynamicallyImportedIds ?? []),
        ],
        importsOf,
      );
      const sync = reach(
        ids
          .filter((id) => SYNC.test(id))
          .flatMap((id) => this.getModuleInfo(id)?.dynamicallyImportedIds ?? []),
        importsOf,
      );
      const disk = reach(
        ids.filter((id) => DISK.test(id)),
        importsOf,
      );
      for (const id of ids) {
        const library = libraryOf(id);
        if (library !== null && REACT.test(library)) names.set(id, 'react');
        else if (first.has(id)) names.set(id, 'app');
        else if (!others.has(id)) {
          const heavy = new Set([...reach([id], importsOf)].map(heavyIn));
          const usual = disk.has(id)
            ? DISK_PARTS.test(id)
              ? 'disk-parts'
              : 'disk'
            : after.has(id)
              ? 'commands'
              : sync.has(id)
                ? 'sync'
                : 'rest';
          names.set(id, HEAVY.find(([file]) => heavy.has(file))?.[0] ?? usual);
        }
      }
    },
  };
}

/** These modules and what they import statically, directly or not. */
function reach(from: readonly string[], importsOf: (id: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set(from);
  for (const id of found) for (const imported of importsOf(id)) found.add(imported);
  return found;
}
