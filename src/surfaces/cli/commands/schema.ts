/** `schema scenario|KIND`: JSON Schema of scenario files or of a kind, for editors. */
import { kindsWith } from '../../../lab/definitions/index.ts';
import { namesFor } from '../../../apiserver/vocabulary/index.ts';
import { kindJsonSchema, scenarioSchema } from '../../report/index.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit.ts';
import { ownOf } from '../load.ts';
import { readDomain } from '../options.ts';
import { readKind } from '../question/target.ts';

interface Options {
  readonly domain: string;
}

export const schema: CommandModule = {
  define(command, { io, action }) {
    command
      .argument('<what>', 'scenario, or a kind such as Job')
      .option('--domain <domain>', 'the spelling of names: orch.io or k8s.io', 'orch.io')
      .option('--json', 'JSON it is anyway')
      .action(
        action((what: string, { domain }: Options) => {
          const { definitions } = ownOf(io);
          const kinds = kindsWith(namesFor(readDomain(domain)), definitions);
          const document =
            what.toLowerCase() === 'scenario' ? scenarioSchema(kinds, definitions) : kindJsonSchema(readKind(what, kinds), kinds);
          io.out(`${JSON.stringify(document, null, 2)}\n`);
          return EXIT.held;
        }),
      );
  },
};
