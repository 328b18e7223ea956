// The site's page about scripts names what there is: its tables have the fields of the contract, its numbers are the limits.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import contract from '#client/macros/script/fixture.json' with { type: 'json' };
import { scriptLimits } from '#client/macros/script/port.ts';

const FILE = '../../src/site/texts/updating-macro-variables-with-javascript.md';
const page = readFileSync(join(import.meta.dirname, FILE), 'utf8');

/** The names in the first column of the table under a heading. */
function fieldsUnder(heading: string): readonly string[] {
  const part = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const cells = part.matchAll(/^\| (`[^|]*) \|/gm);
  return [...cells].flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

const namesOf = (value: object | undefined): readonly string[] => Object.keys(value ?? {}).toSorted();

describe('the page about scripts', () => {
  test('[MACRO-100] its tables have exactly the fields that a script reads', () => {
    const task = contract.selectedTasks.find(({ labels }) => labels.length > 0);
    for (const [heading, example] of [
      ['The state', contract],
      ['Task', task],
      ['Label', task?.labels[0]],
      ['List', contract.selectedList],
    ] as const)
      assert.deepEqual(fieldsUnder(heading).toSorted(), namesOf(example), heading);
  });

  test('[MACRO-102] [MACRO-103] [MACRO-108] its numbers are the limits', () => {
    const { tasks, stateCharacters, variables, valueCharacters, runMs, memoryMegabytes, logCharacters } =
      scriptLimits;
    const text = page.replaceAll(/\s+/g, ' ');
    for (const said of [
      `up to ${tasks.toLocaleString('en-US')} tasks and ${stateCharacters / 1e6} MB of text`,
      `up to ${variables} variables of up to ${valueCharacters.toLocaleString('en-US')} characters`,
      `has ${runMs / 1_000} seconds and ${memoryMegabytes} MB`,
      `up to ${logCharacters / 1_024} KB`,
    ])
      assert.ok(text.includes(said), said);
  });
});
