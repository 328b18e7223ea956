// The choice of colors in the footer. It is the app's choice too: both read the same place.
import { remember, remembered, THEME } from './storage.ts';

export function watchTheme(): void {
  const choice = document.querySelector('[data-theme-choice]');
  if (!choice) return;
  const root = document.documentElement;
  const current = remembered(THEME) ?? 'auto';
  for (const input of choice.querySelectorAll<HTMLInputElement>('input')) {
    input.checked = input.value === current;
    input.addEventListener('change', () => {
      if (input.value === 'auto') delete root.dataset['phTheme'];
      else root.dataset['phTheme'] = input.value;
      remember(THEME, input.value === 'auto' ? null : input.value);
    });
  }
}
