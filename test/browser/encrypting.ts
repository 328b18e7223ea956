// Turning encryption on in a browser, as a person does it.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { command, expectEventually } from './harness.ts';

export const PATIENT_MS = 90_000;

export const title = (page: Page) => page.locator('dialog h2').innerText();
export const answer = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Turns encryption on, and gives the code. */
export async function turnOn(page: Page): Promise<string> {
  await command(page, 'Encrypt everything…');
  await expectEventually(() => title(page), 'Encrypt everything');
  await loadAxe(page);
  assert.deepEqual(await violations(page), []);
  await answer(page, 'Show my recovery code');
  const groups = await page.locator('dialog ol[aria-label="Recovery code"] li').allInnerTexts();
  const code = groups.map((group) => group.replace(/^\d\s*/, '').trim());
  assert.deepEqual(await violations(page), []);
  const said = await page.locator('dialog p[role=status]').innerText();
  const asked = [...said.matchAll(/\d/g)].map(([number]) => Number(number) - 1);
  await answer(page, 'I have it');
  for (const [index, group] of asked.entries())
    await page.locator(`dialog input[name=group${index}]`).fill((code[group] ?? '').toLowerCase());
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Enter');
  await expectEventually(
    () =>
      page
        .locator('dialog')
        .innerText()
        .then((text) => text.includes('Everything is encrypted.')),
    true,
    PATIENT_MS,
  );
  await answer(page, 'Close');
  return code.join('-');
}
