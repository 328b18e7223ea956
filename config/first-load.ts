// Finds the modules that are loaded with the page: whatever the app's entry imports statically, directly or not.
import type { Plugin } from 'vite';

/** Fills the set when all modules have been read, before they are cut into files. */
export function firstLoad(found: Set<string>): Plugin {
  return {
    name: 'posthaste-first-load',
    apply: 'build',
    buildEnd() {
      const waiting = [...this.getModuleIds()].filter(
        (id) => this.getModuleInfo(id)?.isEntry === true && id.endsWith('.html'),
      );
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (found.has(id)) continue;
        found.add(id);
        waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []));
      }
    },
  };
}
