// The choice of colours in the footer. It is the app's choice too: both read the same place.

const KEY = 'posthaste.preference.theme';

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
    return null;
  }
}

function store(theme: string): void {
  try {
    if (theme === 'auto') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // As above.
  }
}

export function watchTheme(): void {
  const choice = document.querySelector('[data-theme-choice]');
  if (!choice) return;
  const root = document.documentElement;
  const current = stored() ?? 'auto';
  for (const input of choice.querySelectorAll<HTMLInputElement>('input')) {
    input.checked = input.value === current;
    input.addEventListener('change', () => {
      if (input.value === 'auto') delete root.dataset['phTheme'];
      else root.dataset['phTheme'] = input.value;
      store(input.value);
    });
  }
}
