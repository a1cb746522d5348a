/**
 * Properties draw the same values in every run: what passed yesterday and fails today was changed, not drawn. `PROPERTY_SEED=$RANDOM npm
 * test` looks elsewhere; a failure prints its seed, and what it found becomes an example or a scenario.
 */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_120) });
