/** The entry point of the script that answers questions about the program (bin/kept.js). */
import { aboutText } from './about.ts';
import { endOnErrors, processIo } from './process-io.ts';
import { forTerminal } from './io.ts';

endOnErrors();
const io = forTerminal(processIo());
io.out(aboutText(process.argv[2], io));
