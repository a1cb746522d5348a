/** The process in which `exact.ts` counts bytes. */
import { measureBytes } from './exact.ts';

process.stdout.write(String(measureBytes()));
