// The page that asks for the server at the first start, and when its person wants another one.
import type { Desktop } from './bridge.ts';

const { desktop } = window as unknown as { readonly desktop: Desktop };
const form = document.querySelector('form');
const field = document.querySelector<HTMLInputElement>('#address');
const problem = document.querySelector('#problem');

const named = document.querySelector<HTMLMetaElement>('meta[name="posthaste-server"]')?.content ?? '';
if (field) field.value = named;
field?.select();

desktop.onServer((refused) => {
  if (refused === null) location.href = '/app/';
  else if (problem) problem.textContent = refused;
});
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  desktop.say({ type: 'server', address: field?.value ?? '' });
});
window.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') location.href = '/app/';
});
console.info('The page listens.');
