/** The Chromium of the tests. The headless shell takes a fifth less time than the browser, which opens windows that no test looks at. */
import { existsSync } from 'node:fs';

export const executablePath = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path));
