// Calendars of a CalDAV server in the app: signing in there, choosing, and a new password when the old one isn't taken any longer.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { PASSWORD, startCaldavServer, USER } from '../caldav-server.ts';
import { calendarFile } from '../calendar-server.ts';
import {
  command,
  endWith,
  expectEventually,
  openApp,
  serve,
  signUp,
  synced,
  withBrowser,
} from './harness.ts';

describe('calendars of a server', () => {
  const browser = withBrowser();

  test('[CAL-44] an address, a name and a password lead to a list to choose from; a password that isn’t taken gets a new one', async (t) => {
    const far = await startCaldavServer('icloud');
    endWith(t, () => far.close());
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
    far.work.put(
      'a.ics',
      calendarFile([{ uid: 'a', title: 'Ferry', start: `${tomorrow}T090000Z`, end: `${tomorrow}T100000Z` }]),
    );
    const server = await serve(t, undefined, { CALENDAR_NETWORKS: '127.0.0.1/32' }, { pushCa: far.ca });
    const { page } = await openApp(t, browser(), server.url, { expected: /422/ });
    await signUp(page, 'dav@example.org');
    await synced(page);
    await command(page, 'Calendars…');
    await page.getByText('There’s no calendar yet.').waitFor();
    await page.keyboard.press('s');
    await page.getByLabel('Address of the server').fill(far.origin);
    await page.keyboard.press('Tab');
    await page.keyboard.type(USER);
    await page.keyboard.press('Enter');
    await page.getByText('The server needs a password.').waitFor();
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('doesn’t take this name and password').waitFor();
    await loadAxe(page);
    assert.deepEqual(await violations(page), []);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expectEventually(() => page.locator('[data-ph=found-calendar]').count(), 2);
    assert.deepEqual(await violations(page), []);
    // Back is where one was, with all but the password.
    await page.keyboard.press('Escape');
    assert.equal(await page.getByLabel('Address of the server').inputValue(), far.origin);
    assert.equal(await page.getByLabel('Name there').inputValue(), USER);
    assert.equal(await page.getByLabel('Password').inputValue(), '');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expectEventually(() => page.locator('[data-ph=found-calendar]').count(), 2);
    // The first has the focus.
    await page.keyboard.press('Enter');
    await page.getByText('Added. Its events are in the agenda.').waitFor();
    await page.getByRole('button', { name: 'Work & more Added' }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await expectEventually(() => page.locator('[data-ph=calendar]').count(), 1);

    far.password = 'another one';
    await page.locator('[data-ph=calendar]').focus();
    await page.keyboard.press('r');
    await page.getByRole('button', { name: 'New password' }).click();
    await page.getByLabel('Password').fill('another one');
    await page.keyboard.press('Enter');
    await expectEventually(() => page.locator('[data-ph=calendar]').count(), 1);
    await expectEventually(() => page.getByRole('button', { name: 'New password' }).count(), 0);
    await page.getByRole('button', { name: 'Agenda' }).click();
    await expectEventually(
      async () => (await page.locator('[data-ph=event]').allInnerTexts()).join().includes('Ferry'),
      true,
    );
  });
});
