/** What becomes of a Namespace on its way in. */
import type { Draft, KindContext } from '../../vocabulary/index.ts';
import { compareText } from '../../../grammar/values/index.ts';

/** Every namespace carries its own name as a label. */
export function labelWithName(draft: Draft, { names }: KindContext): void {
  const { name, labels = {} } = draft.metadata as { readonly name?: string; readonly labels?: Readonly<Record<string, string>> };
  const key = names.key('', 'metadata.name');
  if (name !== undefined && name !== '' && labels[key] !== name) draft.metadata['labels'] = sortedWith(labels, key, name);
}

const sortedWith = (labels: Readonly<Record<string, string>>, key: string, value: string): Record<string, string> =>
  Object.fromEntries(Object.entries({ ...labels, [key]: value }).sort(([a], [b]) => compareText(a, b)));
