/** The entry point of the program: arguments and terminal of this process. */
import { endOnErrors, processIo } from './process-io.ts';
import { main } from './program.ts';

endOnErrors();

// No top-level await: the same file is also bundled as a classic script (bin/kept.js).
void main(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code;
  return code;
});
