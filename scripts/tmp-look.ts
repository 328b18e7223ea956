import { withApp } from './recording/stage.ts';
const LIST = [
  'Plan the winter issue fri',
  ' Choose a photograph for the cover',
  ' Ask Ann for the essay today 5pm',
  ' Write the editor’s letter',
  'Send the proofs to the printer tomorrow 9am',
  ' Check the colors on the spring pages for 45 min',
  ' Ask for a price on heavier paper',
  '  Samples in 120 and 135 gram',
  'Call the printer mon',
  'Write to subscribers who have not renewed 9 dec',
  'Order stamps',
  'Pay the illustrator',
  'Book the hall for the launch',
];
const scheme = (process.argv[2] ?? 'light') as 'light' | 'dark';
await withApp(async ({ browser, url }) => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    colorScheme: scheme,
  });
  const page = await context.newPage();
  page.on('console', (m) => {
    if (m.type() === 'error') console.log(m.text());
  });
  await page.goto(`${url}/app/`);
  await page.locator('[data-ph=empty], [data-row]').first().waitFor();
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `/tmp/look/first-${scheme}.png` });
  await page.keyboard.press('Control+Enter');
  let level = 0;
  for (const line of LIST) {
    const want = line.length - line.trimStart().length;
    while (level < want) {
      await page.keyboard.press('Tab');
      level += 1;
    }
    while (level > want) {
      await page.keyboard.press('Shift+Tab');
      level -= 1;
    }
    await page.keyboard.type(line.trim());
    await page.waitForTimeout(100);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(50);
  }
  await page.keyboard.press('Escape');
  await page.keyboard.press('F9');
  await page.keyboard.press('x');
  for (let i = 0; i < 1; i++) {
    await page.keyboard.press('ArrowUp');
  }
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Space');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Home');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('l');
  await page.locator('dialog input').first().waitFor();
  await page.keyboard.type('Writing');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.waitForTimeout(700);
  await page.screenshot({ path: `/tmp/look/list-${scheme}.png` });
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.waitForTimeout(300);
  await page.screenshot({ path: `/tmp/look/sel-${scheme}.png` });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.waitForTimeout(400);
  await page.screenshot({ path: `/tmp/look/palette-${scheme}.png` });
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await page.waitForTimeout(700);
  await page.screenshot({ path: `/tmp/look/upcoming-${scheme}.png` });
  await page.keyboard.press('d');
  await page.waitForTimeout(500);
  await page.screenshot({ path: `/tmp/look/date-${scheme}.png` });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+,');
  await page.waitForTimeout(700);
  await page.screenshot({ path: `/tmp/look/settings-${scheme}.png` });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await page.waitForTimeout(700);
  await page.screenshot({ path: `/tmp/look/narrow-${scheme}.png` });
});
