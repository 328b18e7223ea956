// Sends the forms without leaving the page. Text that is no address is not sent. A sign-up has succeeded when
// the server took the request, whatever stands in its answer, which is not read; a refusal and a failure are
// said, and what was typed stays. The letter to us must really have arrived.
import { counted } from '#core/counted.ts';
import { parseEmail } from '#core/email.ts';
import { formTexts } from '../content/form-texts.ts';

const { emailMissing: EMAIL_MISSING, emailInvalid: EMAIL_INVALID, failed: FAILED } = formTexts;

/** What a letter to us must have, in the order of the page, with what is said where it is missing. */
const LETTER: readonly (readonly [name: string, missing: string])[] = [
  ['email', EMAIL_MISSING],
  ['subject', 'Enter a subject'],
  ['message', 'Write a message'],
];

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

const fieldOf = ({ form }: Parts, name: string) =>
  form.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name="${name}"]`);

const textOf = (parts: Parts, name: string) => fieldOf(parts, name)?.value.trim() ?? '';

/** What is said of an answer that is no success. */
function refusalOf({ status, headers }: Response): string {
  if (status === 422) return EMAIL_INVALID;
  if (status !== 429) return FAILED;
  const seconds = Number(headers.get('retry-after') ?? '');
  const minutes = Math.max(1, Math.ceil((Number.isFinite(seconds) ? seconds : 0) / 60));
  return `Too many messages from your network. Try again in ${counted(minutes, 'minute')}.`;
}

function post(address: string, body: unknown): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Shows the button as busy; what comes back makes it as it was. A press meanwhile does nothing. */
function beBusy({ button, label }: Parts): () => void {
  const words = label.textContent ?? '';
  button.style.minWidth = `${button.offsetWidth}px`;
  button.setAttribute('aria-disabled', 'true');
  button.classList.add('busy');
  label.textContent = 'Sending';
  return () => {
    label.textContent = words;
    button.classList.remove('busy');
    button.removeAttribute('aria-disabled');
  };
}

async function whileBusy<T>(all: readonly Parts[], work: () => Promise<T>): Promise<T> {
  const endings = all.map(beBusy);
  try {
    return await work();
  } finally {
    for (const end of endings) end();
  }
}

const isBusy = ({ button }: Parts) => button.getAttribute('aria-disabled') === 'true';

/** Says what is wrong, and where: at the first field when it is no field's fault. */
function say(parts: Parts, text: string, field = 'email'): void {
  parts.problem.textContent = text;
  for (const each of parts.form.querySelectorAll('[aria-invalid]')) each.removeAttribute('aria-invalid');
  if (text === '') return;
  const wrong = fieldOf(parts, field);
  wrong?.setAttribute('aria-invalid', 'true');
  wrong?.focus();
}

function finish(parts: Parts): void {
  say(parts, '');
  parts.label.textContent = parts.form.dataset['done'] ?? '';
  // Not `disabled`: the focus stays where it is, and the words are read out.
  parts.button.setAttribute('aria-disabled', 'true');
  parts.button.classList.add('done');
  for (const input of parts.form.querySelectorAll('input')) input.readOnly = true;
}

async function signUp(parts: Parts): Promise<void> {
  const email = textOf(parts, 'email');
  if (email === '') return say(parts, EMAIL_MISSING);
  if (parseEmail(email) === null) return say(parts, EMAIL_INVALID);
  const { call = '', signUp: list = '' } = parts.form.dataset;
  // Both forms of a page are one: what is under way here is under way there, and what was submitted here was submitted there.
  const all = [...document.querySelectorAll<HTMLFormElement>(`[data-sign-up="${list}"]`)].flatMap(
    (form) => partsOf(form) ?? [],
  );
  for (const each of all) say(each, '');
  try {
    const response = await whileBusy(all, () => post(call, { email }));
    // Nobody reads it: until it is given up the browser counts the request as under way.
    void response.body?.cancel();
    if (!response.ok) return say(parts, refusalOf(response));
  } catch {
    return say(parts, FAILED);
  }
  for (const each of all) finish(each);
}

async function write(parts: Parts): Promise<void> {
  const { form } = parts;
  const body = Object.fromEntries(LETTER.map(([name]) => [name, textOf(parts, name)]));
  const [missing, text] = LETTER.find(([name]) => body[name] === '') ?? [];
  if (missing !== undefined) return say(parts, text ?? '', missing);
  if (parseEmail(String(body['email'])) === null) return say(parts, EMAIL_INVALID);
  say(parts, '');
  try {
    const answer = await whileBusy([parts], async () => {
      const response = await post(form.dataset['call'] ?? '', body);
      // Its words and not its status: a gateway that answers for the server says that all is well, too.
      const words = (await response.json()) as {
        readonly success?: unknown;
        readonly field?: unknown;
      } | null;
      return words?.success === true ? null : words?.field === 'email' ? EMAIL_INVALID : refusalOf(response);
    });
    if (answer !== null) return say(parts, answer);
  } catch {
    return say(parts, FAILED);
  }
  const notice = document.createElement('p');
  notice.className = 'notice';
  notice.setAttribute('role', 'status');
  notice.tabIndex = -1;
  notice.textContent = 'We got your message. We’ll answer by email.';
  form.replaceWith(notice);
  notice.focus();
}

export function enhanceForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-call]')) {
    const parts = partsOf(form);
    if (!parts || parts.button.disabled) continue;
    // The browser's own words are for visitors without scripts.
    form.noValidate = true;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (!isBusy(parts)) void (form.dataset['signUp'] === undefined ? write(parts) : signUp(parts));
    });
  }
}
