// Lets a process import the sources as they are: `node --import ./test/support/typescript.mjs`. For the workers that tests run in.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
process.setSourceMapsEnabled(true);
