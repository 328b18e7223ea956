// The error catalogue of the public site in a real browser, with the server failing in each way, and its forms: what they say,
// when they are busy, that nothing is sent twice.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { expectEventually } from './harness.ts';
import { passwordLength } from '#core/password.ts';
import { alive, FAILURES, scripted, shows, type Site, textOf, tokenIn, withSite } from './site-world.ts';

const FAILED = 'Something went wrong, try again!';
const CUT = 'a cut connection';
const RULE = `${passwordLength.least} to ${passwordLength.most}`;

/** A call that is answered when the test says so; how often it was made, and with what. */
async function hold(page: Page, call: string) {
  const asked: unknown[] = [];
  const waiting: (() => void)[] = [];
  await page.route(call, async (route) => {
    asked.push(route.request().postDataJSON());
    await new Promise<void>((resolve) => waiting.push(resolve));
    await route.fulfill({ status: 200, json: { success: true } });
  });
  return {
    asked,
    answer: async () => {
      await expectEventually(() => Promise.resolve(waiting.length > 0), true);
      waiting.shift()?.();
    },
  };
}

describe('what a page asks for', () => {
  const site = withSite();

  test('has ended once it was answered, whatever the answer: the browser does not go on showing that it loads', async (t) => {
    const page = await site().visit(t, '');
    const underWay = new Set<string>();
    page.on('request', (request) => underWay.add(request.url()));
    page.on('requestfinished', (request) => underWay.delete(request.url()));
    page.on('requestfailed', (request) => underWay.delete(request.url()));
    await page.route('**/api/app_releases', FAILURES['an error of the server']);
    for (const [path, said] of [
      ['/a/NONE', 'Something went wrong'],
      ['/invite?v=3&token=none', 'Invalid invitation link'],
      ['/changelog', 'Something went wrong fetching the changelog'],
    ] as const) {
      await page.goto(site().url + path);
      await page.getByText(said).first().waitFor();
      await expectEventually(() => Promise.resolve([...underWay]), []);
    }
    await page.goto(`${site().url}/newsletter`);
    await scripted(page);
    await page.locator('[name=email]').fill('a@example.org');
    await page.keyboard.press('Enter');
    await page.getByText('Joined!').waitFor();
    await expectEventually(() => Promise.resolve([...underWay]), []);
  });
});

