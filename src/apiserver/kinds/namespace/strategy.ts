/** Changes of Namespaces before they are stored. */
import { type Draft, type KindContext, currentOf } from '../../machinery/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import type { Namespace } from './shape.ts';

/** Adds the label with the name of the namespace. */
export function labelWithName({ metadata }: Draft<Namespace>, { names }: KindContext): void {
  const { name, labels = {} } = metadata;
  const key = names.key('', 'metadata.name');
  if (name === undefined || name === '' || labels[key] === name) return;
  metadata.labels = Object.fromEntries(Object.entries({ ...currentOf(labels), [key]: name }).sort(([a], [b]) => compareText(a, b)));
}
