/**
 * Properties draw the same values in every run, so that a new failure is due to a change and not to chance. `PROPERTY_SEED=$RANDOM npm
 * test` draws other values; a failure prints its seed, and its counterexample becomes an example or a scenario.
 */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_120) });
