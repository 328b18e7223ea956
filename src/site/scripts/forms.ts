// Sends the forms without leaving the page. Sign-ups: any answer is a success, even one that says that something failed;
// only a request that cannot be made is a failure. The letter to us must really have arrived.

const EMAIL_MISSING = 'Enter an email';
const FAILED = 'Something went wrong, try again!';

interface Parts {
  readonly form: HTMLFormElement;
  readonly button: HTMLButtonElement;
  readonly label: HTMLElement;
  readonly problem: HTMLElement;
}

function partsOf(form: HTMLFormElement): Parts | null {
  const button = form.querySelector('button');
  const label = form.querySelector<HTMLElement>('[data-label]');
  const problem = form.querySelector<HTMLElement>('[data-problem]');
  return button && label && problem ? { form, button, label, problem } : null;
}

const textOf = (form: HTMLFormElement, name: string) =>
  form.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name="${name}"]`)?.value ?? '';

function post(address: string, body: unknown): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Shows the button as busy while `work` runs; a second press meanwhile does nothing. */
async function whileBusy<T>({ button, label }: Parts, work: () => Promise<T>): Promise<T> {
  const words = label.textContent ?? '';
  button.style.minWidth = `${button.offsetWidth}px`;
  button.setAttribute('aria-disabled', 'true');
  button.classList.add('busy');
  label.textContent = 'Sending';
  try {
    return await work();
  } finally {
    label.textContent = words;
    button.classList.remove('busy');
    button.removeAttribute('aria-disabled');
  }
}

const isBusy = ({ button }: Parts) => button.getAttribute('aria-disabled') === 'true';

function say({ form, problem }: Parts, text: string): void {
  problem.textContent = text;
  const input = form.querySelector('input');
  if (text === '') {
    input?.removeAttribute('aria-invalid');
    return;
  }
  input?.setAttribute('aria-invalid', 'true');
  input?.focus();
}

function finish(form: HTMLFormElement): void {
  const parts = partsOf(form);
  if (!parts) return;
  say(parts, '');
  parts.label.textContent = form.dataset['done'] ?? '';
  // Not `disabled`: the focus stays where it is, and the words are read out.
  parts.button.setAttribute('aria-disabled', 'true');
  parts.button.classList.add('done');
  for (const input of form.querySelectorAll('input')) input.readOnly = true;
}

async function signUp(parts: Parts): Promise<void> {
  const { form } = parts;
  const email = textOf(form, 'email').trim();
  if (email === '') return say(parts, EMAIL_MISSING);
  say(parts, '');
  try {
    await whileBusy(parts, () => post(form.dataset['call'] ?? '', { email }));
  } catch {
    return say(parts, FAILED);
  }
  // Both forms of a page are one: what was submitted here was submitted there.
  for (const each of document.querySelectorAll<HTMLFormElement>(`[data-sign-up="${form.dataset['signUp']}"]`))
    finish(each);
}

async function write(parts: Parts): Promise<void> {
  const { form } = parts;
  const body = Object.fromEntries(['email', 'subject', 'message'].map((name) => [name, textOf(form, name)]));
  say(parts, '');
  try {
    const { ok } = await whileBusy(parts, () => post(form.dataset['call'] ?? '', body));
    if (!ok) return say(parts, FAILED);
  } catch {
    return say(parts, FAILED);
  }
  const notice = document.createElement('p');
  notice.className = 'notice';
  notice.setAttribute('role', 'status');
  notice.tabIndex = -1;
  notice.textContent = 'Your message has arrived. The answer comes to the address you gave.';
  form.replaceWith(notice);
  notice.focus();
}

export function enhanceForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-call]')) {
    const parts = partsOf(form);
    if (!parts || parts.button.disabled) continue;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (!isBusy(parts)) void (form.dataset['signUp'] === undefined ? write(parts) : signUp(parts));
    });
  }
}
