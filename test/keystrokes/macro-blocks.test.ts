// Planned time as a step of macros: recorded in the words that were typed, and carried out on another day.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksIn } from '#core/calendar/blocks.ts';
import { mineId } from '#core/ids.ts';
import { definePart } from '#client/app/part.ts';
import type { Program } from '#client/app/program.ts';
import { macroCommand, type Step } from '#client/macros/macro.ts';
import { macros } from '#client/macros/part.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk } from './desk.ts';

/** Chooses in the palette by words, and answers what it asks. */
function choose(desk: Desk, ...words: readonly string[]): void {
  desk.press('Mod+K');
  for (const each of words) {
    desk.app.paletteInput(each);
    desk.press('Enter');
  }
}

test('[CAL-99] a macro plans time in the words that were typed, on another day too, as one undo', () => {
  let found: Program | null = null;
  const eye = definePart({
    name: 'Eye',
    create(program) {
      found = program;
      return {};
    },
  });
  const desk = new Desk('> Pack\n- Call', { parts: [eye] });
  const program = found as Program | null;
  assert.ok(program !== null);
  desk.timers.advance(1_000);
  choose(desk, 'record a macro');
  choose(desk, 'plan time for this task', 'tomorrow 9:00 45m');
  choose(desk, 'stop recording');
  desk.app.run('dialog.close');
  const [macro] = program.part(macros).all;
  assert.ok(macro !== undefined);
  assert.deepEqual(
    macro.steps.map((step) => step.type === 'command' && [step.command, step.answers['value']?.words]),
    [['task.planTime', 'tomorrow 9:00 45m']],
  );
  const starts = (title: string) => {
    const row = desk.rows().find((each) => each.title === title);
    const mine = row === undefined ? undefined : desk.replica.row(mineId(SCOPE, row.id));
    return blocksIn(mine?.type === 'mine' ? mine : undefined).map(({ block }) => block.start);
  };
  assert.deepEqual(starts('Pack'), [Date.UTC(2026, 10, 28, 9)]);
  desk.timers.advance(24 * 3_600_000);
  desk.press('ArrowDown');
  program.run(macroCommand(macro.id));
  assert.deepEqual(starts('Call'), [Date.UTC(2026, 10, 29, 9)]);
  desk.press('Mod+Z');
  assert.deepEqual([starts('Call'), starts('Pack')], [[], [Date.UTC(2026, 10, 28, 9)]]);
  const step: Step = {
    type: 'command',
    command: 'task.planTime',
    answers: { value: { words: 'tomorrow' } },
    note: '',
  };
  const content = { name: 'Mine', steps: [step], variables: [], takesLinks: false };
  const id = program.replica.newId();
  program.part(macros).save(id, content, 'made a macro');
  program.run(macroCommand(id));
  assert.equal(desk.message, '‘Mine’ stopped at step 1: “tomorrow” isn’t a time, like “today 14:00 45m.”');
});
