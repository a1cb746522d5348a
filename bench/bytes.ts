/** The process in which `exact.ts` counts bytes: `bench-bytes PODS`. */
import { measureBytes } from './exact.ts';

process.stdout.write(String(measureBytes(Number(process.argv[2]))));
