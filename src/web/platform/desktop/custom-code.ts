// Custom JavaScript in the desktop client: a script of its own, which the client’s build alone makes (scripts/desktop-build.ts). No file of the web app
// leads here. It reads the person's file by the program around the page, and runs it in the page.
import type { CustomApi } from '#client/custom-code/api.ts';
import { customCode, type CustomCodePort } from '#client/custom-code/part.ts';
import type { Part } from '#client/app/part.ts';

/** Where the program has the file. */
const FILE = '/app/custom.js';

const port: CustomCodePort = {
  // The program opens the page with `?safe` then.
  isShiftHeld: false,
  async read() {
    const answer = await fetch(FILE, { cache: 'no-store' });
    return answer.ok ? await answer.text() : null;
  },
  async run(_code: string, api: CustomApi) {
    // Engines keep a module by its address: each start reads it anew.
    const loaded = (await import(/* @vite-ignore */ `${FILE}?${Date.now()}`)) as {
      readonly default?: unknown;
    };
    if (typeof loaded.default !== 'function')
      throw new TypeError('The file has no default export. It begins with “export default (api) => {”.');
    await (loaded.default as (given: CustomApi) => unknown)(api);
  },
};

declare global {
  /** Set here, and taken by the first script of the page (src/desktop/page/bridge.ts). */
  var posthasteCustomCode: (() => Part) | undefined;
}

globalThis.posthasteCustomCode = () => customCode(port);
