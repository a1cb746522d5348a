/** The text of `orchsim`, `orchsim --help` and `orchsim help`: commands, topics, exit codes. */
import { guideTopics } from '../../guide/index.ts';
import { fittedTable } from '../../report/index.ts';
import { commands } from '../commands/index.ts';
import { EXIT, EXIT_MEANS } from '../exit.ts';
import { fitted } from '../fitted.ts';
import type { Io } from '../io.ts';

const codes = Object.keys(EXIT) as readonly (keyof typeof EXIT)[];

export const overview = (io: Pick<Io, 'palette' | 'columns' | 'terminal'>): string => fitted(lines(io), io);

const lines = ({ palette, columns, terminal }: Pick<Io, 'palette' | 'columns' | 'terminal'>): readonly string[] => {
  const width = terminal ? columns : Infinity;
  return [
    `${palette.strong('orchsim')}: Kubernetes v1.24 behaviour in one process: deterministic, in virtual time, with fault search`,
    '',
    `usage: orchsim COMMAND …   ${palette.dim('(orchsim COMMAND --help shows what it takes)')}`,
    '',
    ...fittedTable(
      [['', '', ''], ...commands.map(({ name, takes, summary }) => [`  ${name}`, palette.dim(takes), summary])],
      '  ',
      width,
    ).slice(1),
    '',
    `the guide: orchsim help TOPIC`,
    '',
    ...fittedTable([['', ''], ...guideTopics.map(({ name, summary }) => [`  ${name}`, summary])], '  ', width).slice(1),
    '',
    `exit codes: ${codes.map((name) => `${EXIT[name]} ${EXIT_MEANS[name]}`).join(' · ')}`,
  ];
};
