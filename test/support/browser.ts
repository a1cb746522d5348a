/** Whether a browser can run the built module. Tests that need one say why they are skipped. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { executablePath } from './executable.ts';
import { root } from './shipped.ts';

export const bundle = join(root, 'dist/browser.js');
export const ready = executablePath !== undefined && existsSync(bundle) && existsSync(join(root, 'dist/orchsim.js'));
if (!ready)
  console.log(
    `test/browser.test.ts skipped: ${executablePath === undefined ? 'no Chromium at /usr/bin/chromium (apt-get install chromium)' : 'dist/ is not built (npm run build)'}`,
  );
