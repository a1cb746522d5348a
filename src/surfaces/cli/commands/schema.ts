/**
 * `schema [scenario|KIND]`: prints the JSON Schema of scenario files or of a kind. `--reference` documents the format, `--install` writes
 * the schema and configures editors.
 */
import type { KindRegistry } from '../../../apiserver/kinds/index.ts';
import { namesFor } from '../../../apiserver/machinery/index.ts';
import { type Definitions, kindsWith } from '../../../lab/definitions/index.ts';
import { referenceSections } from '../../../lab/scenario/index.ts';
import { vocabulary } from '../../../lab/vocabulary.ts';
import { kindJsonSchema, scenarioSchema } from '../../report/index.ts';
import type { CommandModule } from '../command.ts';
import { installSchema, schemaText } from '../editor.ts';
import { BadInput, EXIT } from '../exit.ts';
import type { Io } from '../io.ts';
import { pluginsOf } from '../load.ts';
import { readDomain } from '../options.ts';
import { readKind } from '../question/target.ts';
import { referenceLines } from '../reference/index.ts';

interface Options {
  readonly domain: string;
  readonly reference?: boolean;
  readonly install?: boolean;
  readonly to: string;
  readonly force?: boolean;
}

const SCENARIO = 'scenario';

export const schema: CommandModule = {
  define(command, { io, action }) {
    command
      .argument('[what]', 'scenario, or a kind such as Job', SCENARIO)
      .option('--domain <domain>', 'the spelling of names: orch.io or k8s.io', 'orch.io')
      .option('--reference', 'documents the format of scenario files, with an example of each field')
      .option('--install', 'writes the schema of scenario files, and configures VS Code and other editors')
      .option('--to <folder>', 'with --install: the folder of the project', '.')
      .option('--force', 'with --install: overwrites a schema file with other contents')
      .option('--json', 'has no effect: the output is JSON')
      .action(
        action((what: string, options: Options) => {
          const { definitions } = pluginsOf(io);
          const kinds = kindsWith(namesFor(readDomain(options.domain)), definitions);
          if (options.install === true || options.reference === true) ofScenarios(what, kinds, definitions, options, io);
          else
            io.out(
              schemaText(isScenario(what) ? scenarioSchema(kinds, definitions) : kindJsonSchema(readKind(what, kinds, [SCENARIO]), kinds)),
            );
          return EXIT.held;
        }),
      );
  },
};

const isScenario = (what: string): boolean => what.toLowerCase() === SCENARIO;

function ofScenarios(what: string, kinds: KindRegistry, definitions: Definitions, { install, to, force }: Options, io: Io): void {
  const option = install === true ? '--install' : '--reference';
  if (!isScenario(what))
    throw new BadInput(
      `${option}: it is about scenario files, found ${JSON.stringify(what)} (orchsim kinds ${what} shows the fields of a kind)`,
    );
  if (install === true) installSchema({ folder: to, force: force === true, schema: scenarioSchema(kinds, definitions) }, io);
  else io.out(`${referenceLines(referenceSections(vocabulary(definitions)), io.palette, io.columns).join('\n')}\n`);
}
