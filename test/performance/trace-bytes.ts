/** A program that prints the bytes of a kept trace for each of its entries, in a process whose heap holds nothing else. */
import { traceBytes } from '../../bench/history.ts';

// What is computed once for a process is not part of it.
traceBytes(100);
console.log(traceBytes(300));