describe('the forms for an address', () => {
  const site = withSite();
  const visit: Site['visit'] = (...at) => site().visit(...at);
  const url = () => site().url;
  const forms = [
    { path: '/newsletter', field: 0, call: '**/api/newsletter_signups', idle: 'Join', done: 'Joined!' },
    {
      path: '/guides/affiliates',
      field: 0,
      call: '**/api/affiliate_sign_ups',
      idle: 'Submit',
      done: 'Submitted!',
    },
    {
      path: '/guides/affiliates',
      field: 1,
      call: '**/api/affiliate_sign_ups',
      idle: 'Submit',
      done: 'Submitted!',
    },
  ] as const;

  for (const { path, field, call, idle, done } of forms) {
    const name = `${path} (${field + 1})`;

    test(`${name}: blank is told, and sent is nothing`, async (t) => {
      const page = await visit(t, path);
      const { asked } = await hold(page, call);
      const form = page.locator('form.sign-up').nth(field);
      assert.equal(await form.evaluate((element: HTMLFormElement) => element.noValidate), true);
      for (const blank of ['', '   ']) {
        await form.locator('input').fill(blank);
        await form.locator('button').click();
        await expectEventually(() => form.locator('[data-problem]').innerText(), 'Enter an email');
        await expectEventually(() => form.locator('input').getAttribute('aria-invalid'), 'true');
        const hasFocus = () => form.locator('input').evaluate((input) => input === document.activeElement);
        await expectEventually(hasFocus, true);
      }
      const described = await form.locator('input').getAttribute('aria-describedby');
      assert.equal(await textOf(page, `#${described}`), 'Enter an email');
      assert.deepEqual(asked, []);
    });

    test(`${name}: any answer is a success, a cut is a failure, Enter sends`, async (t) => {
      const page = await visit(t, '');
      for (const [failure, answer] of Object.entries(FAILURES)) {
        await page.goto(url() + path);
        await scripted(page);
        await page.route(call, answer);
        const form = page.locator('form.sign-up').nth(field);
        await form.locator('input').fill(' somebody@example.org ');
        await form.locator('input').press('Enter');
        const hasFailed = failure === CUT;
        await expectEventually(() => form.locator('button').innerText(), hasFailed ? idle : done);
        await expectEventually(() => form.locator('[data-problem]').innerText(), hasFailed ? FAILED : '');
        assert.equal(
          await form.locator('button').getAttribute('aria-disabled'),
          hasFailed ? null : 'true',
          failure,
        );
        await page.unroute(call);
      }
      // After a failure the same press succeeds.
      await page.locator('form.sign-up').nth(field).locator('input').press('Enter');
      await expectEventually(() => page.locator('form.sign-up button').nth(field).innerText(), done);
      await expectEventually(() => page.locator('form.sign-up [aria-invalid]').count(), 0);
    });

    test(`${name}: is busy once, on both ends of its page, and never sends again`, async (t) => {
      const page = await visit(t, path);
      const { asked, answer } = await hold(page, call);
      const all = page.locator('form.sign-up');
      await all.nth(field).locator('input').fill(' somebody@example.org ');
      await all.nth(field).locator('input').press('Enter');
      const count = await all.count();
      const every = <T>(what: T) => Array.from({ length: count }, () => what);
      await expectEventually(() => all.locator('button.busy').count(), count);
      const spinner = await all
        .locator('[data-label]')
        .nth(field)
        .evaluate((label) => getComputedStyle(label, '::before').animationName);
      assert.equal(spinner, 'spin');
      for (let index = 0; index < count; index += 1) {
        await all.nth(index).locator('input').fill('other@example.org');
        await all.nth(index).locator('input').press('Enter');
        await all.nth(index).locator('button').click({ force: true });
      }
      await answer();
      await expectEventually(() => all.locator('button').allInnerTexts(), every(done));
      for (let index = 0; index < count; index += 1) {
        await all.nth(index).locator('input').press('Enter');
        await all.nth(index).locator('button').click({ force: true });
      }
      assert.deepEqual(asked, [{ email: 'somebody@example.org' }]);
      assert.deepEqual(
        await all
          .locator('button')
          .evaluateAll((list) => list.map((one) => one.getAttribute('aria-disabled'))),
        every('true'),
      );
    });
  }
});

describe('an address that signs up', () => {
  const site = withSite();

  test('counts when its owner says so, and goes when its owner says so', async (t) => {
    const { server, url, letters } = site();
    const page = await site().visit(t, '/newsletter');
    await page.locator('input[type=email]').fill('reader@example.org');
    await page.keyboard.press('Enter');
    await shows(page, 'Joined!');
    await server.services.desk.background.idle();
    const link = `${url}/confirm?token=${tokenIn(letters().at(-1) ?? '')}`;
    const confirmed = async () =>
      (await server.services.desk.signUps.confirmed('newsletter')).map(({ email }) => email);
    await page.goto(link);
    // Opening the link is not enough: programs that look through mail open it as well.
    assert.deepEqual(await confirmed(), []);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await shows(page, 'Thank you. Your address is confirmed.');
    assert.deepEqual(await confirmed(), ['reader@example.org']);
    await page.goto(link);
    await page.getByRole('button', { name: 'Remove my address' }).click();
    await shows(page, 'Your address was removed. Nothing more is sent to it.');
    assert.deepEqual(await confirmed(), []);
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await shows(page, 'This link is not valid');
  });
});

