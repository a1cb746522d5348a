/** Custom kinds from a text with CustomResourceDefinition manifests. */
import { OrchsimError } from '../../engine/error.ts';
import { customKind } from '../../apiserver/custom/index.ts';
import type { Kind } from '../../apiserver/machinery/index.ts';
import { formatProblem, positionOf, readYaml } from '../../schema/yaml/index.ts';

/** Returns the kinds of all definitions in a text, or all problems, one line each with its position. */
export function readCustomKinds(
  text: string,
  file: string,
): { readonly kinds: readonly Kind[] } | { readonly problems: readonly string[] } {
  const { documents, problems: malformed } = readYaml(text, file);
  const problems = malformed.map(formatProblem);
  const kinds: Kind[] = [];
  for (const document of documents) {
    const made = customKind(document.plain);
    if ('kind' in made) kinds.push(made.kind);
    else {
      const { line } = positionOf(document);
      problems.push(...made.problems.map(({ path, message }) => `${file}:${line}: ${path}: ${message}`));
    }
  }
  if (problems.length === 0 && kinds.length === 0) problems.push(`${file}: expected a CustomResourceDefinition, found nothing`);
  return problems.length > 0 ? { problems } : { kinds };
}

/**
 * Returns the kinds of all definitions in a text, for a configuration file: `import widget from './widget.yaml'` gives the text.
 *
 * @throws OrchsimError with all problems.
 */
export function customKinds(text: string, file = 'custom resources'): readonly Kind[] {
  const read = readCustomKinds(text, file);
  if ('problems' in read) throw new OrchsimError('ORCH_DEFINITION', read.problems.join('\n'));
  return read.kinds;
}
