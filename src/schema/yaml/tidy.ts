/** YAML in one style: indentation and spaces as we write them, comments and all that is said left as it is. */
import { parseAllDocuments } from 'yaml';

/** The text, tidied; undefined: it is no YAML, and nothing can be said about its style. */
export function tidyYaml(text: string): string | undefined {
  const documents = parseAllDocuments(text, { keepSourceTokens: false, uniqueKeys: false });
  if (!Array.isArray(documents) || documents.length === 0 || documents.some(({ errors }) => errors.length > 0)) return undefined;
  return documents.map((document) => document.toString({ lineWidth: 0, flowCollectionPadding: true })).join('');
}
