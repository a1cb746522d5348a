/** An object as YAML, with marked changes. Status comes first, because it changes most. */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import { linesOf } from '../model/yaml-lines.ts';

export const Yaml = ({ object, changed }: { readonly object: ApiObject; readonly changed: readonly string[] }) => (
  <pre class="yaml" tabIndex={0} aria-label={`${object.kind} ${object.metadata.name} as YAML`}>
    {linesOf(object, changed).map(({ text, marked }) => (marked ? <mark>{`${text}\n`}</mark> : `${text}\n`))}
  </pre>
);
