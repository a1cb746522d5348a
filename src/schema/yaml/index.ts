/**
 * YAML (and so JSON) as Kubernetes tools read and write it: values with their positions, all problems at once with line and column, scalars
 * by YAML 1.1. Scenarios, request bodies and configuration files are all read here.
 */
export { formatProblem, inReadingOrder, joinPath, showValue, type Position, type Problem } from './problems.ts';
export { positionOf, readYaml, type Located } from './read.ts';
export { resolvePlain } from './scalars.ts';
export { needsQuotes, wholeValue } from './syntax-errors.ts';
export * from './write.ts';
export { withoutSecrets } from './redact-secrets.ts';
