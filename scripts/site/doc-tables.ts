// Tables that guides take from the documents of the repository and from the sets of keys, so that nothing is written twice.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '#client/commands/registry.ts';
import { placeName } from '#client/keys/place-names.ts';
import { presetOf } from '#client/keys/presets.ts';
import { FIGURES_TABLE } from '#site/content/figures.ts';
import { ROOT } from '../files.ts';
import type { Table } from './key-data.ts';

/** The first table below a heading whose head begins with this cell, without its alignment row. */
function tableOf(path: string, first: string, heading = ''): Table {
  const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
  const below = lines.findIndex((line) => line.startsWith(heading));
  const from = below < 0 ? -1 : lines.findIndex((line, at) => at > below && line.startsWith(`| ${first} |`));
  const to = lines.findIndex((line, at) => at > from && !line.startsWith('|'));
  const [head, , ...rows] = lines.slice(from, to).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
  if (from < 0 || !head) throw new Error(`${path} has no table that begins with "${first}"`);
  return { head, rows };
}

/** The keys that a set brings of its own, by the place where they count. */
function presetTables(id: string): Record<string, Table> {
  const places = Map.groupBy(presetOf(id).bindings, ({ context }) => context);
  return Object.fromEntries(
    [...places].map(([context, bindings]) => {
      const byCommand = Map.groupBy(bindings, ({ command }) => command);
      const rows = [...byCommand].map(([command, list]) => [
        list.map(({ keys }) => `[[=${keys}]]`).join(', '),
        (commands.get(command)?.title ?? command).replace(/…$/, ''),
      ]);
      return [`${id} keys ${placeName(context)}`, { head: ['Keys', 'What they do'], rows }];
    }),
  );
}

/** Key, limit page and app at each size, as bench/README.md has them: without the processor's time, and without its marks. */
function keyTimes(): Table {
  const { head, rows } = tableOf('bench/README.md', 'key', FIGURES_TABLE.heading);
  const kept = head.flatMap((title, column) => (title === 'CPU' ? [] : [column]));
  const of = (row: readonly string[]) => kept.map((column) => (row[column] ?? '').replaceAll('*', ''));
  return { head: of(head), rows: rows.map(of) };
}

/** By name. docs/site.md lists them. */
export function documentTables(): Record<string, Table> {
  return {
    'api calls': tableOf('docs/api.md', 'Call'),
    'theme tokens': tableOf('docs/themes.md', 'Token'),
    'theme parts': tableOf('docs/themes.md', 'Part'),
    'key times': keyTimes(),
    peers: tableOf('bench/peers.md', 'app and day'),
    'peer versions': tableOf('bench/peers.md', 'app'),
    ...presetTables('emacs'),
  };
}
