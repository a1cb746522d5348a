/** `help exit-codes`. */
import { EXIT, EXIT_TELLS } from '../../exit.ts';
import { EXAMPLE_FILE } from '../example.ts';
import { rows, type Topic } from '../topic.ts';

const names = Object.keys(EXIT) as readonly (keyof typeof EXIT)[];

export const exitCodes: Topic = {
  name: 'exit-codes',
  summary: 'what a command says by the code it ends with',
  text: (_, columns) => `Every command ends with one of these:

${rows(
  names.map((name) => [String(EXIT[name]), EXIT_TELLS[name]]),
  columns,
)}

Of several scenarios, what broke weighs more than what did not settle; where one of the files could not be read, it is 2, though the others ran. For continuous integration:

    npx orchsim run ${EXAMPLE_FILE} --format junit`,
};
