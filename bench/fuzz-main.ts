/** The program behind `npm run fuzz`. */
import { fuzzMain } from './fuzz.ts';

process.exitCode = await fuzzMain(process.argv.slice(2));
