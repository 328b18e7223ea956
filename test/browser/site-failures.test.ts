// The error catalogue of the public site in a real browser, with the server failing in each way, and its forms: what they say,
// when they are busy, that nothing is sent twice.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { expectEventually } from './harness.ts';
import { lengthProblem, passwordLength } from '#core/password.ts';
import { Network } from './network.ts';
import { alive, FAILURES, scripted, shows, type Site, textOf, tokenIn, withSite } from './site-world.ts';

const FAILED = 'Something went wrong, try again!';
const NO_EMAIL = 'Enter a full email address, like name@example.org';
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
      for (const none of ['notanemail', 'a@b', 'a b@example.org', '@example.org', 'name@']) {
        await form.locator('input').fill(none);
        await form.locator('button').click();
        await expectEventually(() => form.locator('[data-problem]').innerText(), NO_EMAIL);
        assert.equal(await form.locator('input').inputValue(), none);
        await form.locator('input').fill('');
        await form.locator('button').click();
        await expectEventually(() => form.locator('[data-problem]').innerText(), 'Enter an email');
      }
      assert.deepEqual(asked, []);
    });

    test(`${name}: whatever the server took is a success, what it did not take is said, Enter sends`, async (t) => {
      const page = await visit(t, '');
      const TOO_OFTEN = 'Too many messages from your network. Try again in 12 minutes.';
      const limited = (route: Route) =>
        route.fulfill({ status: 429, headers: { 'retry-after': '700' }, json: { success: false } });
      const said: Readonly<Record<string, string>> = {
        'an error of the server': FAILED,
        'too many': TOO_OFTEN,
        [CUT]: FAILED,
      };
      for (const [failure, answer] of Object.entries({ 'too many': limited, ...FAILURES })) {
        await page.goto(url() + path);
        await scripted(page);
        await page.route(call, answer);
        const form = page.locator('form.sign-up').nth(field);
        await form.locator('input').fill(' somebody@example.org ');
        await form.locator('input').press('Enter');
        const hasFailed = failure in said;
        await expectEventually(() => form.locator('button').innerText(), hasFailed ? idle : done);
        await expectEventually(() => form.locator('[data-problem]').innerText(), said[failure] ?? '');
        assert.equal((await form.locator('input').inputValue()).trim(), 'somebody@example.org', failure);
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
    await shows(page, 'Thanks. Your address is confirmed.');
    assert.deepEqual(await confirmed(), ['reader@example.org']);
    await page.goto(link);
    await page.getByRole('button', { name: 'Remove my address' }).click();
    await shows(page, 'We removed your address. We won’t send anything else.');
    assert.deepEqual(await confirmed(), []);
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await shows(page, 'This link doesn’t work');
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
      ['subject', 'Subject', 'Stamps', 'Enter a subject'],
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
    await expectEventually(() => problem(page), NO_EMAIL);
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
      await shows(page, 'We got your message. We’ll answer by email.');
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
    await expectEventually(() => textOf(page, 'h1'), 'You have a new password');
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
    await expectEventually(
      () => strength.innerText(),
      `Too short: at least ${passwordLength.least} characters.`,
    );
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
    await expectEventually(() => textOf(page, 'h1'), 'You have a new password');
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
    await shows(page, 'Ask the person who runs this server');
    await server.services.desk.background.idle();
    await page.goto(`${url}/reset-password?token=${tokenIn(letters().at(-1) ?? '')}`);
    await alive(page);
    assert.equal(
      await textOf(page, '#password-rule'),
      `${RULE} characters. A few unrelated words work well.`,
    );
    const { asked } = await hold(page, CALL);
    await fill(page, 'abc', 'abc');
    await expectEventually(() => problem(page), lengthProblem('abc'));
    assert.deepEqual(asked, [], 'what is too short is not sent');
    await page.unroute(CALL);
    // What only the server knows: too common, or made of the address.
    await fill(page, 'person@example.org', 'person@example.org');
    await expectEventually(async () => /too close to your email address/.test(await problem(page)), true);
    await fill(page, 'nine lanterns over water', 'nine lanterns over water');
    await expectEventually(() => textOf(page, 'h1'), 'You have a new password');
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
    assert.equal(await textOf(page, '#v2-0-0 time'), 'May 1, 2026');
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
    await shows(page, 'Loading the changelog…');
    // Whether the page has asked by now or is about to.
    isAnswered = true;
    answer?.();
    await page.locator('#v1-0-0').waitFor();
    await page.getByText('Loading the changelog…').waitFor({ state: 'hidden' });
  });
});

describe('the search of the guides', () => {
  const site = withSite();

  test('says to everybody when it finds nothing, and when it cannot be loaded', async (t) => {
    const page = await site().visit(t, '/guides');
    await page.locator('#guide-query').fill('xyzzyqwv');
    await page.getByText('No results. Try another word').waitFor();
    await page.locator('#guide-query').fill('labels');
    await page.locator('#guide-results [role=option]').first().waitFor();
    assert.equal(await page.getByText('No results').count(), 0);
    await page.route('**/guide-index.json', FAILURES[CUT]);
    await page.reload();
    await scripted(page);
    await page.locator('#guide-query').fill('labels');
    await page.getByText('Search didn’t load. Try again in a moment.').waitFor();
    await page.unroute('**/guide-index.json');
    await page.locator('#guide-query').fill('label');
    await page.locator('#guide-results [role=option]').first().waitFor();
  });

  test('is had at the next try when its script could not be, also where a failed import is remembered', async (t) => {
    const page = await site().visit(t, '');
    const network = await Network.of(page, /\/assets\/guide-finder-[^/]+\.js$/);
    await network.decide('fails');
    await page.goto(`${site().url}/guides`);
    await scripted(page);
    await page.locator('#guide-query').fill('labels');
    await page.getByText('Search didn’t load. Try again in a moment.').waitFor();
    await network.decide('goes');
    await page.locator('#guide-query').fill('label');
    await page.locator('#guide-results [role=option]').first().waitFor();
  });
});

describe('the scripts of a page that could not be had', () => {
  const site = withSite();

  for (const [what, path, script, isThere] of [
    ['all pages', '/guides', 'page', scripted],
    ['what React takes over', '/reset-password?token=abc', 'island', alive],
  ] as const)
    test(`of ${what}: come as soon as the visitor does something, also where a failed import is remembered`, async (t) => {
      const page = await site().visit(t, '');
      const network = await Network.of(page, new RegExp(`/assets/${script}-[^/]+\\.js$`));
      await network.decide('fails');
      const failed = page.waitForEvent('requestfailed');
      await page.goto(site().url + path);
      await failed;
      await network.decide('goes');
      await page.keyboard.press('Tab');
      await isThere(page);
    });
});
