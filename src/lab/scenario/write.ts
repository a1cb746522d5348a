/** Writes a scenario as YAML that reads back as the same scenario: how a shrunk failure becomes a file. */
import { formatYaml } from '../../schema/yaml/index.ts';
import type { FaultSpec } from './fields.ts';
import { scenarioDocument, type ScenarioLike } from './uncompile.ts';

export type { ScenarioLike } from './uncompile.ts';

/** How a scenario is written as text. */
export interface FormatOptions {
  /** The registered faults: they say which parameters are durations. */
  readonly faults?: readonly FaultSpec[];
  /** Stands at the head of the file; a line of the text a line of comment. */
  readonly comment?: string;
}

/** The file: the scenario, then its manifests as documents of their own. */
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
