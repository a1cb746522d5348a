/** `invariants`: lists the invariants that every run is checked against. */
import { invariantsWith } from '../../../lab/definitions/index.ts';
import { listing } from '../listing.ts';

export const invariants = listing({
  columns: ['NAME', 'HOLDS', 'SAYS'],
  items: (definitions) =>
    invariantsWith(definitions).map(({ name, temporal, description, kinds, onRequest }) => ({
      name,
      temporal,
      description,
      kinds,
      ...(onRequest === undefined ? {} : { onRequest }),
    })),
  row: ({ name, temporal, description, onRequest }) => [
    name,
    temporal,
    onRequest === undefined ? description : `${description} Checked only where a scenario names it: ${onRequest}.`,
  ],
});
