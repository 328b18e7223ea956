// A button on each sample of code that copies it, and says whether that worked.

const SAID_MS = 2_000;

export function addCopyButtons(): void {
  if (!('clipboard' in navigator)) return;
  for (const sample of document.querySelectorAll<HTMLElement>('.sample')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.ariaLive = 'polite';
    button.addEventListener('click', () => {
      const say = (words: string) => {
        button.textContent = words;
        setTimeout(() => {
          button.textContent = 'Copy';
        }, SAID_MS);
      };
      const text = sample.querySelector('code')?.textContent ?? '';
      navigator.clipboard.writeText(text).then(
        () => say('Copied'),
        () => say('Not copied'),
      );
    });
    sample.append(button);
  }
}
