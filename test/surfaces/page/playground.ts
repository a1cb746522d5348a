/** The playground, for all tests that open it. */
import { shared } from '../../support/shared.ts';
import { orchsim } from './chromium.ts';

/** Writes a page with all shipped scenarios; returns its path. */
export const playground = (): Promise<string> =>
  shared('playground.html', async (path) => {
    await orchsim('play', '--no-open', '--out', path);
  });
