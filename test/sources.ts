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
  const dynamic = withoutComments(text).matchAll(/\bimport\s*\(\s*['"`]([^'"`]+)['"`]/g);
  return [...staticImportsOf(text), ...[...dynamic].flatMap((match) => match[1] ?? [])];
}

/** Those that a module has from its beginning; of types too. */
export function staticImportsOf(text: string): string[] {
  const code = withoutComments(text);
  const from = code.matchAll(/^\s*(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]/gm);
  const bare = code.matchAll(/^\s*import\s*['"]([^'"]+)['"]/gm);
  return [...from, ...bare].flatMap((match) => match[1] ?? []);
}

/** Sets of nodes that all lead to each other, larger ones first (R. Tarjan, Depth-first search and linear graph algorithms, 1972). */
export function circlesOf(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const [numbers, lowest] = [new Map<string, number>(), new Map<string, number>()];
  const [open, circles]: [string[], string[][]] = [[], []];
  const low = (node: string) => lowest.get(node) ?? Infinity;
  function visit(node: string): void {
    numbers.set(node, numbers.size);
    lowest.set(node, numbers.size - 1);
    open.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!numbers.has(next)) {
        visit(next);
        lowest.set(node, Math.min(low(node), low(next)));
      } else if (open.includes(next)) lowest.set(node, Math.min(low(node), numbers.get(next) ?? Infinity));
    }
    if (low(node) !== numbers.get(node)) return;
    const circle = open.splice(open.indexOf(node));
    if (circle.length > 1) circles.push(circle);
  }
  for (const node of edges.keys()) if (!numbers.has(node)) visit(node);
  return circles.toSorted((a, b) => b.length - a.length);
}
