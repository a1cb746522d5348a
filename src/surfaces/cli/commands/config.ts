/**
 * `config agent|scheduler|credential-provider [FLAGS…]`: what a process that is started like this would run with, and where each value
 * comes from.
 */
import {
  type ConfigProblem,
  type CredentialProviderConfig,
  type EffectiveValue,
  providersFor,
} from '../../../controlplane/config/index.ts';
import { nearest } from '../../../grammar/values/index.ts';
import { count, table, type Palette } from '../../report/index.ts';
import type { CommandModule } from '../command.ts';
import { PROCESSES, readConfig, type ReadConfig } from '../config/read.ts';
import { BadInput, EXIT } from '../exit.ts';
import { readRules } from '../options.ts';

interface Options {
  readonly json?: boolean;
  readonly changed?: boolean;
  readonly image?: string;
  readonly rules?: string;
}

export const config: CommandModule = {
  define(command, { io, action }) {
    command
      .argument('<process>', 'agent, scheduler or credential-provider')
      .argument('[flags...]', 'flags as the real process takes them; the file they name is read')
      .allowUnknownOption()
      .option('--changed', 'only what is not at its default')
      .option('--image <image>', 'credential-provider: which providers would be asked for this image')
      .option('--rules <mode>', 'agent: specification refuses files that v1.24 takes, recorded warns', 'specification')
      .option('--json', 'as JSON')
      .action(
        action((name: string, flags: readonly string[], options: Options) => {
          const process = PROCESSES.find((each) => each === name);
          if (process === undefined) {
            const near = nearest(name, PROCESSES);
            throw new BadInput(
              `config: expected one of ${PROCESSES.join(', ')}, found ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean ${near}?`}`,
            );
          }
          const read = readConfig(process, flags, io.cwd, readRules(options.rules));
          const asked =
            options.image === undefined || process !== 'credential-provider'
              ? undefined
              : providersFor(read.config as CredentialProviderConfig, options.image).map((provider) => provider.name);
          if (options.json === true)
            io.out(`${JSON.stringify({ ...read, ...(asked === undefined ? {} : { image: options.image, asked }) }, null, 2)}\n`);
          else {
            io.out(`${valueLines(read, options, io.palette).join('\n')}\n`);
            if (asked !== undefined) io.out(`\n${options.image ?? ''} asks ${asked.length === 0 ? 'nobody' : asked.join(', then ')}\n`);
            for (const line of problemLines(read, io.palette)) io.err(`${line}\n`);
          }
          return read.errors.length > 0 ? EXIT.badInput : EXIT.held;
        }),
      );
  },
};

const sourceText = ({ source, flag, position }: EffectiveValue, file: string | undefined): string =>
  source === 'flag'
    ? `flag ${flag ?? ''}`
    : source === 'file'
      ? `${file ?? 'file'}${position === undefined ? '' : `:${position.line}:${position.col}`}`
      : 'default';

const valueText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' && value !== '' ? value : JSON.stringify(value);

function valueLines({ values, file }: ReadConfig, { changed }: Options, palette: Palette): readonly string[] {
  const shown = changed === true ? values.filter(({ source }) => source !== 'default') : values;
  const rows = shown.map((each) => {
    const row = [each.path, valueText(each.value), sourceText(each, file)];
    return each.source === 'default' ? row.map((cell) => palette.dim(cell)) : row;
  });
  const set = values.filter(({ source }) => source !== 'default').length;
  return [
    ...table([['NAME', 'VALUE', 'FROM'].map((head) => palette.dim(head)), ...rows], '   '),
    '',
    `${count(values.length, 'value')}, ${set} not at their defaults`,
  ];
}

function problemLines({ warnings, errors, file }: ReadConfig, palette: Palette): readonly string[] {
  const place = ({ position, path }: ConfigProblem): string =>
    position !== undefined && file !== undefined
      ? `${file}:${position.line}:${position.col}: `
      : path.startsWith('--')
        ? ''
        : file === undefined
          ? ''
          : `${file}: `;
  return [
    ...warnings.map((problem) => `${palette.warn('warning')}: ${place(problem)}${problem.message}`),
    ...errors.map((problem) => `${palette.bad('error')}: ${place(problem)}${problem.message}`),
  ];
}
