// What is pressed before the part of the app that answers it has been loaded: nothing is lost, nothing overtakes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RepeatRule } from '#core/model.ts';
import { type Rest, restPart } from '#client/loading/rest.ts';
import { announced, define, done } from '#client/commands/define.ts';
import { lazyPart } from '#client/loading/lazy-part.ts';
import { type Lazy, lazy } from '#client/loading/lazy.ts';
import { Desk, outline, shows } from './desk.ts';

/** A part that comes when the test says so. */
function slowly(): { readonly rest: Lazy<Rest>; readonly arrive: () => void; readonly fail: () => void } {
  const gate = Promise.withResolvers<void>();
  const rest = lazy(async () => {
    await gate.promise;
    return restPart.load();
  });
  return { rest, arrive: () => gate.resolve(), fail: () => gate.reject(new Error('No connection')) };
}

const TWO = outline(`
  > Plan
    Rest`);

/** A command whose door opens when the test says so, and a desk in front of it. Each entry of `gates` is one try. */
async function facing({ takesTasks = false, tries = 1 } = {}) {
  const gates = Array.from({ length: tries }, () => Promise.withResolvers<void>());
  let next = 0;
  const slow = lazyPart('The map', () => gates[next++]?.promise ?? Promise.resolve(), { takesTasks });
  const opening = define({
    id: 'test.map',
    title: 'Map',
    group: 'View',
    run: (program) =>
      program.inputQueue.enter(slow, () => {
        program.dialog.show({ type: 'cheatSheet' });
        return done;
      }),
  });
  const quick = lazyPart('The other', () => Promise.resolve(null));
  const other = define({
    id: 'test.other',
    title: 'Other',
    group: 'View',
    run: (program) => program.inputQueue.enter(quick, () => announced('The other is here.')),
  });
  const part = await restPart.load();
  const commands = new Map([...part.commands, [opening.id, opening], [other.id, other]]);
  const desk = new Desk(TWO, { rest: lazy(() => Promise.resolve({ ...part, commands })) });
  await desk.app.loadRest();
  const arrive = (at = 0) => gates[at]?.resolve();
  const fail = (at = 0) => gates[at]?.reject(new Error('Gone'));
  return { desk, enter: () => desk.app.run(opening.id), arrive, fail };
}

