/** YAML in one style: indentation and spaces are normalised, comments and content are kept. */
import { parseAllDocuments } from 'yaml';

/** Returns the normalised text; undefined: the text is not well-formed YAML. */
export function tidyYaml(text: string): string | undefined {
  const documents = parseAllDocuments(text, { keepSourceTokens: false, uniqueKeys: false });
  if (!Array.isArray(documents) || documents.length === 0 || documents.some(({ errors }) => errors.length > 0)) return undefined;
  return documents.map((document) => document.toString({ lineWidth: 0, flowCollectionPadding: true })).join('');
}
