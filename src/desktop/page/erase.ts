// The page that takes away everything that its profile stored on this machine, and then says so. Nobody else has it open by then.
import type { Desktop } from './bridge.ts';

const { desktop } = window as unknown as { readonly desktop: Desktop };

/** Begins the name of the database with the key of a disk (web/platform/disk-seal/disk-keys.ts). */
const KEY_OF = 'key-of-';

function removeDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.deleteDatabase(name);
    asked.addEventListener('success', () => resolve());
    asked.addEventListener('error', () => reject(asked.error ?? new Error(name)));
  });
}

async function removeFiles(): Promise<void> {
  // Engines without files of pages have none.
  const folder = await navigator.storage?.getDirectory?.().catch(() => null);
  if (!folder) return;
  const names: string[] = [];
  for await (const [name] of folder as unknown as AsyncIterable<[string, unknown]>) names.push(name);
  await Promise.all(names.map((name) => folder.removeEntry(name, { recursive: true })));
}

async function erase(): Promise<void> {
  const databases = await indexedDB.databases();
  // Each disk that is encrypted has a database that names its key.
  const disks = databases.flatMap(({ name = '' }) =>
    name.startsWith(KEY_OF) ? [name.slice(KEY_OF.length)] : [],
  );
  await Promise.all(disks.map((disk) => desktop.keychain.write(disk, null)));
  await Promise.all(databases.map(({ name = '' }) => removeDatabase(name)));
  await removeFiles();
  // Last: which databases are whose stands there.
  localStorage.clear();
  sessionStorage.clear();
}

erase().then(
  () => desktop.say({ type: 'erased' }),
  (error: unknown) => {
    const problem = document.querySelector('#problem');
    if (problem) problem.textContent = `Your tasks on this machine couldn’t be removed. ${String(error)}`;
  },
);