describe('a key after one that opens what is not loaded', () => {
  it('[KEY-40] [KEY-49] waits as long as that takes, whatever it is, and comes in its order', async () => {
    const { desk, enter, arrive } = await facing();
    enter();
    desk.press('h', 'i', 'Tab', 'Shift+Tab', 'Up', 'Left', 'Space', 'Delete', 'Enter');
    desk.timers.advance(120_000);
    shows(desk, TWO);
    assert.equal(desk.app.wantsKey, true, 'no button that has the focus is pressed by them');
    arrive();
    await desk.until(() => desk.typedAhead.length === 9);
    assert.equal(desk.app.wantsKey, false);
    const pressed = ['h', 'i', 'Tab', 'Tab', 'ArrowUp', 'ArrowLeft', ' ', 'Delete', 'Enter'];
    assert.deepEqual(desk.typedAhead, pressed);
    assert.equal(desk.app.view.dialog.get()?.type, 'cheatSheet');
    shows(desk, TWO);
  });

  it('[KEY-49] says what it waits for once that is noticed, and is silent when it has come', async () => {
    const { desk, enter, arrive } = await facing();
    enter();
    desk.timers.advance(299);
    assert.equal(desk.message, '');
    desk.timers.advance(1);
    assert.equal(desk.message, 'Loading the map… Esc stops waiting.');
    desk.timers.advance(60_000);
    assert.match(desk.message, /^Loading/);
    arrive();
    await desk.until(() => desk.app.view.dialog.get() !== null);
    assert.equal(desk.message, '');
  });

  it('[KEY-49] Escape ends a wait that is seen; what was typed is there the next time', async () => {
    const { desk, enter, arrive } = await facing();
    enter();
    desk.press('h', 'i');
    desk.timers.advance(300);
    desk.press('Escape');
    assert.equal(desk.message, 'Stopped waiting for the map. What you typed is kept for the next try.');
    desk.press('Down', 'Space');
    assert.equal(desk.rows()[1]?.done, true);
    arrive();
    await desk.settle();
    assert.equal(desk.app.view.dialog.get(), null);
    assert.deepEqual(desk.typedAhead, []);
    enter();
    await desk.until(() => desk.typedAhead.length === 2);
    assert.equal(desk.app.view.dialog.get()?.type, 'cheatSheet');
    assert.deepEqual(desk.typedAhead, ['h', 'i']);
  });

  it('[KEY-41] what was typed is typed when its command is there', async () => {
    let tries = 0;
    const rest = lazy(() => ((tries += 1) === 1 ? Promise.reject(new Error('Gone')) : restPart.load()));
    const desk = new Desk(TWO, { rest });
    desk.press('Mod+K', 'm', 'o');
    await desk.until(() => desk.message !== '');
    await desk.app.loadRest();
    desk.press('Mod+K', 'v');
    await desk.until(() => desk.app.view.palette.get()?.query === 'mov');
  });

  it('[KEY-49] Escape before that is for what opens', async () => {
    const { desk, enter, arrive } = await facing();
    enter();
    desk.press('h', 'Escape');
    arrive();
    await desk.until(() => desk.typedAhead.length === 1 && desk.app.view.dialog.get() === null);
    assert.deepEqual(desk.typedAhead, ['h']);
  });

  it('[KEY-41] what was typed is typed when the next try succeeds', async () => {
    const { desk, enter, arrive, fail } = await facing({ tries: 3 });
    enter();
    desk.press('h', 'i', 'Tab', 'x');
    fail();
    await desk.until(() => desk.message !== '');
    assert.equal(
      desk.message,
      'The map couldn’t load. Go online and try again. What you typed is kept for the next try.',
    );
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(desk.app.view.focus.get().pane, 'outline');
    desk.press('Down', 'Space');
    assert.equal(desk.rows()[1]?.done, true);
    enter();
    desk.press('!');
    fail(1);
    await desk.until(() => desk.app.view.status.get().message?.tone === 'error');
    enter();
    desk.press('?');
    arrive(2);
    await desk.until(() => desk.typedAhead.length === 4);
    assert.deepEqual(desk.typedAhead, ['h', 'i', '!', '?']);
  });

  it('[KEY-41] asks to reload where the server has another version of the app', async () => {
    const { desk, enter, fail } = await facing();
    desk.whyMissing = 'renewed';
    enter();
    fail();
    await desk.until(() => desk.message !== '');
    assert.equal(desk.message, 'The map couldn’t load. The app may have been updated. Reload this page.');
  });

  it('[KEY-41] a task that was typed is one although its field never came', async () => {
    const { desk, enter, fail } = await facing({ takesTasks: true });
    enter();
    desk.press('m', 'i', 'l', 'k', 'Enter');
    fail();
    await desk.until(() => desk.message !== '');
    assert.match(desk.message, /Added ‘milk’ to the Inbox, as you typed it\.$/);
    assert.deepEqual(
      desk
        .rows()
        .map(({ title }) => title)
        .toSorted(),
      ['Plan', 'Rest', 'milk'],
    );
  });

  it('[KEY-41] corrections and pasted text belong to what was typed', async () => {
    const { desk, enter, fail } = await facing({ takesTasks: true });
    enter();
    desk.press('m', 'i', 'l', 'c', 'Backspace', 'k', 'Space');
    desk.app.pasted('and bread');
    desk.press('Enter', 'j');
    fail();
    await desk.until(() => desk.message !== '');
    assert.match(desk.message, /Added ‘milk and bread’ to the Inbox/);
  });

  it('[KEY-41] pasted text is kept for the next try in its place', async () => {
    const { desk, enter, arrive, fail } = await facing({ tries: 2 });
    enter();
    desk.press('h', 'i');
    desk.app.pasted('there');
    desk.press('!', 'Backspace');
    fail();
    await desk.until(() => desk.message !== '');
    enter();
    arrive(1);
    await desk.until(() => desk.typedAhead.length === 5);
    assert.deepEqual(desk.typedAhead, ['h', 'i', 'there', '!', 'Backspace']);
  });

  it('[KEY-41] what is kept for one thing outlasts another that opens first', async () => {
    const { desk, enter, arrive, fail } = await facing({ tries: 2 });
    enter();
    desk.press('h', 'i');
    fail();
    await desk.until(() => desk.message !== '');
    desk.app.run('test.other');
    await desk.until(() => desk.message === 'The other is here.');
    enter();
    arrive(1);
    await desk.until(() => desk.typedAhead.length === 2);
    assert.deepEqual(desk.typedAhead, ['h', 'i']);
  });

  it('[KEY-40] leaves to the browser what is the browser’s', async () => {
    const { desk, enter } = await facing();
    enter();
    assert.equal(desk.press('F5'), false);
    assert.equal(desk.press('Ctrl+R'), false);
    assert.equal(desk.press('r'), true);
    assert.equal(desk.press('Ctrl+Backspace'), true);
  });

  it('[KEY-40] pasted text waits too', async () => {
    const { desk, enter, arrive } = await facing();
    enter();
    desk.app.pasted('Milk');
    shows(desk, TWO);
    arrive();
    await desk.until(() => desk.typedAhead.length === 1);
    assert.deepEqual(desk.typedAhead, ['Milk']);
    shows(desk, TWO);
  });
});