describe('the letter to the operator', () => {
  const site = withSite();
  const url = () => site().url;
  const problem = (page: Page) => textOf(page, '#contact-problem');

  test('says what is missing, where it is missing', async (t) => {
    const page = await site().visit(t, '/contact');
    const send = page.getByRole('button', { name: 'Send' });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
    for (const [field, label, words, text] of [
      ['email', 'Your email', 'writer@example.org', 'Enter an email'],
      ['subject', 'What it is about', 'Stamps', 'Say what it is about'],
      ['message', 'Message', 'Where do they come from?', 'Write a message'],
    ] as const) {
      await page.getByLabel(label).fill('   ');
      await send.click();
      await expectEventually(() => problem(page), text);
      await expectEventually(focused, field);
      await expectEventually(() => page.locator('[aria-invalid]').count(), 1);
      await page.getByLabel(label).fill(words);
    }
    await page.getByLabel('Your email').fill('no address');
    await send.click();
    await expectEventually(() => problem(page), 'Enter an email');
  });

  for (const [failure, answer] of Object.entries(FAILURES))
    test(`that meets ${failure} says so and keeps every word`, async (t) => {
      const page = await site().visit(t, '/contact');
      const words = { email: 'writer@example.org', subject: 'Stamps', message: `${failure}: and now?` };
      for (const [name, text] of Object.entries(words)) await page.locator(`[name=${name}]`).fill(text);
      await page.route('**/api/contact', answer);
      await page.getByRole('button', { name: 'Send' }).click();
      await expectEventually(() => problem(page), FAILED);
      for (const [name, text] of Object.entries(words))
        assert.equal(await page.locator(`[name=${name}]`).inputValue(), text);
      await page.unroute('**/api/contact');
      await page.getByRole('button', { name: 'Send' }).click();
      await shows(page, 'Your message has arrived. The answer comes to the address you gave.');
      const kept = await site().server.database.db.selectFrom('contact_message').select('message').execute();
      assert.ok(kept.some(({ message }) => message === words.message));
      assert.equal(page.url(), `${url()}/contact`);
    });
});

