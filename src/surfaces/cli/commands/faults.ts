/** `faults`: lists the faults that a scenario can inject, and their syntax. */
import { faultsWith } from '../../../lab/definitions/index.ts';
import type { Fields } from '../../../lab/scenario/index.ts';
import { listing } from '../listing.ts';

const written = (name: string, parameters: Fields): string => {
  const given = Object.entries(parameters).map(([parameter, field]) => (field.required === true ? parameter : `[${parameter}]`));
  return `${name}: …${given.length === 0 ? '' : `, ${given.join(', ')}`}`;
};

export const faults = listing({
  columns: ['FAULT', 'WRITTEN', 'DOES'],
  items: (definitions) =>
    faultsWith(definitions).map(({ name, description, subject, parameters }) => ({ name, description, subject, parameters })),
  row: ({ name, description, parameters }) => [name, `{ ${written(name, parameters)} }`, description],
});
