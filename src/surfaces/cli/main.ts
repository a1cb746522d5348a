/** The program: one process, its arguments, its terminal. */
import { processIo } from './process-io.ts';
import { main } from './program.ts';

process.exitCode = await main(process.argv.slice(2), processIo());