describe('a new password', () => {
  const site = withSite();
  const CALL = '**/api/sessions/reset_password';

  async function open(t: TestContext, query: string): Promise<Page> {
    const page = await site().visit(t, `/reset-password${query}`);
    await alive(page);
    return page;
  }

  async function fill(page: Page, one: string, two: string): Promise<void> {
    await page.locator('#new_password').fill(one);
    await page.locator('#again').fill(two);
    await page.keyboard.press('Enter');
  }

  const problem = (page: Page) => textOf(page, '#reset-problem');

  test('is asked for twice, in at most 72 letters, and is sent once', async (t) => {
    const page = await open(t, '?token=abc');
    const { asked, answer } = await hold(page, CALL);
    for (const [one, two, text] of [
      ['', '', 'Please enter your new password'],
      ['violet anchor', '  ', 'Please enter your new password'],
      ['   ', 'violet anchor', 'Please enter your new password'],
      ['violet anchor', 'violet anchors', 'Passwords do not match'],
    ] as const) {
      await fill(page, one, two);
      await expectEventually(() => problem(page), text);
      await expectEventually(() => page.locator('form [aria-invalid=true]').count(), 2);
    }
    for (const field of ['#new_password', '#again']) {
      assert.equal(await page.locator(field).getAttribute('maxlength'), '72');
      assert.equal(await page.locator(field).getAttribute('autocomplete'), 'new-password');
    }
    assert.deepEqual(asked, []);
    await fill(page, 'violet anchor', 'violet anchor');
    await page.locator('form .spinner').waitFor();
    await page.keyboard.press('Enter');
    await answer();
    await expectEventually(() => textOf(page, 'h1'), 'Your new password is set');
    assert.deepEqual(asked, [{ token: 'abc', new_password: 'violet anchor' }]);
  });

  test('is shown and hidden by a key, and its strength is said in words', async (t) => {
    const page = await open(t, '?token=abc');
    const strength = page.locator('#password-strength');
    const types = () =>
      page
        .locator('#new_password, #again')
        .evaluateAll((fields) => fields.map((field) => field.getAttribute('type')));
    assert.equal(await strength.getAttribute('role'), 'status');
    assert.equal(await strength.innerText(), '');
    await page.locator('#new_password').focus();
    await page.keyboard.type('violet');
    await expectEventually(() => strength.innerText(), 'Too short: at least 8 characters.');
    await page.keyboard.type(' anchor beside a kite');
    await strength.filter({ hasText: /^Strong/ }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    assert.ok(await page.getByLabel('Show both passwords').evaluate((box) => box === document.activeElement));
    await page.keyboard.press('Space');
    await expectEventually(types, ['text', 'text']);
    const { asked, answer } = await hold(page, CALL);
    await page.locator('#again').fill('violet anchor beside a kite');
    await page.keyboard.press('Enter');
    await page.locator('form .spinner').waitFor();
    await answer();
    await expectEventually(() => textOf(page, 'h1'), 'Your new password is set');
    assert.deepEqual(asked, [{ token: 'abc', new_password: 'violet anchor beside a kite' }]);
  });

  test('is hidden again by the same key, and cannot be shown without scripts', async (t) => {
    const page = await open(t, '?token=abc');
    const box = page.getByLabel('Show both passwords');
    await box.focus();
    for (const type of ['text', 'password']) {
      await page.keyboard.press('Space');
      await page.locator(`#again[type=${type}]`).waitFor();
    }
    const plain = await site().visit(t, '/reset-password?token=abc', { javaScriptEnabled: false });
    assert.equal(await plain.locator('#show-passwords').isVisible(), false);
    assert.equal(await plain.locator('#new_password').isVisible(), true);
  });

  test('is asked for nowhere without a token', async (t) => {
    for (const query of ['', '?token=']) {
      const page = await open(t, query);
      const { asked } = await hold(page, CALL);
      await fill(page, 'violet anchor', 'violet anchor');
      await expectEventually(() => problem(page), FAILED);
      assert.deepEqual(asked, []);
    }
  });

  test('is reached from the forgotten one by mail, and one that is not taken is explained', async (t) => {
    const { server, url, letters } = site();
    const known = await server.services.accounts.create('person@example.org', 'seven lanterns over water');
    assert.ok(known.ok);
    const page = await site().visit(t, '/forgot-password');
    await page.getByLabel('Email').fill('person@example.org');
    await page.keyboard.press('Enter');
    await shows(page, 'Look into your mailbox');
    await server.services.desk.background.idle();
    await page.goto(`${url}/reset-password?token=${tokenIn(letters().at(-1) ?? '')}`);
    await alive(page);
    assert.equal(await textOf(page, '#password-rule'), `${RULE} characters; a few unrelated words are good.`);
    await fill(page, 'short', 'short');
    await expectEventually(() => problem(page), FAILED);
    await shows(page, /^Use at least 8 characters/);
    await fill(page, 'nine lanterns over water', 'nine lanterns over water');
    await expectEventually(() => textOf(page, 'h1'), 'Your new password is set');
    await page.goto(page.url());
    await alive(page);
    await fill(page, 'ten lanterns over water', 'ten lanterns over water');
    await expectEventually(() => problem(page), FAILED);
  });
});

describe('the changelog', () => {
  const site = withSite();
  const release = (version: string, created: string, available: string | null) => ({
    id: version,
    version,
    release_notes: `<p>About ${version}</p>`,
    made_generally_available_at: available,
    created_at: created,
    updated_at: created,
  });

  test('is in the order of availability, else of creation', async (t) => {
    const page = await site().visit(t, '');
    const list = [
      release('1.0.0', '2026-01-01T00:00:00Z', null),
      release('3.0.0', '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'),
      release('2.0.0', '2026-02-01T00:00:00Z', '2026-05-01T00:00:00Z'),
      release('4.0.0', '2026-04-01T00:00:00Z', null),
    ];
    await page.route('**/api/app_releases', (route) => route.fulfill({ json: { app_releases: list } }));
    await page.goto(`${site().url}/changelog`);
    await expectEventually(
      () => page.locator('.release[id] h2 a').allInnerTexts(),
      ['2.0.0', '4.0.0', '3.0.0', '1.0.0'],
    );
    assert.equal(await textOf(page, '#v2-0-0 time'), '1 May 2026');
  });

  test('is refused whole when one release has another shape, and keeps what there was', async (t) => {
    const page = await site().visit(t, '');
    const good = release('9.0.0', '2026-01-01T00:00:00Z', null);
    const answers: unknown[] = [
      null,
      [],
      { app_releases: null },
      ...['id', 'version', 'release_notes', 'made_generally_available_at', 'created_at', 'updated_at'].map(
        (name) => ({ app_releases: [good, { ...good, [name]: undefined }] }),
      ),
      { app_releases: [{ ...good, created_at: 'yesterday' }] },
    ];
    let next: unknown;
    await page.route('**/api/app_releases', (route) =>
      route.fulfill({ contentType: 'application/json', body: JSON.stringify(next) }),
    );
    for (next of answers) {
      await page.goto(`${site().url}/changelog`);
      const problem = page.locator('[data-changelog] [data-problem]');
      await expectEventually(
        () => problem.innerText(),
        'Something went wrong fetching the changelog, try refreshing the page',
      );
      const [red, green, blue] = await problem.evaluate((element) =>
        (getComputedStyle(element).color.match(/\d+/g) ?? []).map(Number),
      );
      assert.ok((red ?? 0) > 150 && (green ?? 255) < 100 && (blue ?? 255) < 100, 'it is red');
      await page.locator('#v1-0-0').filter({ hasText: 'The first one.' }).waitFor();
      assert.equal(await page.locator('#v9-0-0').count(), 0);
    }
  });

  test('that has nothing yet says that it is loading', async (t) => {
    const page = await site().visit(t, '');
    await site().server.database.db.deleteFrom('app_release').execute();
    const list = { app_releases: [release('1.0.0', '2026-01-01T00:00:00Z', null)] };
    let isAnswered = false;
    let answer: (() => void) | undefined;
    await page.route('**/api/app_releases', async (route) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
        if (isAnswered) resolve();
      });
      await route.fulfill({ json: list });
    });
    await expectEventually(async () => {
      await page.goto(`${site().url}/changelog`);
      return page.locator('#v1-0-0').count();
    }, 0);
    await shows(page, 'Loading the changelog …');
    // Whether the page has asked by now or is about to.
    isAnswered = true;
    answer?.();
    await page.locator('#v1-0-0').waitFor();
    await page.getByText('Loading the changelog …').waitFor({ state: 'hidden' });
  });
});

describe('the search of the guides', () => {
  const site = withSite();

  test('says to everybody when it finds nothing, and when it cannot be loaded', async (t) => {
    const page = await site().visit(t, '/guides');
    await page.locator('#guide-query').fill('xyzzyqwv');
    await page.getByText('Nothing found. Try another word').waitFor();
    await page.locator('#guide-query').fill('labels');
    await page.locator('#guide-results [role=option]').first().waitFor();
    assert.equal(await page.getByText('Nothing found').count(), 0);
    await page.route('**/guide-index.json', FAILURES[CUT]);
    await page.reload();
    await scripted(page);
    await page.locator('#guide-query').fill('labels');
    await page.getByText('The search could not be loaded. Try again in a moment.').waitFor();
    await page.unroute('**/guide-index.json');
    await page.locator('#guide-query').fill('label');
    await page.locator('#guide-results [role=option]').first().waitFor();
  });
});
