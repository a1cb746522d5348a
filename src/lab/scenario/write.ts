/** Writes a scenario as YAML that reads back as the same scenario, for reduced failures. */
import { formatYaml } from '../../schema/yaml/index.ts';
import type { FaultSpec } from './fields.ts';
import { scenarioDocument, type ScenarioLike } from './uncompile.ts';

export type { ScenarioLike } from './uncompile.ts';

/** Options of writing a scenario. */
export interface FormatOptions {
  /** The registered faults, which define the parameters that are durations. */
  readonly faults?: readonly FaultSpec[];
  /** A comment at the head of the file, one line for each line of the text. */
  readonly comment?: string;
}

/** Returns the file: the scenario, then its manifests as separate documents. */
export function formatScenario(scenario: ScenarioLike, options: FormatOptions = {}): string {
  const head =
    options.comment === undefined
      ? ''
      : `${options.comment
          .split('\n')
          .map((line) => `# ${line}`.trimEnd())
          .join('\n')}\n`;
  const documents = [scenarioDocument(scenario, options.faults ?? []), ...(scenario.manifests ?? []).map(({ object }) => object)];
  return head + documents.map(formatYaml).join('---\n');
}
