/** An object as YAML, what was just changed marked. Status comes first: it is what changes. */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import { linesOf } from '../model/yaml-lines.ts';

export const Yaml = ({ object, changed }: { readonly object: ApiObject; readonly changed: readonly string[] }) => (
  <pre class="yaml" tabIndex={0} aria-label={`${object.kind} ${object.metadata.name} as YAML`}>
    {linesOf(object, changed).map(({ text, marked }) => (marked ? <mark>{`${text}\n`}</mark> : `${text}\n`))}
  </pre>
);
