// Lets a process import the sources directly: `node --import ./test/support/typescript.mjs`. For the workers of tests.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
process.setSourceMapsEnabled(true);
