/** Rules of structural schemas in CEL: `x-kubernetes-validations`. */
export { celErrors } from './compile.ts';
export { brokenRules } from './evaluate.ts';
