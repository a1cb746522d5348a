/** The text of `orchsim`, `orchsim --help` and `orchsim help`: commands, topics, exit codes. */
import { guideTopics } from '../../guide/index.ts';
import { table } from '../../report/index.ts';
import { commands } from '../commands/index.ts';
import { EXIT, EXIT_MEANS } from '../exit.ts';
import type { Io } from '../io.ts';

const codes = Object.keys(EXIT) as readonly (keyof typeof EXIT)[];

export const overview = ({ palette }: Pick<Io, 'palette'>): string =>
  [
    `${palette.strong('orchsim')}: Kubernetes v1.24 behaviour in one process: deterministic, in virtual time, with fault search`,
    '',
    `usage: orchsim COMMAND …   ${palette.dim('(orchsim COMMAND --help shows what it takes)')}`,
    '',
    ...table(commands.map(({ name, takes, summary }) => [`  ${name}`, palette.dim(takes), summary])),
    '',
    `the guide: orchsim help TOPIC`,
    '',
    ...table(guideTopics.map(({ name, summary }) => [`  ${name}`, summary])),
    '',
    `exit codes: ${codes.map((name) => `${EXIT[name]} ${EXIT_MEANS[name]}`).join(' · ')}`,
    '',
  ].join('\n');
