/** An object as YAML, with marked changes. Status comes first, because it changes most. */
import { useMemo } from 'preact/hooks';
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import { linesOf, type YamlLine } from '../model/yaml-lines.ts';

export const Yaml = ({ object, changed }: { readonly object: ApiObject; readonly changed: readonly string[] }) =>
  useMemo(
    () => (
      <pre class="yaml" tabIndex={0} aria-label={`${object.kind} ${object.metadata.name} as YAML`}>
        {joined(linesOf(object, changed)).map(({ text, marked }) => (marked ? <mark>{text}</mark> : text))}
      </pre>
    ),
    [object, changed.join()],
  );

/** Lines up to the next marked one are one text, so that few nodes are written at a step. */
function joined(lines: readonly YamlLine[]): readonly YamlLine[] {
  const all: YamlLine[] = [];
  for (const { text, marked } of lines) {
    const last = all.at(-1);
    if (last === undefined || marked || last.marked) all.push({ text: `${text}\n`, marked });
    else all[all.length - 1] = { text: `${last.text}${text}\n`, marked };
  }
  return all;
}
