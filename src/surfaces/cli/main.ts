/** The entry point of the program: arguments and terminal of this process. */
import { printable } from '../report/index.ts';
import { EXIT } from './exit.ts';
import { processIo } from './process-io.ts';
import { main } from './program.ts';

// Errors of stream listeners, such as a full disk, are thrown asynchronously.
process.on('uncaughtException', (error) => {
  process.stderr.write(printable(`orchsim cannot continue: ${error.stack ?? error.message}\n`));
  process.exit(EXIT.internal);
});

// No top-level await: the same file is also bundled as a classic script (bin/kept.js).
void main(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code;
  return code;
});
