import { describe, test } from 'node:test';
import { writeFileSync } from 'node:fs';
import { addTasks, command, expectEventually, openApp, serve, signUp, synced, withBrowser } from './harness.ts';
describe('dbg', () => {
  const browser = withBrowser();
  test('dbg', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, { expected: /./ });
    await signUp(page, 'ann@example.org');
    await server.database.db.updateTable('account').set({ verified_at: Date.now() }).execute();
    await command(page, 'New list…');
    await page.keyboard.type('Trip');
    await page.keyboard.press('Enter');
    await expectEventually(() => page.locator('h1').innerText(), 'Trip');
    await addTasks(page, ['Book a train', 'Pack']);
    await synced(page);
    await page.evaluate(() => {
      const root = document.getElementById('root') as any;
      const key = Object.keys(root).find((name) => name.startsWith('__reactContainer$')) ?? '';
      const waiting: any[] = [root[key]];
      (window as any).log = [];
      for (let fiber = waiting.pop(); fiber !== undefined; fiber = waiting.pop()) {
        const app = fiber?.memoizedProps?.app;
        if (app) {
          const show = (row: any) => row && `${row.type} ${row.fields.name ?? row.fields.title ?? ''} s=${row.scope.slice(-4)} h=${row.hops ?? 0} v=${row.version} p=${(row.fields.place?.parent ?? '').slice(-4)} del=${JSON.stringify(row.fields.del ?? null)}`;
          (window as any).log.push(`personal ${app.engine.replica.scope.slice(-4)}`);
          app.engine.replica.subscribe((changes: any[], cause: string) => (window as any).log.push([cause, app.view.header.get().title, ...changes.map((c) => [show(c.before), show(c.after)])]));
          return;
        }
        waiting.push(fiber?.sibling ?? null, fiber?.child ?? null);
      }
    });
    await page.screenshot({ path: '/tmp/u-s0.png' });
    await page.keyboard.press('Control+s');
    await page.locator('dialog').waitFor();
    await page.screenshot({ path: '/tmp/u-s1.png' });
    await page.keyboard.press('Enter');
    await page.locator('[data-ph=invite-link]').waitFor();
    await page.screenshot({ path: '/tmp/u-s2.png' });
    await new Promise((r) => setTimeout(r, 1500));
    writeFileSync('/tmp/u-dbg.txt', JSON.stringify(await page.evaluate(() => (window as any).log), null, 1));
    await page.keyboard.press('n');
    await page.screenshot({ path: '/tmp/u-s3.png' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('l');
    await page.screenshot({ path: '/tmp/u-s4.png' });
    await page.keyboard.press('Escape');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.screenshot({ path: '/tmp/u-s5.png' });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.screenshot({ path: '/tmp/u-s6.png' });
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 800 });
    await command(page, 'Your profile');
    await page.getByRole('textbox', { name: 'Initials' }).waitFor();
    await page.screenshot({ path: '/tmp/u-s7.png' });
  });
});
