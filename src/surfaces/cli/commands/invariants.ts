/** `invariants`: the properties that every run is held against. */
import { invariants as registry } from '../../../lab/invariants/index.ts';
import { listing } from '../listing.ts';

export const invariants = listing({
  columns: ['NAME', 'HOLDS', 'SAYS'],
  items: () => registry.map(({ name, temporal, description, kinds }) => ({ name, temporal, description, kinds })),
  row: ({ name, temporal, description }) => [name, temporal, description],
});
