// The page that asks for the server at the first start, and when its person wants another one.
import type { Desktop } from './bridge.ts';

const NO_ADDRESS = 'That’s no address. Type it without a path, like tasks.example.org.';

const { desktop } = window as unknown as { readonly desktop: Desktop };
const form = document.querySelector('form');
const field = document.querySelector<HTMLInputElement>('#address');
const problem = document.querySelector('#problem');

const named = document.querySelector<HTMLMetaElement>('meta[name="posthaste-server"]')?.content ?? '';
if (field) field.value = named;
field?.select();

desktop.onServer((isTaken) => {
  if (isTaken) location.href = '/app/';
  else if (problem) problem.textContent = NO_ADDRESS;
});
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  desktop.say({ type: 'server', address: field?.value ?? '' });
});
window.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') location.href = '/app/';
});
