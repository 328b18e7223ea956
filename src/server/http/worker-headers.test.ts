// The policies of workers: each by the name of its file, and no other file has one.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { workerHeaders } from './files.ts';
import { securityHeaders } from './headers.ts';

describe('the headers of workers', () => {
  test('[IMPORT-101] the worker of imports may compile WebAssembly, and asks this server alone', () => {
    const kind = workerHeaders('assets/import-worker-Ab12_xyZ.js');
    assert.equal(kind, 'import-worker');
    assert.equal(
      securityHeaders('import-worker', 'https://tasks.example')['content-security-policy'],
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });

  test('[MACRO-109] other files have none', () => {
    for (const path of [
      'assets/index-Ab12_xyZ.js',
      'assets/import-worker.js',
      'import-worker-Ab12_xyZ.js',
      'sw.js',
    ])
      assert.equal(workerHeaders(path), null, path);
    assert.equal(workerHeaders('assets/script-worker-Ab12_xyZ.js'), 'script-worker');
  });
});
