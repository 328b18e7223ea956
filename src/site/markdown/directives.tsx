// What a line that begins with `::` puts into a text: tables that the build reads from the program, the measured figures, and forms.
import type { ReactNode } from 'react';
import { Figures } from '../parts/figures.tsx';
import { SignUpForm } from '../parts/forms.tsx';
import { CommandCaps } from '../parts/keys.tsx';
import { conditionMarks, siteConditions } from '#wire/site-conditions.ts';
import type { GeneratedTable, SiteWorld } from '../world.ts';
import type { Reading } from './reading.ts';

type DrawCell = (text: string, reading: Reading) => ReactNode;

function KeyTable({ title, world }: { readonly title: string; readonly world: SiteWorld }) {
  const group = world.keyGroups.find((candidate) => candidate.title === title);
  if (!group) {
    const known = world.keyGroups.map((candidate) => candidate.title).join(', ');
    throw new Error(`There are no keys "${title}"; there are ${known}`);
  }
  return (
    <div className="table" tabIndex={0} role="group" aria-label={`Keys: ${title}`}>
      <table className="key-table">
        <thead>
          <tr>
            <th scope="col">Keys</th>
            <th scope="col">What they do</th>
          </tr>
        </thead>
        <tbody>
          {group.commands.map((id) => {
            const command = world.commands[id];
            if (!command) throw new Error(`There is no command "${id}"`);
            return (
              <tr key={id}>
                <td>
                  <CommandCaps command={command} all />
                </td>
                <td>{command.title}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function MadeTable({
  table,
  reading,
  cell,
}: {
  readonly table: GeneratedTable;
  readonly reading: Reading;
  readonly cell: DrawCell;
}) {
  return (
    <div className="table" tabIndex={0} role="group" aria-label={table.head.join(', ')}>
      <table>
        <thead>
          <tr>
            {table.head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((text, column) => (
                <td key={column}>{cell(text, reading)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `::when billing`, `::otherwise`, `::end`: what stands between them depends on the server. Never nested. */
function markOf(kind: 'when' | 'otherwise' | 'end', rest: string, source: string): string {
  const condition = siteConditions.find((known) => known === rest);
  if (kind === 'when' && condition === undefined)
    throw new Error(`${source}: there is no condition "${rest}"; there are ${siteConditions.join(', ')}`);
  const marks = conditionMarks(condition ?? 'billing');
  return { when: marks.begin, otherwise: marks.otherwise, end: marks.end }[kind];
}

export function Directive({
  text,
  reading,
  cell,
}: {
  readonly text: string;
  readonly reading: Reading;
  /** Draws the words of one cell. */
  readonly cell: DrawCell;
}): ReactNode {
  const { world, source } = reading;
  const [, kind = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(text) ?? [];
  if (kind === 'keys') return <KeyTable title={rest} world={world} />;
  if (kind === 'table') {
    const table = world.tables[rest];
    if (table) return <MadeTable table={table} reading={reading} cell={cell} />;
    throw new Error(
      `${source}: there is no table "${rest}"; there are ${Object.keys(world.tables).join(', ')}`,
    );
  }
  if (kind === 'figures') return <Figures />;
  if (kind === 'form' && rest.startsWith('affiliate'))
    return <SignUpForm list="affiliate" place={rest.split(' ')[1] ?? 'top'} />;
  if (kind === 'when' || kind === 'otherwise' || kind === 'end') return markOf(kind, rest, source);
  throw new Error(`${source}: "::${text}" is none of ::keys, ::table, ::figures, ::form and ::when`);
}
