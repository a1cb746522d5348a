/** The program: one process, its arguments, its terminal. */
import { printable } from '../report/index.ts';
import { EXIT } from './exit.ts';
import { processIo } from './process-io.ts';
import { main } from './program.ts';

// What a listener of a stream throws (a disk that is full, say) surfaces only after the stream has gone on.
process.on('uncaughtException', (error) => {
  process.stderr.write(printable(`orchsim could not go on: ${error.stack ?? error.message}\n`));
  process.exit(EXIT.internal);
});

// No await: the same text is bundled as a script, too (bin/kept.js).
void main(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code;
  return code;
});
