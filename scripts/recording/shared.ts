// A list of the sample that two people have, each in a browser of their own: shared and joined as people do it.
import type { BrowserContext, Page } from 'playwright-core';
import { openSample, palette } from './sample.ts';
import type { Studio } from './stage.ts';

/** Of everybody in the pictures. */
export const PASSWORD = 'a long walk in the rain';

export interface Pair {
  /** Who shared the list. */
  readonly ann: Page;
  /** Who joined it. */
  readonly mo: Page;
}

/** Makes an account of what is on this device. */
export async function signUp(page: Page, email: string): Promise<void> {
  await palette(page, 'Create an account');
  await page.locator('dialog input[name=email]').waitFor();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.locator('dialog').waitFor({ state: 'detached', timeout: 20_000 });
}

/** What was said is gone: it stands in no picture. */
export async function quiet(page: Page): Promise<void> {
  await page.locator('[data-ph=message]').waitFor({ state: 'detached', timeout: 60_000 });
}

/** Mo does one task, takes the next, and writes about it. */
export async function workTogether({ mo }: Pair): Promise<void> {
  const { keyboard } = mo;
  await keyboard.press('Space');
  await keyboard.press('ArrowDown');
  await keyboard.press('Shift+P');
  await keyboard.press('c');
  await mo.locator('[data-ph=comment-field]').waitFor();
  for (const text of ['Two of us don’t eat fish.', 'I’ll ask about chairs.']) {
    await keyboard.type(text);
    await keyboard.press('Enter');
    await mo.locator('[data-ph=comment]').filter({ hasText: text }).waitFor();
  }
  await keyboard.press('Escape');
  await keyboard.press('ArrowDown');
  await mo.locator('[data-ph=sync]').filter({ hasText: 'Synced' }).waitFor({ state: 'attached' });
}

const atTop = async (page: Page) => {
  await page.locator('[data-row]').first().waitFor();
  await page.keyboard.press('Home');
};

/** `where`: makes the addresses of these two their own. */
export async function openShared(
  { url, verify }: Studio,
  { anns, mos }: { readonly anns: BrowserContext; readonly mos: BrowserContext },
  where: string,
): Promise<Pair> {
  const ann = await openSample(anns, url, 'Household');
  await signUp(ann, `ann@${where}.example`);
  await verify();
  await ann.locator('[data-ph=sync]').filter({ hasText: 'Synced' }).waitFor({ state: 'attached' });
  await ann.keyboard.press('Control+s');
  const dialog = ann.getByRole('dialog', { name: 'Share list' });
  await dialog.getByText('become').first().waitFor();
  await ann.keyboard.press('Enter');
  const link = await ann.locator('[data-ph=invite-link]').innerText();
  await ann.keyboard.press('Escape');

  await mos.addInitScript(() => localStorage.setItem('posthaste.preference.lesson', 'over'));
  const first = await mos.newPage();
  await first.goto(`${url}/app/`);
  await first.locator('[data-ph=app]').waitFor();
  await signUp(first, `mo@${where}.example`);
  await verify();
  // In a page of its own: the first may still be going back over the entry of what it closed.
  const mo = await mos.newPage();
  await mo.goto(link);
  await first.close();
  await mo.getByRole('link', { name: 'Open in the web app' }).press('Enter');
  await mo.getByRole('button', { name: 'Join list' }).press('Enter');
  await ann.getByRole('button', { name: /^Shared with: Mo/ }).waitFor();
  for (const page of [ann, mo]) await atTop(page);
  return { ann, mo };
}
