// Attaching files in a browser, and what the dialog of attachments lists.
import type { Page } from 'playwright-core';

/** A red square, 4 by 4. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAEElEQVR4nGP4z8AARwzEcQCukw/x0F8jngAAAABJRU5ErkJggg==';

/** As a person who copied a picture, or drags a file from a folder. */
export async function give(page: Page, how: 'paste' | 'drop', name: string, base64: string): Promise<void> {
  await page.evaluate(
    ([kind, file, content]) => {
      const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], file));
      const target = document.querySelector('[data-row]') ?? document.body;
      const init = { bubbles: true, cancelable: true };
      target.dispatchEvent(
        kind === 'paste'
          ? new ClipboardEvent('paste', { ...init, clipboardData: data })
          : new DragEvent('drop', { ...init, dataTransfer: data }),
      );
    },
    [how, name, base64] as const,
  );
}

const lines = (page: Page) => page.locator('dialog ul li').allInnerTexts();
/** Names with what is said of them. */
export const listed = async (page: Page) =>
  (await lines(page)).map((line) =>
    line
      .split('\n')
      .filter((part) => part !== '')
      .slice(0, 2)
      .join(': '),
  );