describe('a key before its command has been loaded', () => {
  it('[KEY-40] is answered when it comes, and what was typed after it is typed then', async () => {
    const { rest, arrive } = slowly();
    const desk = new Desk(TWO, { rest });
    assert.ok(desk.press('Mod+K', 'm', 'o', 'v', 'e'));
    assert.equal(desk.app.view.palette.get(), null);
    arrive();
    await desk.until(() => desk.app.view.palette.get() !== null);
    assert.equal(desk.app.view.palette.get()?.query, 'move');
    assert.ok(desk.palette().includes('Move to list…'));
  });

  it('[KEY-40] holds the keys behind it in their order', async () => {
    const { rest, arrive } = slowly();
    const desk = new Desk(TWO, { rest });
    desk.press('Mod+B', 'Down', 'Space');
    shows(desk, TWO);
    arrive();
    await desk.until(() => desk.row(desk.rows()[1]?.id ?? ('' as never))?.done === true);
    assert.equal(desk.rows()[0]?.done, false);
    desk.press('Mod+Z', 'Mod+Z');
    shows(desk, TWO);
  });

  it('[KEY-40] types into the search line that it opened', async () => {
    const { rest, arrive } = slowly();
    const desk = new Desk(TWO, { rest });
    desk.press('/', 'p', 'l');
    arrive();
    await desk.until(() => desk.app.view.search.get()?.query === 'pl');
    assert.equal(desk.rows().length, 1);
  });

  it('[KEY-40] types into notes, and not into the tasks below', async () => {
    const { rest, arrive } = slowly();
    const desk = new Desk(TWO, { rest });
    desk.press('n', 'd', 'x', 'Space', 'Enter');
    arrive();
    await desk.until(() => desk.typedAhead.length === 1);
    assert.equal(desk.app.view.notes.get()?.text, 'dx ');
    assert.deepEqual(desk.typedAhead, ['Enter']);
    shows(desk, TWO);
  });

  it('[HEAR-2] tells how a task repeats as soon as the words for it are here, with no key pressed', async () => {
    const { rest, arrive } = slowly();
    const desk = new Desk(TWO, { rest });
    const id = desk.rows()[0]?.id ?? ('' as never);
    const repeat: RepeatRule = {
      value: 3,
      unit: 'days',
      metadata: null,
      from: null,
      missed: 'skip',
      anchorDay: null,
    };
    desk.replica.issue([{ a: 'set', id, field: 'repeat', value: repeat }]);
    const said = () => desk.rows()[0]?.repeats;
    assert.equal(said(), '', 'it repeats, in words that have not come');
    arrive();
    await desk.app.loadRest();
    assert.equal(said(), 'every 3 days');
  });

  it('[KEY-40] leaves the first keys alone', () => {
    const desk = new Desk(TWO, { rest: slowly().rest });
    desk.press('Down', 'Space', 'Up', 'Enter');
    desk.type(' more');
    desk.press('Escape');
    assert.deepEqual(
      desk.rows().map(({ title, done }) => [title, done]),
      [
        ['Plan more', false],
        ['Rest', true],
      ],
    );
  });

  it('[KEY-41] says when it cannot be loaded, and goes on', async () => {
    const { rest, fail } = slowly();
    const desk = new Desk(TWO, { rest });
    desk.press('Mod+K');
    fail();
    await desk.until(() => desk.message !== '');
    assert.match(desk.message, /couldn’t load/);
    desk.press('Down', 'Space');
    assert.equal(desk.rows()[1]?.done, true);
  });
});
