/** What a function says of a wrong argument. */
import { OrchsimError } from '../../../src/engine/error.ts';

/** The message without the line that names the page of the guide. */
export function saidOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof OrchsimError) return error.message.replace(/\n[A-Z_]+: npx orchsim help .*$/, '');
    throw error;
  }
  return '';
}
