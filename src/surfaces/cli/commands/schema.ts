/** `schema [scenario|KIND]`: prints the JSON Schema of scenario files or of a kind, documents it, or configures editors with it. */
import type { KindRegistry } from '../../../apiserver/kinds/index.ts';
import { namesFor } from '../../../apiserver/machinery/index.ts';
import { type Definitions, kindsWith } from '../../../lab/definitions/index.ts';
import { referenceSections } from '../../../lab/scenario/index.ts';
import { vocabulary } from '../../../lab/vocabulary.ts';
import { kindJsonSchema, scenarioSchema } from '../../report/index.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { installSchema } from '../editor.ts';
import { BadInput } from '../exit.ts';
import { type Io, jsonText } from '../io.ts';
import { pluginsOf } from '../load.ts';
import { readDomain, DOMAIN } from '../options.ts';
import { readKind } from '../question/target.ts';
import { referenceLines } from '../reference/index.ts';

const SCENARIO = 'scenario';

const options = [
  DOMAIN,
  ['--reference', 'documents the format of scenario files, with an example of each field'],
  ['--install', 'writes the schema of scenario files, and configures VS Code and other editors'],
  ['--to <folder>', 'with --install: the folder of the project', '.'],
  ['--force', 'with --install: overwrites a schema file with other contents'],
  ['--json', 'has no effect: the output is JSON'],
] as const;
type Options = OptionsOf<typeof options>;

export const command = defineCommand({
  arguments: [['[what]', 'scenario, or a kind such as Job', SCENARIO]],
  options,
  act({ io }, given, what) {
    const { definitions } = pluginsOf(io);
    const kinds = kindsWith(namesFor(readDomain(given.domain)), definitions);
    if (given.install || given.reference) ofScenarios(what, kinds, definitions, given, io);
    else io.out(jsonText(isScenario(what) ? scenarioSchema(kinds, definitions) : kindJsonSchema(readKind(what, kinds, [SCENARIO]), kinds)));
  },
});

const isScenario = (what: string): boolean => what.toLowerCase() === SCENARIO;

function ofScenarios(what: string, kinds: KindRegistry, definitions: Definitions, { install, to, force }: Options, io: Io): void {
  const option = install ? '--install' : '--reference';
  if (!isScenario(what))
    throw new BadInput(
      `${option}: it is about scenario files, found ${JSON.stringify(what)} (orchsim kinds ${what} shows the fields of a kind)`,
    );
  if (install) installSchema(to, scenarioSchema(kinds, definitions), force, io);
  else io.out(`${referenceLines(referenceSections(vocabulary(definitions)), io.palette, io.columns).join('\n')}\n`);
}
