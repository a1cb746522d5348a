/** Why an agent does not let a pod in. The pod has failed with this reason. */
export interface Refusal {
  readonly reason: string;
  readonly message: string;
}
