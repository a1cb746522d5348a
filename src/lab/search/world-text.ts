/** A choice in plain words: at which point of the run, and what went wrong there. */
import { kindOf } from '../choices/index.ts';
import type { PointChoice } from '../scenario/index.ts';
import { shortKey, withoutChance } from '../trace/index.ts';

const nth = (text: string): string => {
  const number = Number(text.replace('#', ''));
  return number === 1 ? 'first' : number === 2 ? 'second' : number === 3 ? 'third' : `${number}th`;
};

/** `the first change of ConfigMap web~ConfigMap1 that controller-manager sees: comes 3s late`. */
export function worldText({ at, injectedFault }: PointChoice): string {
  return `${subjectOf(at)}: ${withoutChance(kindOf(injectedFault).says(injectedFault))}`;
}

function subjectOf(at: string): string {
  const [sort = '', process = '', who = '', ...rest] = at.split(' ');
  switch (sort) {
    case 'see':
      return `the ${nth(rest.at(-1) ?? '')} change of ${who} ${shortKey(rest.slice(0, -1).join(' '))} that ${process} sees`;
    case 'decide':
      return `a decision of ${who} about ${shortKey(rest.slice(0, -1).join(' '))}`;
    case 'write': {
      const [key = '', request = ''] = rest.join(' ').split(': ');
      return `the ${nth(request.split(' ').at(-1) ?? '')} "${request.split(' ').slice(0, -1).join(' ')}" of ${who} about ${shortKey(key)}`;
    }
    case 'actor':
      return who === 'sees' ? `all that ${process} sees of ${rest.join(' ')}` : `all that ${who} ${rest.join(' ')}`;
    default:
      return at;
  }
}
