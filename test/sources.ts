// Reads the project's own source text for the tests that check its shape. It reads with regular expressions, not with a parser:
// that is fast, and the few forms they cannot tell apart do not occur in formatted code.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

export interface Source {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Every file of these kinds under a folder of the repository, sorted; an absent folder holds none. */
export function readSources(folder: string, kinds: RegExp): Source[] {
  const full = join(ROOT, folder);
  if (!existsSync(full)) return [];
  return readdirSync(full, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => kinds.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

/** The text without comments, line by line as before; a comment sign inside a string only hides the rest of that line. */
export function withoutComments(text: string): string {
  const blocks = text.replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ''));
  return blocks.replaceAll(/(^|[\s;,{}()])\/\/.*$/gm, '$1');
}

/** What a file imports or re-exports, types and dynamic imports included. */
export function importsOf(text: string): string[] {
  const code = withoutComments(text);
  const from = code.matchAll(/^\s*(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]/gm);
  const bare = code.matchAll(/^\s*import\s*['"]([^'"]+)['"]/gm);
  const dynamic = code.matchAll(/\bimport\s*\(\s*['"`]([^'"`]+)['"`]/g);
  return [...from, ...bare, ...dynamic].flatMap((match) => match[1] ?? []);
}
