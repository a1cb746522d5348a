/**
 * Parses the text form of a label selector into requirements, with upstream's error texts. Models: v1.24 apimachinery pkg/labels
 * Parser.
 */
import { scratch } from '../../engine/index.ts';
import { bad, compareText, good, type Parsed } from './texts.ts';

export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

export interface LabelRequirement {
  readonly key: string;
  readonly op: LabelOperator;
  readonly values: readonly string[];
}

/** Makes requirements of what is read: validated, or, of a text that was validated before, as they are. */
export interface RequirementMaker {
  /** The problem of a key; undefined: it is valid. */
  problemOf(key: string): string | undefined;
  requirement(key: string, op: LabelOperator, values: readonly string[]): Parsed<LabelRequirement>;
}

/** Returns the requirements in the order in which they are written. */
export const parseRequirements = (text: string, make: RequirementMaker): Parsed<readonly LabelRequirement[]> =>
  new Parser(tokenise(text), make).all();

const OPERATORS: Readonly<Partial<Record<TokenKind, LabelOperator>>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};

class Parser {
  readonly #tokens: readonly Token[];
  readonly #make: RequirementMaker;
  #at = 0;

  constructor(tokens: readonly Token[], make: RequirementMaker) {
    this.#tokens = tokens;
    this.#make = make;
  }

  /** The next token; `in` and `notin` are ordinary names wherever an operator is not allowed. */
  #peek(): Token {
    const token = this.#raw();
    return token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', text: token.text } : token;
  }

  #raw(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' };
  }

  #take(): Token {
    const token = this.#peek();
    this.#at++;
    return token;
  }

  all(): Parsed<readonly LabelRequirement[]> {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const next = this.#peek();
      if (next.kind === 'end') return good(requirements);
      if (next.kind !== 'identifier' && next.kind !== '!') return bad(`found '${next.text}', expected: !, identifier, or 'end of string'`);
      const requirement = this.#requirement();
      if (requirement.error !== undefined) return bad(`unable to parse requirement: ${requirement.error}`);
      requirements.push(requirement.value);
      const after = this.#take();
      if (after.kind === 'end') return good(requirements);
      if (after.kind !== ',') return bad(`found '${after.text}', expected: ',' or 'end of string'`);
      const more = this.#peek();
      if (more.kind !== 'identifier' && more.kind !== '!') return bad(`found '${more.text}', expected: identifier after ','`);
    }
  }

  #requirement(): Parsed<LabelRequirement> {
    const negated = this.#peek().kind === '!';
    if (negated) this.#at++;
    const key = this.#take();
    if (key.kind !== 'identifier') return bad(`found '${key.text}', expected: identifier`);
    const problem = this.#make.problemOf(key.text);
    if (problem !== undefined) return bad(problem);
    if (negated) return this.#make.requirement(key.text, '!', []);
    const after = this.#peek().kind;
    if (after === 'end' || after === ',') return this.#make.requirement(key.text, 'exists', []);
    const sign = this.#raw();
    this.#at++;
    const op = OPERATORS[sign.kind];
    if (op === undefined) return bad(`found '${sign.text}', expected: in, notin, =, ==, !=, gt, lt`);
    const values = op === 'in' || op === 'notin' ? this.#values() : this.#value();
    return values.error !== undefined ? values : this.#make.requirement(key.text, op, values.value);
  }

  #value(): Parsed<readonly string[]> {
    const next = this.#peek();
    if (next.kind === 'end' || next.kind === ',') return good(['']);
    this.#at++;
    return next.kind === 'identifier' ? good([next.text]) : bad(`found '${next.text}', expected: identifier`);
  }

  #values(): Parsed<readonly string[]> {
    const open = this.#take();
    if (open.kind !== '(') return bad(`found '${open.text}' expected: '('`);
    const next = this.#peek();
    if (next.kind !== 'identifier' && next.kind !== ',' && next.kind !== ')')
      return bad(`found '${next.text}', expected: ',', ')' or identifier`);
    const found = new Set<string>();
    if (next.kind === ')') found.add('');
    else {
      const error = this.#list(found);
      if (error !== undefined) return bad(error);
    }
    this.#at++;
    return good([...found].toSorted(compareText));
  }

  /** Reads names and commas up to the closing bracket; missing names are empty values. */
  #list(found: Set<string>): string | undefined {
    for (;;) {
      const token = this.#take();
      if (token.kind === 'identifier') {
        found.add(token.text);
        const next = this.#peek();
        if (next.kind === ')') return undefined;
        if (next.kind !== ',') return `found '${next.text}', expected: ',' or ')'`;
      } else if (token.kind === ',') {
        if (found.size === 0) found.add('');
        const next = this.#peek();
        if (next.kind === ')' || next.kind === ',') found.add('');
        if (next.kind === ')') return undefined;
        if (next.kind === ',') this.#at++;
      } else return `found '${token.text}', expected: ',', or identifier`;
    }
  }
}

// Models: v1.24 apimachinery pkg/labels Lexer.
type TokenKind = 'end' | 'identifier' | 'in' | 'notin' | '(' | ')' | ',' | '!' | '=' | '==' | '!=' | '>' | '<';

type Token = { readonly kind: TokenKind; readonly text: string };

/** An identifier ends at a blank or symbol; validation checks it later. */
const TOKEN = scratch(/[ \t\r\n]*(?:(==|!=|[=!(),><])|([^ \t\r\n=!(),><]+)|$)/y);

const SYMBOLS: ReadonlySet<string> = new Set<TokenKind>(['(', ')', ',', '!', '=', '==', '!=', '>', '<']);
const isSymbol = (text: string): text is TokenKind => SYMBOLS.has(text);

/** Returns all tokens; the last is always `end`. A NUL ends the text early, as in upstream's reader. */
function tokenise(text: string): readonly Token[] {
  const nul = text.indexOf('\0');
  const source = nul < 0 ? text : text.slice(0, nul);
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const [, symbol, word] = TOKEN.exec(source) ?? [];
    if (symbol !== undefined && isSymbol(symbol)) tokens.push({ kind: symbol, text: symbol });
    else if (word === 'in' || word === 'notin') tokens.push({ kind: word, text: word });
    else if (word !== undefined) tokens.push({ kind: 'identifier', text: word });
    else break;
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}
